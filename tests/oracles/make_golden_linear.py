#!/usr/bin/env python3
"""Makes the golden numbers of layers by linear attention: golden_linear.npz and golden_linear.json beside this script.

    python3 tests/oracles/make_golden_linear.py        (Debian: python3-numpy, PyTorch for golden_positions.py)

Everything is computed from the definitions, in double, from numbers that float32 holds: a recurrent network reads one
key after the other and adds it to its state. Nothing here looks at the program's own code. Two runs give the same bytes.

golden_linear.json, an entry for each case: name, options (words of the command line about the layer), features ("elu",
"relu", or "random" with count and seed), seen (how many keys each query sees). "NAME/ARRAY" are members of
golden_linear.npz: q, k, v, inputs, the stages phi_q, phi_k, features (of random ones), state, state_sum and head_output,
h x rows x columns each, and after, (m + 1) x g x r x (c + 1): state and sum behind each key.
"""
import json
from pathlib import Path

import numpy as np

from golden_positions import normals
from make_npz import write_npz

HERE = Path(__file__).parent


def mapped(o, x, directions):
    if o['features'][0] == 'elu':
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    if o['features'][0] == 'relu':
        return np.maximum(x, 0)
    scaled = x * np.sqrt(o.get('scale', 1 / np.sqrt(x.shape[-1])) / o.get('temperature', 1.0))
    half = (scaled ** 2).sum(-1, keepdims=True) / 2
    return np.exp(scaled @ directions - half) / np.sqrt(directions.shape[1])


def turned(x):
    """RoPE: neighbouring pairs as complex numbers."""
    z = x[..., 0::2] + 1j * x[..., 1::2]
    p, i = np.arange(x.shape[-2])[:, None], np.arange(z.shape[-1])[None, :]
    z = z * np.exp(1j * p * 10000.0 ** (-2 * i / x.shape[-1]))
    return np.stack([z.real, z.imag], -1).reshape(x.shape)


def compute(case, arrays):
    inputs = {c: np.asarray(case[c], np.float32) for c in 'qkv'}
    q, k, v = (inputs[c].astype(np.float64) for c in 'qkv')
    if '--position' in case['options']:
        q, k = turned(q), turned(k)
    h, n, m, group = len(q), q.shape[1], k.shape[1], len(q) // len(k)
    directions = None
    if case['features'][0] == 'random':
        directions = normals(case['features'][2], (q.shape[2], case['features'][1]), 1.0)
    phi_q, phi_k = mapped(case, q, directions), mapped(case, k, directions)
    r, c = phi_k.shape[2], v.shape[2]
    after = np.zeros((m + 1, len(k), r, c + 1))
    for j in range(m):
        for s in range(len(k)):
            after[j + 1, s] = after[j, s] + np.outer(phi_k[s, j], np.append(v[s, j], 1))
    output = np.zeros((h, n, c))
    for s in range(h):
        for i, seen in enumerate(case['seen']):
            state = phi_q[s, i] @ after[seen, s // group]
            if seen > 0:
                output[s, i] = state[:c] / state[c] if state[c] != 0 else np.nan
    last = after[case['seen'][-1]]
    stages = {'phi_q': phi_q, 'phi_k': phi_k, 'state': last[..., :c], 'state_sum': last[..., c:],
              'head_output': output, 'after': after}
    if directions is not None:
        stages['features'] = directions[None]
    for name, a in {**inputs, **stages}.items():
        arrays[f'{case["name"]}/{name}'] = a
    return {name: case[name] for name in ('name', 'options', 'features', 'seen')}


MASKS = {  # words, and how many of m keys query i of n sees
    'all': ([], lambda i, n, m: m),
    'causal': (['--mask', 'causal'], lambda i, n, m: max(0, min(m, i + 1 + m - n))),
    'causal from the top left': (['--mask', 'causal', '--causal-align', 'top-left'], lambda i, n, m: min(m, i + 1)),
    'padding': (['--mask', 'padding:3'], lambda i, n, m: min(m, 3)),
    'causal and padding': (['--mask', 'causal', '--mask', 'padding:3'],
                           lambda i, n, m: max(0, min(m, 3, i + 1 + m - n))),
    'nothing seen': (['--mask', 'padding:0'], lambda i, n, m: 0)}
FEATURES = (['elu'], ['relu'], ['random', 7, 11])


def cases():
    made = []

    def add(name, features, mask, h=2, g=2, n=5, m=5, d=4, c=3, options=(), size=1.0, **more):
        rng = np.random.default_rng(len(made) + 4000)
        words, seen = MASKS[mask]
        made.append({'name': name, 'features': features, 'options': words + list(options),
                     'seen': [seen(i, n, m) for i in range(n)], 'q': size * rng.normal(size=(h, n, d)),
                     'k': size * rng.normal(size=(g, m, d)), 'v': rng.normal(size=(g, m, c)), **more})

    for features in FEATURES:
        word = features[0]
        for mask in MASKS:
            add(f'{word}, {mask}', features, mask)
        add(f'{word} of shared heads', features, 'causal', h=6, g=2, n=4, m=7, d=5, c=2)
        add(f'{word} of more queries than keys', features, 'causal', h=2, g=1, n=8, m=3)
        add(f'{word} of one number', features, 'all', h=1, g=1, n=1, m=1, d=1, c=1)
        add(f'{word} of turned rows', features, 'causal', options=['--position', 'rope'])
        add(f'{word} with a scale', features, 'causal', options=['--scale', '0.75', '--temperature', '2'], scale=0.75,
            temperature=2.0)
        add(f'{word} of many tokens', features, 'causal', h=1, g=1, n=70, m=70, d=3, c=2)
    add('random of many directions', ['random', 40, 1 << 40], 'causal', d=6)
    add('random of large rows', ['random', 9, 0], 'all', size=3.0)
    add('relu without a feature', ['relu'], 'causal')
    made[-1]['q'][0, 2] = -1
    made[-1]['k'][1, :] = -2
    return made


def main():
    arrays = {}
    entries = [compute(c, arrays) for c in cases()]
    assert len({e['name'] for e in entries}) == len(entries), 'two cases share a name'
    write_npz(HERE / 'golden_linear.npz', arrays)
    (HERE / 'golden_linear.json').write_text('[\n' + ',\n'.join(json.dumps(e) for e in entries) + '\n]\n')
    print(f'{len(entries)} cases')


if __name__ == '__main__':
    main()
