#!/usr/bin/env python3
"""Makes the golden numbers of the way back through flash attention: golden_flash_gradient.npz and
golden_flash_gradient.json beside this script.

    python3 tests/oracles/make_golden_flash_gradient.py        (PyTorch, on the processor)

PyTorch's autograd differentiates attention that is written out with n x m scores and weights, in double, from numbers
that float32 holds. Nothing here looks at the program's own code. Two runs give the same bytes.

golden_flash_gradient.json, an entry for each case: name, and what is not as usual of scale, cap, with_one, first (the
place of query 0), alibi, clip or buckets (count, greatest distance), masks (a kind and its numbers each), bias, masked.
"NAME/q" (h x n x d), "NAME/k" (g x m x d), "NAME/v" (g x m x c), "NAME/by_offset", "NAME/bias", "NAME/mask", "NAME/gradient"
(h x n x c), inputs; "NAME/output" (h x n x c), "NAME/to_q", "NAME/to_k", "NAME/to_v", expected.
"""
import json
from pathlib import Path

import numpy as np
import torch

from golden_positions import Position, published_slopes, torch_buckets
from make_npz import write_npz

HERE = Path(__file__).parent


def rule_hides(kind, numbers, n, m, first):
    row, j = torch.arange(n)[:, None], torch.arange(m)[None, :]
    i = row + first
    if kind == 'lower-right':
        return j > row + m - n + numbers[0]
    if kind == 'top-left':
        return j > row + numbers[0]
    if kind == 'padding':
        return (j >= torch.tensor(numbers)[:, None]).expand(n, m)
    if kind == 'window':
        return (i - j).abs() > numbers[0]
    if kind == 'prefix':
        return (j > i) & (j >= numbers[0])
    assert kind == 'blocks'
    ends = torch.tensor(numbers).cumsum(0)
    return torch.searchsorted(ends, i, right=True) != torch.searchsorted(ends, j, right=True)


def shared(x, h):
    """Each matrix for consecutive heads."""
    return x.repeat_interleave(h // x.shape[0], 0)


def attention(o, t):
    q = t['q']
    h, n = q.shape[:2]
    k, v = shared(t['k'], h), shared(t['v'], h)
    m, first = k.shape[1], o.get('first', 0)
    s = o['scale'] * q @ k.transpose(1, 2)
    if 'cap' in o:
        s = o['cap'] * torch.tanh(s / o['cap'])
    offset = torch.arange(m)[None, :] - (torch.arange(n) + first)[:, None]
    if 'alibi' in o:
        s = s - torch.tensor(published_slopes(h), dtype=torch.float64)[:, None, None] * offset.abs()
    if 'clip' in o:
        s = s + shared(t['by_offset'], h)[:, 0, offset.clamp(-o['clip'], o['clip']) + o['clip']]
    if 'buckets' in o:
        places = torch_buckets(Position('t5:%d:%d' % tuple(o['buckets']), 0), first + n, m)[first:]
        s = s + shared(t['by_offset'], h)[:, 0, places]
    if 'bias' in t:
        s = s + shared(t['bias'], h)
    hidden = torch.zeros(h, n, m, dtype=torch.bool)
    for kind, *numbers in o.get('masks', []):
        hidden |= rule_hides(kind, numbers, n, m, first)
    if 'mask' in t:
        hidden |= shared(t['mask'], h) != 0
    # A row without a key: its weights are 0, and nothing goes through it.
    none = hidden.all(-1, keepdim=True)
    s = torch.where(hidden & ~none, -torch.inf, torch.where(none, 0.0, s))
    if 'with_one' in o:
        weights = torch.softmax(torch.cat((s, torch.zeros(h, n, 1, dtype=s.dtype)), -1), -1)[..., :-1]
    else:
        weights = torch.softmax(s, -1)
    return torch.where(hidden, 0.0, weights) @ v


def compute(name, o, inputs, arrays):
    inputs = {key: np.asarray(a, np.float32) for key, a in inputs.items()}
    t = {key: torch.tensor(a, dtype=torch.float64) for key, a in inputs.items()}
    for key in 'qkv':
        t[key].requires_grad_()
    output = attention(o, t)
    output.backward(t['gradient'])
    found = {'output': output, **{'to_' + key: t[key].grad for key in 'qkv'}}
    for key, a in inputs.items():
        arrays[f'{name}/{key}'] = a
    for key, a in found.items():
        arrays[f'{name}/{key}'] = a.detach().numpy()
    return {'name': name, **o, **{key: True for key in ('bias', 'mask') if key in inputs}}


def layer(seed, h=2, g=None, n=5, m=7, d=4, c=3, **more):
    r = np.random.default_rng(seed)
    made = {'q': r.normal(size=(h, n, d)), 'k': r.normal(size=(g or h, m, d)), 'v': r.normal(size=(g or h, m, c)),
            'gradient': r.normal(size=(h, n, c))}
    for key, shape in more.items():
        made[key] = r.integers(0, 2, shape) if key == 'mask' else r.normal(size=shape)
    return made


def cases():
    usual = {'scale': 0.5}
    yield 'plain', usual, layer(1)
    yield 'one head of one number', {'scale': 2.0}, layer(2, h=1, n=1, m=1, d=1, c=1)
    yield 'shared heads', usual, layer(3, h=6, g=2)
    yield 'all heads share', {'scale': 0.3}, layer(4, h=4, g=1, n=9, m=4, d=8, c=5)
    yield 'wide', {'scale': 0.125}, layer(5, n=6, m=70, d=64, c=80)
    yield 'capped', {'scale': 2.0, 'cap': 1.5}, layer(6)
    yield 'softmax-1', {'scale': 0.5, 'with_one': True}, layer(7)
    yield 'softmax-1 of no key', {'scale': 0.5, 'with_one': True, 'masks': [['padding', 0, 3, 0, 7, 1]]}, layer(8)
    for i, (n, m) in enumerate([(5, 7), (7, 5), (70, 70)]):
        yield f'causal, lower right, {n} x {m}', {**usual, 'masks': [['lower-right', 0]]}, layer(10 + i, n=n, m=m)
        yield f'causal, top left, {n} x {m}', {**usual, 'masks': [['top-left', 2]]}, layer(20 + i, n=n, m=m)
    yield 'padding', {**usual, 'masks': [['padding', 4, 0, 7, 1, 6]]}, layer(30)
    yield 'window after a cache', {**usual, 'first': 2, 'masks': [['window', 1]]}, layer(31)
    yield 'prefix', {**usual, 'masks': [['prefix', 3]]}, layer(32)
    yield 'blocks and a causal mask', {**usual, 'masks': [['blocks', 2, 3, 2], ['top-left', 0]]}, layer(33, n=7)
    painted = layer(34, h=4, g=2, mask=(1, 5, 7))
    painted['mask'][0, 2] = 1
    yield 'a painted mask with a row of no key', usual, painted
    yield 'a painted mask for each head', {**usual, 'masks': [['top-left', 3]]}, layer(35, mask=(2, 5, 7))
    yield 'a bias', usual, layer(36, h=4, g=2, bias=(2, 5, 7))
    below = layer(37, bias=(1, 5, 7))
    below['bias'][0, 1, 2:] = -np.inf
    yield 'a bias of minus infinity', usual, below
    yield 'alibi', {**usual, 'alibi': True, 'first': 2}, layer(38, h=8, g=4)
    yield 'alibi of six heads', {**usual, 'alibi': True, 'masks': [['lower-right', 0]]}, layer(39, h=6)
    yield 'clipped offsets', {**usual, 'clip': 2}, layer(40, by_offset=(2, 1, 5))
    yield 'buckets', {**usual, 'buckets': [8, 6]}, layer(41, h=4, g=2, n=9, m=12, by_offset=(4, 1, 8))
    yield 'all of it', {'scale': 1.5, 'cap': 3.0, 'with_one': True, 'first': 1, 'alibi': True, 'clip': 1,
                        'masks': [['lower-right', 1], ['padding', 5, 6, 7, 2, 7]]}, layer(
        42, h=4, g=2, by_offset=(1, 1, 3), bias=(4, 5, 7), mask=(1, 5, 7))


def main():
    arrays = {}
    entries = [compute(name, o, inputs, arrays) for name, o, inputs in cases()]
    assert len({e['name'] for e in entries}) == len(entries), 'two cases share a name'
    write_npz(HERE / 'golden_flash_gradient.npz', arrays)
    (HERE / 'golden_flash_gradient.json').write_text(
        '[\n' + ',\n'.join(json.dumps(e) for e in entries) + '\n]\n')
    print(f'{len(entries)} cases')


if __name__ == '__main__':
    main()
