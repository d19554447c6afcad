#!/usr/bin/env python3
"""Nothing outside graph builders and file formats knows a stage or a workspace by its name.

stage_names.py FOLDER    prints every place under FOLDER/app and FOLDER/core as FILE:LINE, exits 1 if there is one
stage_names.py --check   checks itself on small texts

What a stage is, its properties say (core/graph.h): role, range, where it is drawn. Whoever compares an id with a
string works for the layers of today alone. Looked for are the ways to do that, with any name, and comparisons with one
of the names that the builders give. Builders are in core/attention and in the folder of each workspace's part; file
formats, which hold names, in core/io.
"""
import pathlib
import re
import sys

BUILDERS = ('core/attention/',)
FORMATS = ('core/io/',)

GIVEN = re.compile(r'(?:\.id = |pair\(|statistic\(b, |output\(b, )"(\w+)"')
WAYS = [re.compile(p) for p in (
    r'\bgraph\w*(?:\.|->)find\(\s*"',
    r'\bresults\w*(?:\(\))?(?:\.|->)output\(\s*"',
    r'\b(?:id|stage|workspace)\s*[=!]=\s*"',
    r'"\s*[=!]=\s*[\w.>()-]*\b(?:id|stage)\b',
    r'\b(?:id|stage)\.(?:starts_with|ends_with|contains|find|substr)\(\s*"',
    r'\bSpot\{\s*"')]


def excesses(text, given):
    """(line number, line) of every place in a source."""
    named = re.compile(r'[=!]=\s*"(?:%s)"|"(?:%s)"\s*[=!]=' % (('|'.join(sorted(given)) or '$^',) * 2))
    for number, line in enumerate(text.split('\n'), 1):
        code = re.sub(r'//.*', '', line)
        if named.search(code) or any(way.search(code) for way in WAYS):
            yield number, line.strip()


def sources(root, folders):
    for folder in folders:
        yield from sorted(p for p in (root / folder).rglob('*') if p.suffix in ('.cpp', '.h'))


def search(root):
    given = set()
    for path in sources(root, BUILDERS):
        given.update(GIVEN.findall(path.read_text()))
    if 'weights' not in given:
        sys.exit('stage_names.py: the builders name no stage "weights": what it looks for has changed')
    found = 0
    for path in sources(root, ('app', 'core')):
        name = path.relative_to(root).as_posix()
        if name.startswith(BUILDERS + FORMATS):
            continue
        for number, line in excesses(path.read_text(), given):
            print(f'{name}:{number}: {line}')
            found += 1
    return found


def check():
    given = {'weights', 'scores'}
    bad = ['if (graph.find("scores"))', 'results->output("x")', 'stage.id == "q"', 'spot.stage != "w_q"',
           'if (name == "weights")', 'id.starts_with("row")', 'view.pinned = Spot{"x", {}};', '"scores" == what']
    good = ['// stage == "weights"', 'graph.find(Role::weights)', 'text.find("weights")', 'title = "scores";',
            'results.output(stage)', 'Spot{stage.id, cell}']
    wrong = [t for t in bad if not list(excesses(t, given))] + [t for t in good if list(excesses(t, given))]
    for text in wrong:
        print('wrong about: ' + text)
    return len(wrong)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(1 if (check() if sys.argv[1] == '--check' else search(pathlib.Path(sys.argv[1]))) else 0)
