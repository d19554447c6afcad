#!/usr/bin/env python3
"""Holds wrong_layer.py against the program: random layers, stage by stage, to 1e-6.

    python3 tests/oracles/check_wrong_layer.py build/release/attention-lab        (Debian: python3-numpy)

Layers as they should be, and those mistakes that an option of the command line makes too: --softmax-over queries,
--mask-at after, --causal-ahead 1, --shift 1, --precision.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from wrong_choices import can_be, layer
from wrong_layer import compute

LAYERS, SEED = 200, 4
OPTIONS = {'softmax-over-queries': '--softmax-over queries', 'mask-after-softmax': '--mask-at after',
           'causal-sees-ahead': '--causal-ahead 1', 'positions-from-1': '--shift 1', 'float16': '--precision float16',
           'bfloat16': '--precision bfloat16', '': ''}
# The program's name of the weights as the values meet them.
LATE = {'mask-after-softmax': {'weights': 'masked_weights'}}


def difference(ours, theirs, names):
    """The first stage that differs, with how much."""
    for stage, a in ours.items():
        name = names.get(stage, stage)
        if name in theirs:
            b = theirs[name]
            off = np.abs(a - b).max() if a.shape == b.shape else np.inf
            if off > 1e-6 * max(1, np.abs(a).max()):
                return f'{name} differs by {off:.3g}'
    return None


def main():
    program, rng, failed = sys.argv[1], np.random.RandomState(SEED), 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(LAYERS):
            wants = {key: rng.rand() < 0.3 for key in ('window', 'stretched', 'soft_cap', 'qk_norm', 'wide', 'cross')}
            wants['cross'] = wants['cross'] and not wants['window']
            o, t = layer(rng, wants, {})
            word = list(OPTIONS)[rng.randint(len(OPTIONS))]
            if word and not can_be([word], o, t):
                word = ''
            given, out = Path(folder, 'given.npz'), Path(folder, 'out.npz')
            np.savez(given, **t)
            options = f'{o.options()} {OPTIONS[word]}'
            subprocess.run([program, 'trace', given, '--device', 'reference', *options.split(), '-o', out], check=True,
                           stderr=subprocess.DEVNULL)
            what = difference(compute(t, o, {word: True} if word else {}), np.load(out), LATE.get(word, {}))
            if what:
                failed += 1
                print(f'layer {i}, {options}: {what}')
    print(f'{LAYERS} layers, {failed} of them differ')
    sys.exit(failed > 0)


main()
