#!/usr/bin/env python3
"""Makes the golden numbers of the softmax's workspace: golden_softmax.npz and golden_softmax.json beside this script.

    python3 tests/oracles/make_golden_softmax.py        (Debian: python3-numpy)

Everything is computed from the definitions, in double, from scores that float32 holds. Sparsemax is the projection
onto the simplex: of every support (up to 10 keys; of longer rows the sorted ones) the nearest point, the nearest of
all. The norm of the Jacobian is numpy.linalg.eigvalsh's. Number formats are numpy's own float16 and float32, each step
one operation of theirs; bfloat16, which numpy has not, is left out. Two runs give the same bytes.

golden_softmax.json, an entry for each case: name, temperature, masked (keys).
"NAME/scores" (m); "NAME/weights", "NAME/jacobian" (m x m), "NAME/entropy", "NAME/norm", "NAME/lse", "NAME/gradient";
"NAME/softmax-1", "NAME/sparsemax", "NAME/sigmoid", "NAME/relu", "NAME/hard" (m each);
"NAME/curves" (121 x m, the weights at T from 0.05 to 20) and "NAME/curve_entropy" (121);
"NAME/float16", "NAME/float16 raw", "NAME/float32 raw" (weights; raw: without subtracting the maximum),
"NAME/float16 pairs" (the sum added by pairs).
"""
import itertools
import json
from pathlib import Path

import numpy as np

from make_npz import write_npz

HERE = Path(__file__).parent
TEMPERATURES = 0.05 * 400 ** (np.arange(121) / 120)


def softmax(z):
    e = np.exp(z - z.max())
    return e / e.sum()


def on_support(z, s):
    p = np.zeros_like(z)
    p[s] = z[s] - (z[s].sum() - 1) / len(s)
    return p


def sparsemax(z):
    order = np.argsort(-z, kind='stable')
    if len(z) <= 10:
        supports = [list(s) for k in range(1, len(z) + 1) for s in itertools.combinations(range(len(z)), k)]
    else:
        supports = [list(order[:k]) for k in range(1, len(z) + 1)]
    points = [p for p in (on_support(z, s) for s in supports) if p.min() >= 0]
    return min(points, key=lambda p: ((p - z) ** 2).sum())


def entropy(a):
    return -sum(x * np.log(x) for x in a if x > 0)


def weightings(z):
    m = len(z)
    c = max(0.0, z.max())
    e = np.exp(z - c)
    top = (z == z.max()).astype(np.float64)
    return {'softmax-1': e / (np.exp(-c) + e.sum()), 'sparsemax': sparsemax(z),
            'sigmoid': 1 / (1 + np.exp(-(z - np.log(m)))), 'relu': np.maximum(0, z) / m, 'hard': top / top.sum()}


def by_pairs(x):
    while len(x) > 1:
        rest = x[len(x) - len(x) % 2:]
        x = np.concatenate([x[0:len(x) - 1:2] + x[1::2], rest])
    return x[0]


def in_order(x):
    total = x[0]
    for v in x[1:]:
        total = total + v
    return total


def in_format(z, kind, subtract, add=in_order):
    """z: float32 scores, −∞ where masked. Every operation is rounded to the format; exp is taken in double, once."""
    with np.errstate(all='ignore'):
        z = z.astype(kind)
        if subtract:
            z = z - z.max()
        e = np.exp(z.astype(np.float64)).astype(kind)
        return (e / add(e)).astype(np.float64)


def compute(case, scores, arrays):
    name, t = case['name'], case['temperature']
    scores = np.asarray(scores, np.float32)
    keep = np.array([j not in case['masked'] for j in range(len(scores))])
    z = (scores.astype(np.float64) / t)[keep]

    def put(key, values):
        full = np.zeros(values.shape[:-1] + (len(scores),))
        full[..., keep] = values
        arrays[f'{name}/{key}'] = full

    a = softmax(z)
    arrays[f'{name}/scores'] = scores
    put('weights', a)
    jacobian = np.zeros((len(scores), len(scores)))
    jacobian[np.ix_(keep, keep)] = np.diag(a) - np.outer(a, a)
    arrays[f'{name}/jacobian'] = jacobian
    for key, value in (('entropy', entropy(a)), ('norm', np.linalg.eigvalsh(jacobian).max()),
                       ('lse', np.log(np.exp(z - z.max()).sum()) + z.max()), ('gradient', np.abs(jacobian).max())):
        arrays[f'{name}/{key}'] = np.array([value])
    for key, value in weightings(z).items():
        put(key, value)
    rows = [softmax(scores.astype(np.float64)[keep] / u) for u in TEMPERATURES]
    put('curves', np.array(rows))
    arrays[f'{name}/curve_entropy'] = np.array([entropy(r) for r in rows])
    tempered = np.where(keep, (scores.astype(np.float64) / t).astype(np.float32), -np.inf)
    arrays[f'{name}/float16'] = in_format(tempered, np.float16, True)
    arrays[f'{name}/float16 pairs'] = in_format(tempered, np.float16, True, by_pairs)
    arrays[f'{name}/float16 raw'] = in_format(tempered, np.float16, False)
    arrays[f'{name}/float32 raw'] = in_format(tempered, np.float32, False)
    return case


def cases():
    g = np.random.default_rng(11)
    made = [('drawing', [2.5, 0.8, 0.3, 0.2, -1.1], 1, []), ('book 1', [0.5, 0.5, 1], 1, []),
            ('book 2', [0.5, 0.5, 0], 1, []), ('book 3', [1, 0, 0.5], 1, []), ('book 4', [2.5, 0.8, 0.3, 0.2], 1, []),
            ('width 512', [20, -15, 22, -10, 18], 1, []), ('width 512 scaled', [20, -15, 22, -10, 18], 22.627417, []),
            ('one key', [3.0], 1, []), ('two equal', [1.5, 1.5], 1, []), ('all equal', [-2.0] * 7, 1, []),
            ('masked', [2.5, 9, 0.3, 0.2, -1.1], 1, [1]), ('saturated', [60, 0, -3, 1], 1, []),
            ('overflow', [12, 11.5, 3, 0], 1, []), ('overflow float32', [100, 99, 3], 1, []),
            ('negative', [-30, -31, -40], 1, []), ('cold', [1, 1.25, 0.5, -2], 0.125, []),
            ('hot', [1, 1.25, 0.5, -2], 8, [2]), ('long', list(g.normal(0, 2, 64)), 1, [3, 40]),
            ('longer', list(g.normal(0, 0.5, 120)), 1, [])]
    made += [(f'random {i}', list(g.normal(0, s, m)), t, [])
             for i, (m, s, t) in enumerate(itertools.product((2, 5, 9), (0.3, 1, 4), (0.5, 1, 2)))]
    return made


def main():
    arrays, entries = {}, []
    for name, scores, t, masked in cases():
        entries.append(compute({'name': name, 'temperature': t, 'masked': masked}, scores, arrays))
    write_npz(HERE / 'golden_softmax.npz', arrays)
    (HERE / 'golden_softmax.json').write_text('[\n' + ',\n'.join(json.dumps(e) for e in entries) + '\n]\n')
    print(f'{len(entries)} cases')


if __name__ == '__main__':
    main()
