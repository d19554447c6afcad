#!/usr/bin/env python3
"""Rooms (folders of app and core) stand above each other: what one includes lies below it.

rooms.py FOLDER    prints every include under FOLDER/app and FOLDER/core that leads up, and every room that has no
                   place, as FILE:LINE, exits 1 if there is one
rooms.py --check   checks itself on small texts

Their order is that of the tables in app/README.md and core/README.md, all of app above all of core; `WORKSPACE/` stands
for the rooms of all workspaces. Rooms of one row do not include each other. The document's list of parts is left out: it has to name what lies above it.
"""
import re

from sources import run, sources

LISTS = ('core/document/document.h',)
ROW = re.compile(r'^\| (`\w+/`(?:, `\w+/`)*) \|', re.M)
INCLUDE = re.compile(r'^#include "((?:app|core)/\w+)/[^"]+"', re.M)


def places(tables, workspaces):
    """By room, its place from the top, of (folder, text with its table) from the top."""
    found = {}
    for folder, text in tables:
        for row in ROW.findall(text.replace('`WORKSPACE/`', ', '.join(f'`{name}/`' for name in workspaces))):
            height = len(set(found.values()))
            found.update({f'{folder}/{room}': height for room in re.findall(r'`(\w+)/`', row)})
    return found


def leads_up(room, text, place):
    """(line number, line) of every include of a source in this room."""
    for found in INCLUDE.finditer(text):
        other = found.group(1)
        if other != room and not (room in place and other in place and place[room] < place[other]):
            yield text.count('\n', 0, found.start()) + 1, found.group()


def search(root):
    tables = [(folder, (root / folder / 'README.md').read_text()) for folder in ('app', 'core')]
    place = places(tables, [path.name for path in (root / 'app/workspaces').iterdir() if path.is_dir()])
    for name, text in sources(root):
        if name.count('/') > 1 and name not in LISTS:  # app/main.cpp stands above all
            yield from ((name, *found) for found in leads_up('/'.join(name.split('/')[:2]), text, place))


def check():
    place = places([('app', '| `cli/` | x |\n| `a/`, `b/` | x |'),
                    ('core', '| `WORKSPACE/` | x |\n| `graph/` | x |')], ['heads', 'cost'])
    bad = ['#include "app/cli/x.h"', '#include "app/b/x.h"', '#include "app/unknown/x.h"']
    good = ['', '#include "app/a/x.h"', '#include "core/graph/x.h"', '#include "core/heads/x.h"',
            '#include <app/cli/x.h>']
    return lambda text: leads_up('app/a', text, place), bad, good


if __name__ == '__main__':
    run(__doc__, search, check)
