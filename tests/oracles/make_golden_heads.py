#!/usr/bin/env python3
"""Makes the golden numbers of the heads: golden_heads.npz and golden_heads.json beside this script.

    python3 tests/oracles/make_golden_heads.py        (Debian: python3-numpy)

Everything is computed from the definitions, in double, from matrices that float32 holds. What a head adds is not
computed as such: the output is computed again with the head's output set to 0, and the two are subtracted. Heads that
share keys and values are a layer whose projections are averaged. Two runs give the same bytes.

golden_heads.json, an entry for each case: name, session (the document).
"NAME/weights" (h x n x m), "NAME/entropy" (h x n), "NAME/cosine", "NAME/overlap" (h x h), "NAME/mean", "NAME/maximum",
"NAME/spread" (n x m), "NAME/difference" (h x n x m, less head 1), "NAME/parts" (h x n, the length of the output's
change), "NAME/length" (n), "NAME/shares" (h x n x 5: previous, first, itself, induction, nearby 2), "NAME/groups" (how
far the output moves as a matrix, relative, for each number of key/value heads that divides the layer's, from the
largest below it to 1; 1 alone where there is none).
"""
import json
from pathlib import Path

import numpy as np

from make_npz import write_npz

HERE = Path(__file__).parent


def matrix(layer, key):
    return np.asarray(layer[key], np.float32).astype(np.float64) if key in layer else None


def forward(layer, heads, kv, w_k, w_v, off=None):
    x = matrix(layer, 'x')
    n = len(x)
    split = lambda wide, count: wide.reshape(n, count, -1).transpose(1, 0, 2)
    q, k, v = split(x @ matrix(layer, 'w_q'), heads), split(x @ w_k, kv), split(x @ w_v, kv)
    k, v = np.repeat(k, heads // kv, axis=0), np.repeat(v, heads // kv, axis=0)
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])
    if 'masks' in layer:
        scores = np.where(np.tril(np.ones((n, n), bool)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    a = e / e.sum(axis=2, keepdims=True)
    out = a @ v
    if off is not None:
        out[off] = 0
    concat = out.transpose(1, 0, 2).reshape(n, -1)
    w_o = matrix(layer, 'w_o')
    y = concat if w_o is None else concat @ w_o
    b_o = matrix(layer, 'b_o')
    return a, y if b_o is None else y + b_o[0]


def patterns(tokens, n):
    i, j = np.mgrid[0:n, 0:n]
    same = np.zeros((n, n), bool)
    for q in range(n):
        for key in range(1, q + 1):
            same[q, key] = tokens[key - 1] == tokens[q]
    return np.stack([j == i - 1, j == 0, j == i, same, abs(i - j) <= 2]).astype(np.float64)


def averaged(w, kv, groups):
    parts = w.reshape(len(w), groups, kv // groups, -1)
    return parts.mean(axis=2).reshape(len(w), -1)


def compute(name, layer, arrays):
    h, kv = layer['heads'], layer['kv_heads']
    w_k, w_v = matrix(layer, 'w_k'), matrix(layer, 'w_v')
    a, y = forward(layer, h, kv, w_k, w_v)
    put = lambda key, value: arrays.__setitem__(f'{name}/{key}', np.asarray(value, np.float64))
    put('weights', a)
    put('entropy', -(a * np.log(np.where(a > 0, a, 1))).sum(axis=2))
    flat = a.reshape(h, -1)
    length = np.linalg.norm(flat, axis=1)
    put('cosine', flat @ flat.T / np.outer(length, length))
    put('overlap', [[np.minimum(r, s).sum() / np.maximum(r, s).sum() for s in flat] for r in flat])
    put('mean', a.mean(axis=0))
    put('maximum', a.max(axis=0))
    put('spread', a.std(axis=0))
    put('difference', a - a[1])
    put('parts', [np.linalg.norm(y - forward(layer, h, kv, w_k, w_v, off)[1], axis=1) for off in range(h)])
    put('length', np.linalg.norm(y, axis=1))
    put('shares', np.einsum('hij,pij->hip', a, patterns(layer['tokens'], len(y))))
    moved = []
    for groups in [g for g in range(kv - 1, 0, -1) if kv % g == 0] or [1]:
        z = forward(layer, h, groups, averaged(w_k, kv, groups), averaged(w_v, kv, groups))[1]
        moved.append(np.linalg.norm(z - y) / np.linalg.norm(y))
    put('groups', moved)


def random_layer(g, n, d, h, kv, d_k, d_v, out, bias, causal):
    draw = lambda *shape: np.asarray(g.normal(0, 0.7, shape), np.float32).astype(float).tolist()
    words = ['a', 'b', 'c', 'd']
    layer = {'tokens': [words[i] for i in g.integers(0, 4, n)], 'x': draw(n, d), 'heads': h, 'kv_heads': kv,
             'w_q': draw(d, h * d_k), 'w_k': draw(d, kv * d_k), 'w_v': draw(d, kv * d_v)}
    if out:
        layer['w_o'] = draw(h * d_v, out)
    if bias:
        layer['b_o'] = draw(1, out)
    if causal:
        layer['masks'] = [{'rule': 'causal', 'align': 'lower-right'}]
    return layer


def main():
    g = np.random.default_rng(5)
    layers = {'eight-heads': json.loads((HERE.parents[1] / 'assets/examples/eight-heads.json').read_text())['layer']}
    for i, (n, d, h, kv, d_k, d_v, out, bias, causal) in enumerate(
            [(5, 6, 2, 2, 3, 3, 6, False, False), (9, 8, 4, 4, 2, 5, 3, True, True), (7, 5, 6, 3, 4, 2, 7, True, False),
             (6, 6, 4, 4, 2, 2, 0, False, True), (8, 4, 12, 12, 3, 1, 5, False, True), (4, 7, 3, 1, 2, 2, 4, True, False)]):
        layers[f'random {i}'] = random_layer(g, n, d, h, kv, d_k, d_v, out, bias, causal)
    arrays, entries = {}, []
    for name, layer in layers.items():
        compute(name, layer, arrays)
        session = {'format': 'attention-lab session', 'version': 2, 'layer': layer}
        entries.append({'name': name, 'session': session})
    (HERE / 'golden_heads.json').write_text(json.dumps(entries) + '\n')
    write_npz(HERE / 'golden_heads.npz', arrays)


if __name__ == '__main__':
    main()
