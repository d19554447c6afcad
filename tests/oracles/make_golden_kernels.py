#!/usr/bin/env python3
"""Makes the golden numbers of kernel regression: golden_kernels.npz and golden_kernels.json beside this script.

    python3 tests/oracles/make_golden_kernels.py        (Debian: python3-numpy)

Everything is computed from the definitions, in double: u = (q - x) / s, kappa(u), kappa / sum, the weighted mean; a
weighted least-squares line by numpy.linalg.lstsq; leave-one-out errors by deleting each point. The weights of the
exponential kernels come from exponents that are exact fractions until the largest is subtracted, so nothing underflows
however far a query is. The noise is numpy's, seeded, and stored with the points as float32, which is what the
program is given. Two runs give the same bytes.

golden_kernels.json, an entry for each case:
  name, kernel, width, neighbours (null: width for all), first, last, queries   what the document says
"NAME/points" (m x 2 or more: x, y ...), "NAME/key_widths" (m, where there are any), "NAME/weights" (n x m, of the
points in order of x), "NAME/estimate" (n x c), "NAME/line" (n x c, the local line; absent where it is ill-conditioned),
"NAME/loo_widths" and "NAME/loo_errors" (mean squared errors).
"""
import json
from fractions import Fraction
from pathlib import Path

import numpy as np

from make_npz import write_npz

HERE = Path(__file__).parent
KERNELS = {
    'boxcar': lambda u: np.ones_like(u),
    'triangular': lambda u: 1 - np.abs(u),
    'epanechnikov': lambda u: 0.75 * (1 - u ** 2),
    'biweight': lambda u: (1 - u ** 2) ** 2,
    'tricube': lambda u: (1 - np.abs(u) ** 3) ** 3,
    'cosine': lambda u: np.cos(np.pi * u / 2)}
NAMES = ['gaussian', 'constant', 'dot', *KERNELS]


def sine(noise, count, seed):
    g = np.random.default_rng(seed)
    x = np.sort(g.uniform(0, 5, count))
    return np.stack([x, 2 * np.sin(x) + x + g.normal(0, noise, count)], 1).astype(np.float32)


def power(noise, count, seed):
    g = np.random.default_rng(seed)
    x = np.sort(g.uniform(0, 5, count))
    return np.stack([x, 2 * np.sin(x) + x ** 0.8 + g.normal(0, noise, count)], 1).astype(np.float32)


def exponent(kernel, q, x, s):
    q, x, s = Fraction(float(q)), Fraction(float(x)), Fraction(float(s))
    return q * x if kernel == 'dot' else -((q - x) / s) ** 2 / 2


def kappas(kernel, q, x, s):
    """Of one query; those of exponentials relative to the largest. s: a width for each point."""
    if kernel == 'constant':
        return np.ones(len(x))
    if kernel in ('gaussian', 'dot'):
        if len(x) == 0:
            return np.zeros(0)
        e = [exponent(kernel, q, k, w) for k, w in zip(x, s)]
        return np.array([np.exp(max(float(i - max(e)), -800.0)) for i in e])
    u = (np.float64(q) - x.astype(np.float64)) / s
    reach = np.abs(u).astype(np.float32) <= 1  # the edge is where u rounds to 1 as a float
    inside = np.where(np.abs(u).astype(np.float32) == 1, np.sign(u), u)
    value = KERNELS[kernel](np.where(reach, inside, 0.0))
    if kernel != 'boxcar':
        value = np.where(np.abs(inside) == 1, 0.0, value)
    return np.where(reach, value, 0.0)


def mean(weights, y):
    total = weights.sum()
    return np.full(y.shape[1], np.nan) if total == 0 else (weights[:, None] * y).sum(0) / total


def line(weights, q, x, y):
    """Weighted least squares of a + b(x - q); the constant estimate where all weight is at one place."""
    use = weights > 0
    if len(set(x[use])) < 2:
        return mean(weights, y)
    root = np.sqrt(weights[use])[:, None]
    a = np.stack([np.ones(use.sum()), x[use] - np.float64(q)], 1)
    return np.linalg.lstsq(a * root, y[use] * root, rcond=None)[0][0]


def widths_at(case, q, x, factors):
    if case['neighbours']:
        return np.full(len(x), np.sort(np.abs(np.float64(q) - x))[min(case['neighbours'], len(x)) - 1])
    return (np.float64(case['width']) * factors).astype(np.float32).astype(np.float64)


def candidates(x):
    most = 2 * (float(x[-1]) - float(x[0])) or 1.0
    least = most / 400
    return [least * (most / least) ** (i / 39) for i in range(40)]


def left_out(case, x, y, factors):
    widths, errors = candidates(x), []
    for width in widths:
        squares = []
        for i in range(len(x)):
            rest = np.arange(len(x)) != i
            s = (width * factors).astype(np.float32).astype(np.float64)[rest]
            f = mean(kappas(case['kernel'], x[i], x[rest], s), y[rest])
            squares.append(((y[i] - f) ** 2).sum())
        errors.append(np.mean(squares))
    return np.array(widths), np.array(errors)


def compute(case, points, factors, arrays):
    name = case['name']
    order = np.argsort(points[:, 0], kind='stable')
    x, y = points[order, 0].astype(np.float64), points[order, 1:].astype(np.float64)
    f = (np.ones(len(x)) if factors is None else factors[order].astype(np.float64))
    n = case['queries']
    q = (case['first'] + (case['last'] - case['first']) * np.arange(n) / max(1, n - 1)).astype(np.float32)
    all_weights, estimate, lines = [], [], []
    for query in q:
        w = kappas(case['kernel'], query, x, widths_at(case, query, x, f))
        estimate.append(mean(w, y))
        total = w.sum()
        all_weights.append(w / total if total > 0 else np.full(len(x), np.nan))
        lines.append(line(w / total, query, x, y) if total > 0 else np.full(y.shape[1], np.nan))
    arrays[f'{name}/points'] = points
    if factors is not None:
        arrays[f'{name}/key_widths'] = factors
    arrays[f'{name}/weights'] = np.array(all_weights)
    arrays[f'{name}/estimate'] = np.array(estimate)
    if case.pop('line'):
        arrays[f'{name}/line'] = np.array(lines)
    if case.pop('loo'):
        arrays[f'{name}/loo_widths'], arrays[f'{name}/loo_errors'] = left_out(case, x, y, f)
    return case


def cases():
    """(case, points, factors)"""
    sets = {'sine': sine(1, 40, 7), 'power': power(0.5, 50, 11)}
    made = []

    def add(name, kernel, width, points, first=0.0, last=5.0, queries=26, neighbours=None, factors=None, line=False,
            loo=False):
        made.append(({'name': name, 'kernel': kernel, 'width': width, 'neighbours': neighbours, 'first': first,
                      'last': last, 'queries': queries, 'line': line, 'loo': loo},
                     np.asarray(points, np.float32), factors))

    for which, points in sets.items():
        for kernel in NAMES:
            for width in (0.1, 0.2, 0.5, 1.0):
                add(f'{which} {kernel} {width}', kernel, width, points, line=width >= 0.5 and kernel != 'dot',
                    loo=width == 0.5 and which == 'sine')
            add(f'{which} {kernel} neighbours', kernel, 1.0, points, neighbours=9)
            add(f'{which} {kernel} own widths', kernel, 0.4, points,
                factors=np.linspace(0.5, 2, len(points)).astype(np.float32))
    tenths = np.array([[0.1, 1], [0.3, 2], [0.5, 4], [0.7, 8]])
    two = np.array([[1, 3], [1, 5], [1, 10], [2, 0]])
    for kernel in NAMES:
        add(f'edge {kernel}', kernel, 0.2, tenths, 0.1, 0.7, 4)
        add(f'duplicates {kernel}', kernel, 0.7, two, 0.5, 2.5, 9)
        add(f'one point {kernel}', kernel, 1.0, [[2, 7]], 0.0, 5.0, 11, line=True)
        add(f'one place {kernel}', kernel, 1.0, [[2, 7], [2, 8]], 0.0, 5.0, 11, line=True)
        add(f'no point in reach {kernel}', kernel, 0.5, [[0, 1], [10, 2]], 2.0, 8.0, 7)
        add(f'narrow {kernel}', kernel, 1e-6, sets['sine'], -1.0, 6.0, 15)
        add(f'wide {kernel}', kernel, 1e6, sets['power'], -1.0, 6.0, 15)
        add(f'several values {kernel}', kernel, 0.6, [[0, 1, 0], [0.5, 1, 0], [1, 0, 1], [1.2, 0, 1]], 0.0, 1.0, 5)
    add('far gaussian', 'gaussian', 0.1, sets['sine'], 100.0, 1000.0, 10)
    add('farther gaussian', 'gaussian', 1e-6, sets['sine'], -1e6, 1e6, 9)
    add('far dot', 'dot', 1.0, sets['sine'], -1000.0, 1000.0, 5)
    add('far gaussian own widths', 'gaussian', 0.1, sets['power'], 50.0, 90.0, 5,
        factors=np.linspace(0.5, 2, 50).astype(np.float32))
    return made


def main():
    arrays, entries = {}, []
    for case, points, factors in cases():
        entries.append(compute(case, points, factors, arrays))
    write_npz(HERE / 'golden_kernels.npz', arrays)
    (HERE / 'golden_kernels.json').write_text('[\n' + ',\n'.join(json.dumps(e) for e in entries) + '\n]\n')
    print(f'{len(entries)} cases')


if __name__ == '__main__':
    main()
