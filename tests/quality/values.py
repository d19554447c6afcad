#!/usr/bin/env python3
"""What is remembered is passed: no function keeps anything of its own, and values are equal where they are the same.

values.py FOLDER    prints every place under FOLDER/app and FOLDER/core as FILE:LINE, exits 1 if there is one
values.py --check   checks itself on small texts

Looked for are variables inside functions that outlive a call and change (static, thread_local), and an operator== that
says yes without looking. What never changes may be static.
"""
import re

from sources import run, sources

# Tensors are told apart by a number that is never used twice.
ALLOWED = ('core/tensor/tensor.cpp',)
WAYS = [re.compile(p, re.M) for p in (
    r'^[ \t]+(?:static|thread_local)\s+(?!const\b|constexpr\b)(?!\w+ const\b)[^()\n;={]*[\s*&>]\w+\s*(?:[={][^\n]*)?;',
    r'\boperator==\([^)]*\)\s*(?:const\s*)?(?:noexcept\s*)?\{\s*return true;')]


def excesses(text):
    """(line number, line) of every place in a source."""
    code = re.sub(r'//[^\n]*', '', text)
    lines = text.split('\n')
    for way in WAYS:
        for found in way.finditer(code):
            number = code.count('\n', 0, found.start() + len(found[0]) - len(found[0].lstrip()))
            yield number + 1, lines[number].strip()


def search(root):
    for name, text in sources(root):
        if name not in ALLOWED:
            yield from ((name, *place) for place in excesses(text))


def check():
    bad = ['void f() {\n  static std::mutex mutex;\n}', '  static std::optional<std::pair<Key, Points>> last;',
           '  thread_local int depth = 0;', '  static std::atomic<int> counter{0};', '  static Cache* cache = make();',
           'bool operator==(const Memory&) const { return true; }', '  static auto found = std::make_unique<Found>();']
    good = ['  static const std::vector<Row> rows{\n', '  static constexpr int kMost = 3;', '  // static int counter;',
            '  static Store from_environment();', '  static_assert(sizeof(int) == 4);', 'static int of_a_file();',
            '  static std::size_t tile(float uv) {', 'bool operator==(const Row&) const = default;',
            '  const EigenLevel level = load_level();', '  static const EigenLevel level = load_level();']
    return excesses, bad, good


if __name__ == '__main__':
    run(__doc__, search, check)
