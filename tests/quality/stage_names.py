#!/usr/bin/env python3
"""Nothing outside graph builders and file formats knows a stage or a workspace by its name.

stage_names.py FOLDER    prints every place under FOLDER/app and FOLDER/core as FILE:LINE, exits 1 if there is one
stage_names.py --check   checks itself on small texts

What a stage is, its properties say (core/graph/graph.h): role, range, where it is drawn. Whoever compares an id with a
string works for the layers of today alone. Looked for are the ways to do that, with any name, and comparisons with one
of the names that the builders give. Builders are in core/attention and in the folder of each workspace's part; file
formats, which hold names, in core/io.
"""
import re
import sys

from sources import run, sources

BUILDERS = ('core/attention/', 'core/document/layer_plan.')
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


def search(root):
    given = {stage for _, text in sources(root, BUILDERS) for stage in GIVEN.findall(text)}
    if 'weights' not in given:
        sys.exit('stage_names.py: the builders name no stage "weights": what it looks for has changed')
    for name, text in sources(root):
        if not name.startswith(BUILDERS + FORMATS):
            yield from ((name, *place) for place in excesses(text, given))


def check():
    given = {'weights', 'scores'}
    bad = ['if (graph.find("scores"))', 'results->output("x")', 'stage.id == "q"', 'spot.stage != "w_q"',
           'if (name == "weights")', 'id.starts_with("row")', 'view.pinned = Spot{"x", {}};', '"scores" == what']
    good = ['// stage == "weights"', 'graph.find(Role::weights)', 'text.find("weights")', 'title = "scores";',
            'results.output(stage)', 'Spot{stage.id, cell}']
    return lambda text: excesses(text, given), bad, good


if __name__ == '__main__':
    run(__doc__, search, check)
