#!/usr/bin/env python3
"""One name, one type: no two types that others can see bear one name in one namespace.

type_names.py FOLDER    prints every second one under FOLDER/app and FOLDER/core as FILE:LINE, exits 1 if there is one
type_names.py --check   checks itself on small texts

The linker keeps one of their functions of one name (constructors, destructors) for both, where the compiler has not
put them in place: memory is freed that is none. The compiler says nothing, and an optimised program may get away with
it.
"""
import re

from sources import run, sources

TYPE = re.compile(r'(?:struct|class|enum class|enum) (\w+)(?: final)?(?: : [^;]*)? ?\{')


def types(text):
    """(namespace and name, line number, line) of every type that is defined outside unnamed namespaces."""
    spaces = []
    for number, line in enumerate(text.split('\n'), 1):
        if opened := re.match(r'namespace ([\w:]*) ?\{', line):
            spaces.append(opened[1])
        elif line.startswith('}  // namespace'):
            spaces.pop()
        elif '' not in spaces and (found := TYPE.match(line)):
            yield '::'.join([*spaces, found[1]]), number, line


def search(root):
    seen = {}
    for name, text in sources(root):
        for full, number, line in types(text):
            first = seen.setdefault(full, f'{name}:{number}')
            if first != f'{name}:{number}':
                yield name, number, f'{line}  (also in {first})'


def check():
    def twice(text):
        names = [name for name, _, _ in types(text)]
        return {name for name in names if names.count(name) > 1}

    a, b = 'namespace attn {\nstruct A {\n};\n}  // namespace attn\n', 'namespace attn {\nclass A : B {\n};\n}  // namespace attn\n'
    hidden = 'namespace attn {\nnamespace {\nstruct A {\n};\n}  // namespace\n}  // namespace attn\n'
    other = 'namespace attn::tests {\nstruct A {\n};\n}  // namespace attn::tests\n'
    declared = 'namespace attn {\nstruct A;\nstruct A::B {\n};\ntemplate <>\nstruct A<int> {\n};\n}  // namespace attn\n'
    return twice, [a + a, a + b], [a, a + hidden, a + other, a + declared]


if __name__ == '__main__':
    run(__doc__, search, check)
