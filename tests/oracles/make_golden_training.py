#!/usr/bin/env python3
"""Makes golden numbers of a step of training: golden_training.npz and golden_training.json beside this script.

    python3 tests/oracles/make_golden_training.py        (PyTorch 1.13 or newer, on a processor)

Models of every task in double, built of PyTorch's own modules (MultiheadAttention, LayerNorm, Linear, Embedding, GELU);
the loss is cross_entropy's mean, the gradients are autograd's, the steps those of torch.optim's Adam, AdamW and SGD, each
from the same numbers; of Adam and AdamW a second step on the same batch as well. Parameters and batches are numbers that
float32 holds. Two runs give the same bytes.

golden_training.json, an entry for each case: name, and what its model is; decay: of all three optimisers. Arrays:
  NAME/input, NAME/target   rows x length; -100 in targets where nothing is asked
  NAME/loss                 one number
  NAME/before.P, NAME/gradient.P, NAME/adam.P, NAME/adam2.P, NAME/adamw.P, NAME/adamw2.P, NAME/sgd.P
                            of each parameter P
"""
import json
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from make_npz import write_npz

HERE = Path(__file__).parent
RATE, BETAS, SGD_RATE = 0.01, (0.9, 0.99), 0.5
NOTHING = -100


def alibi(heads, n):
    """Biases of heads, whose slopes are powers of 2^(-8/heads), which is a power of two."""
    apart = (torch.arange(n)[:, None] - torch.arange(n)[None, :]).abs().double()
    return torch.stack([-(2.0 ** (-8 * (h + 1) / heads)) * apart for h in range(heads)])


def sines(n, d):
    angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)[None, :]
    table = np.zeros((n, d))
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return torch.tensor(table)


class Block(nn.Module):
    def __init__(self, d, heads, inner, cross):
        super().__init__()
        self.norm1 = nn.LayerNorm(d)
        self.self_attn = nn.MultiheadAttention(d, heads, bias=False, batch_first=True)
        if cross:
            self.norm2 = nn.LayerNorm(d)
            self.multihead_attn = nn.MultiheadAttention(d, heads, bias=False, batch_first=True)
        if inner:
            setattr(self, 'norm3' if cross else 'norm2', nn.LayerNorm(d))
            self.linear1, self.linear2 = nn.Linear(d, inner), nn.Linear(inner, d)
        self.cross, self.inner = cross, inner

    def forward(self, x, mask, memory):
        y = self.norm1(x)
        x = x + self.self_attn(y, y, y, attn_mask=mask, need_weights=False)[0]
        if self.cross:
            x = x + self.multihead_attn(self.norm2(x), memory, memory, need_weights=False)[0]
        if self.inner:
            norm = self.norm3 if self.cross else self.norm2
            x = x + self.linear2(F.gelu(self.linear1(norm(x))))
        return x


class Side(nn.Module):
    def __init__(self, c, cross):
        super().__init__()
        self.layers = nn.ModuleList(Block(c['width'], c['heads'], c['inner'], cross) for _ in range(c['layers']))
        self.norm = nn.LayerNorm(c['width'])

    def forward(self, x, mask=None, memory=None):
        for layer in self.layers:
            x = layer(x, mask, memory)
        return self.norm(x)


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c['width']
        self.c = c
        self.embedding = nn.Embedding(c['symbols'], d)
        if c['position'] == 'learned':
            self.position = nn.Embedding(c['length'], d)
        if c['sides'] == 'both':
            self.query = nn.Embedding(1, d)
            self.decoder = Side(c, True)
        self.encoder = Side(c, False)
        if not c['tied']:
            self.head = nn.Linear(d, c['symbols'], bias=False)

    def positioned(self, x):
        n = self.c['length']
        if self.c['position'] == 'learned':
            return x + self.position.weight[:n]
        return x + sines(n, self.c['width']) if self.c['position'] == 'sinusoidal' else x

    def mask(self, rows):
        c, n = self.c, self.c['length']
        mask = torch.zeros(n, n).double()
        if c['sides'] == 'causal':
            mask = mask.masked_fill(torch.triu(torch.ones(n, n), 1).bool(), -math.inf)
        if c['position'] == 'alibi':
            return (mask + alibi(c['heads'], n)).repeat(rows, 1, 1)
        return mask

    def forward(self, ids):
        mask = self.mask(len(ids))
        x = self.encoder(self.positioned(self.embedding(ids)), mask)
        if self.c['sides'] == 'both':
            blank = self.positioned(self.query(torch.zeros_like(ids)))
            x = self.decoder(blank, mask, x)
        return F.linear(x, self.embedding.weight) if self.c['tied'] else self.head(x)


def batch_of(c, g):
    """Any symbols will do: a step is the same of answers that are right and wrong."""
    rows, n = c['rows'], c['length']
    ids, target = g.integers(0, c['symbols'], (rows, n)), g.integers(0, c['symbols'], (rows, n))
    scored = {'all': np.ones((rows, n), bool), 'late': np.arange(n)[None, :] >= 2 + np.arange(rows)[:, None] % 2,
              'last': (np.arange(n) == n - 1)[None, :].repeat(rows, 0)}[c['scored']]
    return ids, np.where(scored, target, NOTHING)


def numbers_of(model):
    return {name: p.detach().numpy().copy() for name, p in model.named_parameters()}


def steps(model, before, ids, target, make, count):
    found = []
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(torch.tensor(before[name]))
    optimizer = make(model.parameters())
    for _ in range(count):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(ids).flatten(0, 1), target.flatten(), ignore_index=NOTHING)
        loss.backward()
        first = (loss.item(), {name: p.grad.numpy().copy() for name, p in model.named_parameters()})
        optimizer.step()
        found.append((first, numbers_of(model)))
    return found


def add_case(name, arrays, index, sides, scored, length, symbols, width=8, heads=2, layers=1, inner=0, position='learned',
             tied=False, rows=3, decay=0.1):
    c = dict(name=name, sides=sides, scored=scored, length=length, symbols=symbols, width=width, heads=heads,
             layers=layers, inner=inner, position=position, tied=tied, rows=rows, decay=decay, rate=RATE,
             betas=list(BETAS), sgd_rate=SGD_RATE)
    g = np.random.default_rng(len(index) + 1)
    model = Model(c).double()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.tensor((g.normal(size=tuple(p.shape)) * 0.4).astype(np.float32).astype(np.float64)))
        for parameter, p in model.named_parameters():
            if 'norm' in parameter and parameter.endswith('weight'):
                p.add_(1).copy_(p.float().double())
    before = numbers_of(model)
    ids, target = batch_of(c, g)
    put = lambda key, value: arrays.__setitem__(f'{name}/{key}', np.asarray(value, np.float32))
    put('input', ids), put('target', target)
    ids, target = torch.tensor(ids), torch.tensor(target)
    optimizers = {'adam': (lambda p: torch.optim.Adam(p, RATE, BETAS, weight_decay=decay), 2),
                  'adamw': (lambda p: torch.optim.AdamW(p, RATE, BETAS, weight_decay=decay), 2),
                  'sgd': (lambda p: torch.optim.SGD(p, SGD_RATE, weight_decay=decay), 1)}
    for word, (make, count) in optimizers.items():
        for i, ((loss, gradients), after) in enumerate(steps(model, before, ids, target, make, count)):
            for p, value in after.items():
                put(f'{word}{i + 1 if i else ""}.{p}', value)
            if word == 'sgd':
                put('loss', loss)
                for p, value in gradients.items():
                    put(f'gradient.{p}', value), put(f'before.{p}', before[p])
    index.append(c)


def main():
    torch.manual_seed(0)
    arrays, index = {}, []
    add_case('copy', arrays, index, 'both', 'all', 5, 6)
    add_case('reverse', arrays, index, 'encoder', 'all', 4, 5, decay=0)
    add_case('sort', arrays, index, 'encoder', 'all', 5, 6, inner=10, layers=2)
    add_case('recall', arrays, index, 'causal', 'late', 6, 7, layers=2)
    add_case('induction', arrays, index, 'causal', 'late', 9, 16, heads=4, layers=2, width=16)
    add_case('dates', arrays, index, 'both', 'all', 10, 14, inner=6, rows=2)
    add_case('modular', arrays, index, 'causal', 'last', 3, 8, inner=16, rows=5, decay=1)
    add_case('own', arrays, index, 'both', 'all', 4, 6, inner=5, tied=True)
    add_case('no positions', arrays, index, 'encoder', 'all', 4, 5, position='none')
    add_case('sines', arrays, index, 'encoder', 'all', 4, 5, position='sinusoidal')
    add_case('ALiBi', arrays, index, 'causal', 'all', 5, 6, position='alibi', heads=2)
    write_npz(HERE / 'golden_training.npz', arrays)
    (HERE / 'golden_training.json').write_text(json.dumps(index, indent=1) + '\n')


if __name__ == '__main__':
    main()
