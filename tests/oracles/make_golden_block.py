#!/usr/bin/env python3
"""Makes golden numbers of a Transformer block's operations: golden_block.npz and golden_block.json beside this script.

    python3 tests/oracles/make_golden_block.py        (PyTorch 2.4 or newer, on a processor)

Everything is PyTorch's, in double: layer_norm, rms_norm and cross_entropy with what autograd finds for them, and heads
that share keys and values (repeat_interleave), whose gradients are products of columns added up over a group. Inputs are
numbers that float32 holds. Two runs give the same bytes.

golden_block.json, an entry for each case: name, and, each array a stack of matrices,
  norm: "layer" or "rms", epsilon; "NAME/x", "/gain", "/bias", "/g" (what flows in); "/y", "/dx", "/dgain", "/dbias"
  loss: "mean" or "none"; "NAME/z", "/answers", "/g"; "/y", "/dz"
  group: query heads of a key/value head; "NAME/weights" (h x n x m), "/values" (h/group x m x d), "/g"; "/dvalues"
"""
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from make_npz import write_npz

HERE = Path(__file__).parent
NOTHING_ASKED = -1


def numbers(g, *shape, scale=1.0, shift=0.0):
    return (g.normal(size=shape) * scale + shift).astype(np.float32).astype(np.float64)


def leaf(array):
    return torch.tensor(array, dtype=torch.float64, requires_grad=True)


def put(arrays, name, shape, **values):
    """What there is, as stacks of matrices; `shape`: of those with a number for each column, row, or all."""
    for key, value in values.items():
        array = value.detach().numpy() if torch.is_tensor(value) else np.asarray(value, np.float64)
        arrays[f'{name}/{key}'] = array.reshape(shape) if array.ndim < 3 else array


def norm_case(name, kind, epsilon, x, g, arrays):
    x, gain, bias = leaf(x), leaf(numbers(g, x.shape[-1], shift=1)), leaf(numbers(g, x.shape[-1]))
    d = (x.shape[-1],)
    y = F.layer_norm(x, d, gain, bias, epsilon) if kind == 'layer' else F.rms_norm(x, d, gain, epsilon)
    flows = numbers(g, *x.shape)
    y.backward(torch.tensor(flows))
    put(arrays, name, (1, 1, -1), x=x, gain=gain, y=y, g=flows, dx=x.grad, dgain=gain.grad)
    if kind == 'layer':
        put(arrays, name, (1, 1, -1), bias=bias, dbias=bias.grad)
    return {'name': name, 'norm': kind, 'epsilon': epsilon}


def loss_case(name, reduction, z, answers, g, arrays):
    z = leaf(z)
    y = F.cross_entropy(z, torch.tensor(answers), reduction=reduction, ignore_index=NOTHING_ASKED)
    flows = numbers(g, *y.shape)
    y.backward(torch.tensor(flows))
    put(arrays, name, (1, -1, 1), answers=answers, g=flows, y=y)
    put(arrays, name, (1,) + tuple(z.shape), z=z, dz=z.grad)
    return {'name': name, 'loss': reduction}


def group_case(name, heads, group, n, m, d, g, arrays):
    weights, values = torch.softmax(torch.tensor(numbers(g, heads, n, m)), -1), leaf(numbers(g, heads // group, m, d))
    weights = weights.to(torch.float32).to(torch.float64)
    y = weights @ values.repeat_interleave(group, 0)
    flows = numbers(g, *y.shape)
    y.backward(torch.tensor(flows))
    put(arrays, name, (), weights=weights, g=flows, dvalues=values.grad)
    return {'name': name, 'group': group}


def main():
    g = np.random.default_rng(32)
    arrays, entries = {}, []
    for kind in ('layer', 'rms'):
        for i, (shape, scale, shift, epsilon) in enumerate([((1, 4, 8), 1, 0, 1e-5), ((2, 3, 33), 1, 0, 1e-5),
                                                            ((1, 5, 17), 1, 50, 1e-6), ((1, 3, 64), 1e-3, 0, 1e-5),
                                                            ((1, 2, 257), 100, -20, 1e-5), ((1, 3, 1), 1, 0, 0.1)]):
            x = numbers(g, *shape, scale=scale, shift=shift)
            entries.append(norm_case(f'{kind} norm {i}', kind, epsilon, x, g, arrays))
    for reduction in ('none', 'mean'):
        for i, (rows, columns, scale) in enumerate([(6, 5, 1), (9, 37, 3), (4, 130, 20), (3, 2, 100)]):
            answers = [NOTHING_ASKED if r % 4 == 2 else int(a) for r, a in enumerate(g.integers(0, columns, rows))]
            z = numbers(g, rows, columns, scale=scale)
            entries.append(loss_case(f'loss {reduction} {i}', reduction, z, answers, g, arrays))
    for i, (heads, group, n, m, d) in enumerate([(4, 2, 7, 9, 5), (6, 3, 5, 5, 8), (2, 1, 3, 17, 4)]):
        entries.append(group_case(f'group {i}', heads, group, n, m, d, g, arrays))
    write_npz(HERE / 'golden_block.npz', arrays)
    (HERE / 'golden_block.json').write_text('[\n' + ',\n'.join(json.dumps(e) for e in entries) + '\n]\n')
    print(f'{len(entries)} cases')


if __name__ == '__main__':
    main()
