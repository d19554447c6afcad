#!/usr/bin/env python3
"""check_input.py PROGRAM FOLDER: arrays as numpy writes them are read, whatever their dtype, order and compression;
and several heads with a float bias and a boolean mask are computed as numpy computes them.
"""
import os
import subprocess
import sys

import numpy as np

program, folder = sys.argv[1:]
source, target = os.path.join(folder, 'in.npz'), os.path.join(folder, 'out.npz')


def trace(arrays, *options, save=np.savez):
    save(source, **arrays)
    subprocess.run([program, 'trace', source, '-o', target, '--device', 'reference', *options], check=True)
    with np.load(target, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def attention(q, k, v, bias, mask):
    s = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]) + bias
    s = np.where(mask, -np.inf, s)
    a = np.exp(s - s.max(-1, keepdims=True))
    return a / a.sum(-1, keepdims=True) @ v


def heads_of(matrix, heads):
    return matrix.reshape(len(matrix), heads, -1).transpose(1, 0, 2)


random = np.random.default_rng(1)
whole = {'q': random.integers(-3, 4, (3, 4)), 'k': random.integers(-3, 4, (5, 4)), 'v': random.integers(-3, 4, (5, 2))}
expected = trace(whole)
for dtype in ('i1', 'i2', 'i4', 'i8', 'f2', 'f4', 'f8', '>i4', '>f8'):
    for order in 'CF':
        for save in (np.savez, np.savez_compressed):
            stages = trace({n: np.array(a, dtype, order=order) for n, a in whole.items()}, save=save)
            assert all(np.array_equal(stages[n], expected[n]) for n in expected), (dtype, order)

n, m, d, h, g = 4, 6, 8, 4, 2
arrays = {'x': random.normal(size=(n, d)), 'memory': random.normal(size=(m, d)), 'w_q': random.normal(size=(d, h * 3)),
          'w_k': random.normal(size=(d, g * 3)), 'w_v': random.normal(size=(d, g * 5)),
          'w_o': random.normal(size=(h * 5, d)), 'b_q': random.normal(size=h * 3), 'b_k': random.normal(size=g * 3),
          'b_v': random.normal(size=g * 5), 'b_o': random.normal(size=d), 'bias': random.normal(size=(h, n, m)),
          'mask': random.random((n, m)) < 0.3}
arrays['mask'][:, 0] = False
stages = trace(arrays, '--heads', str(h), '--kv-heads', str(g))
q = heads_of(arrays['x'] @ arrays['w_q'] + arrays['b_q'], h)
k = heads_of(arrays['memory'] @ arrays['w_k'] + arrays['b_k'], g).repeat(h // g, 0)
v = heads_of(arrays['memory'] @ arrays['w_v'] + arrays['b_v'], g).repeat(h // g, 0)
out = attention(q, k, v, arrays['bias'], arrays['mask'])
output = out.transpose(1, 0, 2).reshape(n, -1) @ arrays['w_o'] + arrays['b_o']
np.testing.assert_allclose(stages['output'], output, rtol=2e-5, atol=2e-5)
assert stages['weights'].shape == (h, n, m) and stages['k'].shape == (g, m, 3)

# The same heads side by side in one matrix each, with values of another width than keys: told apart by options.
q, k, v = random.normal(size=(h, n, 3)), random.normal(size=(g, m, 3)), random.normal(size=(g, m, 5))
pairs = {'bias': random.normal(size=(h, n, m)), 'mask': random.random((h, n, m)) < 0.3}
pairs['mask'][..., 0] = False
flat = {name: a.transpose(1, 0, 2).reshape(a.shape[1], -1) for name, a in (('q', q), ('k', k), ('v', v))}
stages = trace({'q': q, 'k': k, 'v': v, **pairs})
expected = attention(q, k.repeat(h // g, 0), v.repeat(h // g, 0), pairs['bias'], pairs['mask'])
np.testing.assert_allclose(stages['head_output'], expected, rtol=2e-5, atol=2e-5)
for options in (['--heads', str(h)], ['--kv-heads', str(g)], ['--heads', str(h), '--kv-heads', str(g)]):
    split = trace({**flat, **pairs}, *options)
    assert all(np.array_equal(split[name], stages[name]) for name in stages), options
