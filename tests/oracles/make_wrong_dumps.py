#!/usr/bin/env python3
"""Makes the dumps of layers that have known mistakes, for tests of `attention-lab check`: wrong_dumps/ beside this.

    python3 tests/oracles/make_wrong_dumps.py           writes them, in half a minute (Debian: python3-numpy)
    python3 tests/oracles/make_wrong_dumps.py --check   compares what is there with it, byte by byte

Each file has the inputs of its layer (x, memory, w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o) and, with the mistakes, the
stages scaled, weights and output, computed in double by wrong_layer.py and kept as float32. index.json there, an entry
for each file:

file      its name
options   of the layer as it should be, as the command line has them
mistakes  what was planted, by its words; none in a file of noise, whose stages are each off by about 1e-3 of themselves
verdict   "differs" or "noise"
detail    of a mistake that has one: p of dropout, T of the temperature, how many keys more the window has, the order
          of a packed weight, which matrices are not transposed
ties      other sets of mistakes, up to two, that leave these very numbers (within 2e-6 + 2e-5 of each), found by trying
          them all: an answer is right when it is `mistakes` or one of these. The temperature is fitted to `scaled`.
"""
import itertools
import json
import sys
import zipfile
import zlib
from pathlib import Path

import numpy as np

from make_npz import npz_bytes
from wrong_choices import DETAILS, NEEDS, can_be, detail, go_together, layer, wanted
from wrong_layer import compute

FOLDER = Path(__file__).parent / 'wrong_dumps'
STAGES = ['scaled', 'weights', 'output']
PAIRS, NOISES = 60, 5
# A second file of a mistake: with another detail, or with another setting of the layer.
SECOND_DETAIL = {'packed-order': 'vqk', 'w-not-transposed': 'q', 'window-off-by-one': -1, 'temperature': 0.75}
SECOND_SETTING = {'rope-pairing': {'pairing': 'neighbour'}, 'rope-base': {'base': 500000},
                  'causal-alignment': {'top_left': True}}
FIRST_DETAIL = {'packed-order': 'kqv', 'w-not-transposed': 'qkvo', 'window-off-by-one': 1, 'temperature': 1.3}
FIRST_SETTING = {'rope-pairing': {'pairing': 'half'}, 'rope-base': {'base': 10000}}


def same(a, b):
    return all(np.all(abs(a[s] - b[s]) <= 2e-6 + 2e-5 * abs(b[s])) for s in STAGES)


def distance(yours, ours):
    return np.mean([np.linalg.norm(yours[s] - ours[s]) / np.linalg.norm(yours[s]) for s in STAGES])


def variants(words, o, t, yours, planted):
    """The words with each set of details that they can have here."""
    choices = []
    for word in words:
        if word == 'dropout-on':  # the zeros of the weights tell it
            choices.append([planted[word]] if word in planted else [])
        elif word == 'temperature':
            choices.append([None])
        else:
            choices.append(DETAILS.get(word, [True]))
    for details in itertools.product(*choices):
        wrong = dict(zip(words, details))
        if 'temperature' in wrong:
            ours = compute(t, o, {word: d for word, d in wrong.items() if word != 'temperature'})['scaled']
            wrong['temperature'] = float((ours ** 2).sum() / (ours * yours['scaled']).sum())
        yield wrong


def ties(o, t, yours, planted):
    """Sets of mistakes, none of them idle, that reproduce yours."""
    possible, found = [word for word in NEEDS if can_be([word], o, t)], []
    for words in [(word,) for word in possible] + list(itertools.combinations(possible, 2)):
        known = [set(planted), *map(set, found)]
        if not go_together(words) or any(set(words) >= other for other in known):
            continue
        if any(same(compute(t, o, wrong), yours) for wrong in variants(words, o, t, yours, planted)):
            found.append(words)
    return [list(words) for words in found]


def every_one_counts(o, t, planted, yours):
    """No number of the planted ones may be left out, and each changes enough to be seen."""
    fewer = [{word: d for word, d in planted.items() if word != out} for out in planted]
    return all(distance(yours, compute(t, o, wrong)) > 2e-4 for wrong in fewer)


def dump(name, words, details, settings):
    """The first layer, of those that chance offers, in which the words make a difference."""
    rng = np.random.RandomState(zlib.crc32(name.encode()))  # whose numbers no version of numpy changes
    for _ in range(20):
        o, t = layer(rng, wanted(words), settings)
        planted = {word: details.get(word, detail(word, rng, o, t)) for word in words}
        yours = compute(t, o, planted)
        if every_one_counts(o, t, planted, yours):
            told = {word: d[0] if word == 'dropout-on' else d for word, d in planted.items() if d is not True}
            return {'file': f'{name}.npz', 'options': o.options(), 'mistakes': words, 'verdict': 'differs',
                    'detail': told, 'ties': ties(o, t, yours, planted)}, t, yours
    return None


def noise(name):
    rng = np.random.RandomState(zlib.crc32(name.encode()))
    o, t = layer(rng, {}, {})
    stages = {s: a * (1 + 1e-3 * rng.normal(size=a.shape)) for s, a in compute(t, o, {}).items()}
    return {'file': f'{name}.npz', 'options': o.options(), 'mistakes': [], 'verdict': 'noise', 'detail': {},
            'ties': []}, t, stages


def pairs():
    """Chance picks one of the mistakes that came least often, and another that goes with it."""
    rng, times, chosen = np.random.RandomState(19), dict.fromkeys(NEEDS, 0), []
    while len(chosen) < PAIRS:
        rare = [word for word in NEEDS if times[word] == min(times.values())]
        first = rare[rng.randint(len(rare))]
        second = list(NEEDS)[rng.randint(len(NEEDS))]
        words = sorted({first, second}, key=list(NEEDS).index)
        too_often = times[second] > min(times.values()) + 2
        if len(words) < 2 or words in chosen or too_often or wanted(words) is None:
            continue
        made = dump(f'pair-{len(chosen) + 1:02}', words, {}, {})
        if made is None:
            continue
        chosen.append(words)
        for word in words:
            times[word] += 1
        yield made


def all_dumps():
    for word in NEEDS:
        yield dump(word, [word], {word: FIRST_DETAIL[word]} if word in FIRST_DETAIL else {},
                   FIRST_SETTING.get(word, {}))
        if word in SECOND_DETAIL or word in SECOND_SETTING:
            yield dump(f'{word}-2', [word], {word: SECOND_DETAIL[word]} if word in SECOND_DETAIL else {},
                       SECOND_SETTING.get(word, {}))
    yield from pairs()
    for i in range(NOISES):
        yield noise(f'noise-{i + 1}')


def files():
    entries, contents = [], {}
    for entry, t, stages in all_dumps():
        arrays = {**t, **{s: stages[s].astype(np.float32) for s in STAGES}}
        contents[entry['file']] = npz_bytes(arrays, zipfile.ZIP_STORED)
        entries.append(json.dumps(entry))
    contents['index.json'] = ('[\n' + ',\n'.join(entries) + '\n]\n').encode()
    return contents


def main():
    contents = files()
    if sys.argv[1:] == ['--check']:
        there = {f.name: f.read_bytes() for f in FOLDER.iterdir()}
        wrong = sorted(name for name in {*there, *contents} if there.get(name) != contents.get(name))
        sys.exit('\n'.join(f'{FOLDER / name} is not what this script writes' for name in wrong) or 0)
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for name, content in contents.items():
        (FOLDER / name).write_bytes(content)


main()
