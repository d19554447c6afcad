#!/usr/bin/env python3
"""Makes the golden numbers of scoring functions, weightings, the soft cap, the norm of queries and keys, and local
attention: golden_scoring.npz and golden_scoring.json beside this script.

    python3 tests/oracles/make_golden_scoring.py        (Debian: python3-numpy)

Everything is computed from the definitions, in double, from numbers that float32 holds, one query and one key at a
time. Nothing here looks at the program's own code. Two runs give the same bytes.

golden_scoring.json, an entry for each case: name, inputs (arrays of the layer), options (words of the command line;
those that take nothing stand alone), stages (arrays that are expected, by the names of the stages).
"NAME/ARRAY" are members of golden_scoring.npz; those of stages are heads x rows x columns.
"""
import json
from pathlib import Path

import numpy as np

from make_golden_softmax import softmax, sparsemax
from make_npz import write_npz

HERE = Path(__file__).parent
SCORES = ('dot', 'general', 'concat', 'additive', 'gaussian', 'cosine')
WEIGHTINGS = ('softmax', 'softmax-1', 'sparsemax', 'sigmoid', 'relu')


def score(kind, q, k, p, sigma):
    if kind == 'dot':
        return q @ k
    if kind == 'general':
        return q @ p['score_w'] @ k
    if kind == 'concat':
        return p['score_v'] @ np.tanh(p['score_w'] @ np.concatenate([q, k]))
    if kind == 'additive':
        return p['score_v'] @ np.tanh(p['score_w_q'] @ q + p['score_w_k'] @ k)
    if kind == 'gaussian':
        return -np.sum((q - k) ** 2) / (2 * sigma ** 2)
    size = np.linalg.norm(q) * np.linalg.norm(k)
    return q @ k / size if size > 0 else 0.0


def weigh(kind, z):
    """z: the scores of the keys that are left."""
    if len(z) == 0:
        return z
    if kind == 'softmax':
        return softmax(z)
    if kind == 'softmax-1':
        return np.exp(z) / (1 + np.exp(z).sum())
    if kind == 'sparsemax':
        return sparsemax(z)
    if kind == 'sigmoid':
        return 1 / (1 + np.exp(-(z - np.log(len(z)))))
    return np.maximum(0, z) / len(z)


def norm(x, gain):
    return gain * x / np.sqrt(np.mean(x ** 2, -1, keepdims=True) + 1e-6)


def rope(x):
    """Neighbouring pairs turned by p * 10000^(-2i/d)."""
    y = x.copy()
    d = x.shape[-1]
    for p in range(x.shape[-2]):
        for i in range(d // 2):
            a = p * 10000.0 ** (-2 * i / d)
            u, v = x[..., p, 2 * i], x[..., p, 2 * i + 1]
            y[..., p, 2 * i], y[..., p, 2 * i + 1] = u * np.cos(a) - v * np.sin(a), u * np.sin(a) + v * np.cos(a)
    return y


def local(o, q, t):
    """The centre of each query, and for each key whether it is near enough and what is left of its weight."""
    h, n, m = len(q), q.shape[1], t['k'].shape[1]
    reach, stages = o['local-reach'], {}
    centre = np.tile(np.arange(float(n)), (h, 1))
    if o['local'] == 'predictive':
        for r in range(h):
            for i in range(n):
                u = t['local_v'] @ np.tanh(t['local_w'] @ q[r, i])
                centre[r, i] = m / (1 + np.exp(-u))
        stages['centre'] = centre[:, :, None]
    apart = np.arange(float(m))[None, None, :] - centre[:, :, None]
    factor = np.exp(-apart ** 2 / (2 * (reach / 2) ** 2))
    return stages, np.abs(apart) <= reach, factor if o['local'] == 'predictive' else None


def compute(case, arrays):
    o = {'score': 'dot', 'weighting': 'softmax', 'sigma': 1.0, 'scale': 'sqrt', 'soft-cap': 0.0, 'qk-gain': 1.0,
         'qk-norm': False, 'causal': False, 'rope': False, 'temperature': 1.0, 'local': 'none',
         'local-reach': 2, **case['choices']}
    inputs = {name: np.asarray(a, np.float32) for name, a in case['inputs'].items()}
    t = {name: a.astype(np.float64) for name, a in inputs.items()}
    q, k, v = t['q'], t['k'], t['v']
    stages = {}
    if o['qk-norm']:
        q, k = norm(q, o['qk-gain']), norm(k, o['qk-gain'])
        last = 'gained' if o['qk-gain'] != 1 else 'normed'
        stages['q_' + last], stages['k_' + last] = q, k
    if o['rope']:
        q, k = stages['q_rotated'], stages['k_rotated'] = rope(q), rope(k)
    h, n, m = len(q), q.shape[1], k.shape[1]
    of = [r // (h // len(k)) for r in range(h)]
    s = np.array([[[score(o['score'], q[r, i], k[of[r], j], t, o['sigma']) for j in range(m)] for i in range(n)]
                  for r in range(h)])
    stages['scores'] = s
    factor = {'sqrt': 1 / np.sqrt(k.shape[2]), 'none': 1.0}.get(o['scale']) or float(o['scale'])
    s = stages['scaled'] = s * factor / o['temperature']
    if o['soft-cap']:
        s = stages['capped'] = o['soft-cap'] * np.tanh(s / o['soft-cap'])
    keep = np.ones((h, n, m), bool)
    if o['causal']:
        keep &= np.arange(m)[None, :] <= np.arange(n)[:, None] + m - n
    if 'mask' in t:
        keep &= t['mask'] == 0
    factor = None
    if o['local'] != 'none':
        centres, near, factor = local(o, q, t)
        stages |= centres
        keep &= near
    weights = np.zeros((h, n, m))
    for r in range(h):
        for i in range(n):
            weights[r, i, keep[r, i]] = weigh(o['weighting'], s[r, i, keep[r, i]])
    stages['weights'] = weights
    if factor is not None:
        weights = stages['local_weights'] = weights * factor
    stages['head_output'] = np.stack([weights[r] @ v[of[r]] for r in range(h)])
    for name, a in inputs.items():
        arrays[f'{case["name"]}/{name}'] = a
    for name, a in stages.items():
        arrays[f'{case["name"]}/{name}'] = a.astype(np.float64)
    return {'name': case['name'], 'inputs': list(inputs), 'options': words(o, case['choices']),
            'stages': list(stages)}


def words(o, choices):
    all_words = []
    for name in choices:
        if name == 'causal':
            all_words += ['--mask', 'causal']
        elif name == 'rope':
            all_words += ['--position', 'rope']
        elif name == 'qk-norm':
            all_words += ['--qk-norm']
        else:
            all_words += ['--' + name, str(o[name])]
    return all_words


def layer(seed, h=2, g=None, n=4, m=5, d_q=3, d_k=3, d_a=4, size=1.0):
    r = np.random.default_rng(seed)
    return {'q': size * r.normal(size=(h, n, d_q)), 'k': size * r.normal(size=(g or h, m, d_k)),
            'v': r.normal(size=(g or h, m, 2)), 'parameters': {
                'general': {'score_w': r.normal(size=(d_q, d_k))},
                'concat': {'score_w': r.normal(size=(d_a, d_q + d_k)), 'score_v': r.normal(size=d_a)},
                'additive': {'score_w_q': r.normal(size=(d_a, d_q)), 'score_w_k': r.normal(size=(d_a, d_k)),
                             'score_v': r.normal(size=d_a)}},
            'local': {'local_w': r.normal(size=(d_a, d_q)), 'local_v': r.normal(size=d_a)}}


def case(name, made, choices):
    inputs = {c: made[c] for c in 'qkv'} | made['parameters'].get(choices.get('score', 'dot'), {})
    if choices.get('local') == 'predictive':
        inputs |= made['local']
    return {'name': name, 'inputs': inputs | {c: made[c] for c in ('mask',) if c in made}, 'choices': choices}


def cases():
    made = []
    for i, kind in enumerate(SCORES):
        for j, weighting in enumerate(WEIGHTINGS):
            for masked in (False, True):
                choices = {'score': kind, 'weighting': weighting}
                if masked:
                    choices['causal'] = True
                name = f'{kind} {weighting}' + (' causal' if masked else '')
                made.append(case(name, layer(100 * i + 10 * j + masked), choices))
        made.append(case(f'{kind} without a scale and a painted mask', {
            **layer(700 + i, h=4, g=2, n=3, m=6),
            'mask': np.random.default_rng(800 + i).integers(0, 2, (4, 3, 6))}, {'score': kind, 'scale': 'none'}))
        made.append(case(f'{kind} of large numbers capped', layer(900 + i, size=6.0),
                         {'score': kind, 'scale': '2.5', 'soft-cap': 3.0, 'temperature': 0.5}))
        made.append(case(f'{kind} of normed rows', layer(1000 + i, d_q=4, d_k=4), {'score': kind, 'qk-norm': True}))
        made.append(case(f'{kind} of normed and turned rows', layer(1100 + i, n=5, m=5, d_q=4, d_k=4),
                         {'score': kind, 'qk-norm': True, 'qk-gain': 1.75, 'rope': True, 'soft-cap': 50.0}))
    for kind in ('general', 'concat', 'additive'):
        made.append(case(f'{kind} of other widths', layer(1200, h=2, g=1, d_q=2, d_k=5, d_a=3), {'score': kind}))
        made.append(case(f'{kind} of one hidden feature', layer(1300, h=1, n=1, m=1, d_a=1), {'score': kind}))
    for sigma in (0.25, 3.0):
        made.append(case(f'gaussian of sigma {sigma}', layer(1400), {'score': 'gaussian', 'sigma': sigma}))
    zero = layer(1500)
    zero['q'][0, 1], zero['k'][1, 2] = 0, 0
    made.append(case('cosine of vectors without length', zero, {'score': 'cosine'}))
    made.append(case('normed rows without length', zero, {'qk-norm': True}))
    for weighting in WEIGHTINGS:
        made.append(case(f'{weighting} of a row without a key', {
            **layer(1600), 'mask': np.array([[1, 1, 1, 1, 1], [0, 1, 0, 1, 0], [0, 0, 0, 0, 1], [1, 0, 1, 1, 1]])},
            {'weighting': weighting, 'temperature': 2.0}))
    for kind in ('monotonic', 'predictive'):
        for i, weighting in enumerate(WEIGHTINGS):
            for reach in (1, 3):
                made.append(case(f'{kind} {weighting} within {reach}', layer(1700 + 10 * i + reach, n=6, m=9), {
                    'weighting': weighting, 'local': kind, 'local-reach': reach}))
        made.append(case(f'{kind} of shared heads and a painted mask', {
            **layer(1800, h=4, g=2, n=7, m=5, d_a=2),
            'mask': np.random.default_rng(1801).integers(0, 2, (4, 7, 5))},
            {'score': 'additive', 'scale': 'none', 'local': kind}))
        made.append(case(f'{kind} causal of normed and turned rows', layer(1900, n=6, m=6, d_q=4, d_k=4), {
            'qk-norm': True, 'rope': True, 'causal': True, 'local': kind, 'local-reach': 2}))
        made.append(case(f'{kind} of queries beyond the keys', layer(2000, n=8, m=3), {
            'local': kind, 'local-reach': 1, 'weighting': 'sigmoid'}))
    return made


def main():
    arrays = {}
    entries = [compute(c, arrays) for c in cases()]
    assert len({e['name'] for e in entries}) == len(entries), 'two cases share a name'
    write_npz(HERE / 'golden_scoring.npz', arrays)
    (HERE / 'golden_scoring.json').write_text('[\n' + ',\n'.join(json.dumps(e) for e in entries) + '\n]\n')
    print(f'{len(entries)} cases')


if __name__ == '__main__':
    main()
