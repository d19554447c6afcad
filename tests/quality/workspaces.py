#!/usr/bin/env python3
"""A workspace is its two folders, core/NAME and app/workspaces/NAME, and its lines in two lists.

workspaces.py FOLDER    prints every place under FOLDER/app and FOLDER/core that knows a workspace from elsewhere as
                        FILE:LINE, exits 1 if there is one
workspaces.py --check   checks itself on small texts

The lists are the table of workspaces and the parts of the document. Whoever else includes a file of a workspace's,
names a type, a plan or a row that it declares, takes its part of a document by name, or lists its folder for CMake,
works for the workspaces of today alone.
"""
import re
import sys

from sources import run, sources

LISTS = ('app/workspaces/workspaces.cpp', 'core/document/document.h')
DECLARED = re.compile(r'^(?:struct|class|enum class|enum) (\w+)(?: [:{]|$)|^inline constexpr Plan (\w+)', re.M)
ALIAS = re.compile(r'(?:^ *using (?=\w+ =)|^ +struct |template <class )(\w+)', re.M)
PART = r'\b(?:document|draft|before|after|history|changed)(?:\(\))?\.%s\b(?!\()'


def folders(name):
    return f'core/{name}/', f'app/workspaces/{name}/'


def ways(name, declared):
    """What tells that a line knows this workspace."""
    words = '|'.join([*sorted(declared), rf'{name}_workspace'])
    return re.compile(rf'"(?:core|app/workspaces)/{name}/|\b(?:{words})\b|{PART % name}|\({name}(?:/[\w.]*)?\)$')


def excesses(text, patterns):
    for number, line in enumerate(text.split('\n'), 1):
        code = re.sub(r'//.*|^\s*#(?!include).*', '', line)
        if any(pattern.search(code) for pattern in patterns):
            yield number, line.strip()


def search(root):
    names = sorted(path.name for path in (root / 'app/workspaces').iterdir() if path.is_dir())
    texts = list(sources(root))
    lists = [(path.relative_to(root).as_posix(), path.read_text())
             for folder in ('app', 'core') for path in sorted((root / folder).rglob('CMakeLists.txt'))]
    known = {}
    for name in names:
        own = {file: {a or b for a, b in DECLARED.findall(text)} | set(ALIAS.findall(text)) for file, text in texts}
        elsewhere = set().union(*(words for file, words in own.items() if not file.startswith(folders(name))))
        declared = set().union(*(words for file, words in own.items()
                                 if file.startswith(folders(name)) and file.endswith('.h')))
        known[name] = ways(name, declared - elsewhere)  # what others declare too tells nothing
    for file, text in texts + lists:
        if file in LISTS:
            continue
        others = [pattern for name, pattern in known.items() if not file.startswith(folders(name))]
        yield from ((file, number, line) for number, line in excesses(text, others))


def check():
    patterns = [ways('heads', {'HeadsSpec', 'kHeadsPlan'})]
    bad = ['#include "core/heads/part.h"', '#include "app/workspaces/heads/row.h"', 'HeadsSpec spec;',
           'f(kHeadsPlan);', 'frame.draft.heads.order = x;', 'heads_workspace()', 'add_subdirectory(heads)']
    good = ['#include "core/operations/heads.h"', 'layer.heads = 2;', 'target_sources(core PRIVATE', '  heads.cpp',
            'std::size_t heads = 1;', '// HeadsSpec']
    return lambda text: excesses(text, patterns), bad, good


if __name__ == '__main__':
    run(__doc__, search, check)
