#!/usr/bin/env python3
"""Makes the golden numbers of rounded layers: golden_precision.npz and golden_precision.json beside this script.

    python3 tests/oracles/make_golden_precision.py        (Debian: python3-numpy)

A layer in float16 or bfloat16 emulated from its definition: each stage in double from rounded numbers, held as a
float32, and rounded once. float16 is numpy's own; bfloat16 is the upper half of a float32, to nearest, ties to even,
on its bits. Two runs give the same bytes.

golden_precision.json, an entry for each case: name, format, fill (of the mask above the diagonal).
"NAME/x" (n x d), "NAME/w_q", "NAME/w_k", "NAME/w_v", "NAME/w_o" as given; "NAME/STAGE" of all stages computed, and of
x and the weights as rounded "NAME/rounded x" and so on.
"""
import json
from pathlib import Path

import numpy as np

from make_npz import write_npz

HERE = Path(__file__).parent
HEADS = 2
GIVEN = ['x', 'w_q', 'w_k', 'w_v', 'w_o']


def float16(x):
    with np.errstate(over='ignore'):
        return x.astype(np.float16).astype(np.float64)


def bfloat16(x):
    bits = x.view(np.uint32).astype(np.uint64)
    upper = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return upper.astype(np.uint32).view(np.float32).astype(np.float64)


def rounding(to):
    return lambda x: to(np.ascontiguousarray(x, np.float32))


def split(x):
    n, width = x.shape
    return x.reshape(n, HEADS, width // HEADS).transpose(1, 0, 2)


def layer(given, fmt, fill):
    r = rounding(fmt)
    s = {f'rounded {name}': r(a) for name, a in given.items()}
    x, w_q, w_k, w_v, w_o = (s[f'rounded {name}'] for name in GIVEN)
    s['q'], s['k'], s['v'] = (split(r(x @ w)) for w in (w_q, w_k, w_v))
    s['scores'] = r(s['q'] @ s['k'].transpose(0, 2, 1))
    s['scaled'] = r(s['scores'] * (1 / np.sqrt(s['q'].shape[2])))
    hidden = np.triu(np.ones((len(x), len(x)), bool), 1)
    s['masked'] = r(np.where(hidden, fill, s['scaled']))
    s['row_max'] = s['masked'].max(2, keepdims=True)
    s['exp'] = r(np.exp(s['masked'] - s['row_max']))
    s['row_sum'] = r(s['exp'].sum(2, keepdims=True))
    s['weights'] = r(s['exp'] / s['row_sum'])
    s['head_output'] = r(s['weights'] @ s['v'])
    s['concat'] = np.concatenate(list(s['head_output']), 1)
    s['output'] = r(s['concat'] @ w_o)
    return s


def main():
    rng = np.random.default_rng(20)
    arrays, index = {}, []
    for fmt in (float16, bfloat16):
        for fill, size in ((-np.inf, 1), (-1e9, 1), (-65504, 3), (-1e6, 0.1)):
            name = f'{fmt.__name__} {fill:g}'
            given = {n: rng.normal(0, size if n == 'x' else 1, shape).astype(np.float32)
                     for n, shape in zip(GIVEN, [(6, 8), (8, 8), (8, 8), (8, 6), (6, 5)])}
            index.append({'name': name, 'format': fmt.__name__, 'fill': f'{fill:g}'.replace('e+0', 'e')})
            for n, a in {**given, **layer(given, fmt, fill)}.items():
                arrays[f'{name}/{n}'] = np.asarray(a)
    write_npz(HERE / 'golden_precision.npz', arrays)
    (HERE / 'golden_precision.json').write_text(json.dumps(index, indent=1) + '\n')


main()
