#!/usr/bin/env python3
"""Makes golden numbers of a step of training: golden_training.npz and golden_training.json beside this script.

    python3 tests/oracles/make_golden_training.py        (PyTorch 1.13 or newer, on a processor)

Models of every task (training_model.py) in double; the loss is cross_entropy's mean, the gradients are autograd's, the
steps those of torch.optim's Adam, AdamW and SGD, each from the same numbers; of Adam and AdamW a second step on the same
batch as well. Parameters and batches are numbers that float32 holds. Two runs give the same bytes.

golden_training.json, an entry for each case: name, and what its model is; decay: of all three optimisers. Arrays:
  NAME/input, NAME/target   rows x length and rows x answers; -100 in targets where nothing is asked
  NAME/loss                 one number
  NAME/before.P, NAME/gradient.P, NAME/adam.P, NAME/adam2.P, NAME/adamw.P, NAME/adamw2.P, NAME/sgd.P
                            of each parameter P
"""
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from make_npz import write_npz
from training_model import NOTHING, Model

HERE = Path(__file__).parent
RATE, BETAS, SGD_RATE = 0.01, (0.9, 0.99), 0.5


def batch_of(c, g):
    """Any symbols will do: a step is the same of answers that are right and wrong."""
    rows, n = c['rows'], c['answers']
    ids, target = (g.integers(0, c['symbols'], (rows, count)) for count in (c['length'], n))
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
        loss = F.cross_entropy(model(ids, target).flatten(0, 1), target.flatten(), ignore_index=NOTHING)
        loss.backward()
        first = (loss.item(), {name: p.grad.numpy().copy() for name, p in model.named_parameters()})
        optimizer.step()
        found.append((first, numbers_of(model)))
    return found


def add_case(name, arrays, index, sides, scored, length, symbols, width=8, heads=2, layers=1, inner=0, position='learned',
             tied=False, rows=3, decay=0.1, scale=True, residual=True, answers=None, decoder='slots'):
    c = dict(name=name, sides=sides, scored=scored, length=length, answers=answers or length, decoder=decoder,
             symbols=symbols, width=width, heads=heads, layers=layers, inner=inner, position=position, tied=tied,
             rows=rows, decay=decay, scale=scale, residual=residual, rate=RATE, betas=list(BETAS), sgd_rate=SGD_RATE)
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
    add_case('dates', arrays, index, 'both', 'all', 11, 31, inner=6, rows=2, width=4, answers=10)
    add_case('modular', arrays, index, 'causal', 'last', 3, 8, inner=16, rows=5, decay=1)
    add_case('own', arrays, index, 'both', 'all', 4, 6, inner=5, tied=True)
    add_case('no positions', arrays, index, 'encoder', 'all', 4, 5, position='none')
    add_case('sines', arrays, index, 'encoder', 'all', 4, 5, position='sinusoidal')
    add_case('ALiBi', arrays, index, 'causal', 'all', 5, 6, position='alibi', heads=2)
    add_case('scale off', arrays, index, 'both', 'all', 4, 5, scale=False)
    add_case('residual off', arrays, index, 'encoder', 'all', 4, 5, inner=6, residual=False)
    add_case('RoPE', arrays, index, 'both', 'all', 4, 5, position='rope', decoder='written')
    add_case('relative', arrays, index, 'causal', 'all', 4, 5, position='relative')
    add_case('T5', arrays, index, 'encoder', 'all', 12, 5, position='t5', rows=2)
    add_case('written', arrays, index, 'both', 'all', 11, 31, inner=6, rows=2, width=4, answers=10, decoder='written',
             tied=True)
    add_case('written with T5', arrays, index, 'both', 'all', 5, 6, width=4, decoder='written', position='t5')
    write_npz(HERE / 'golden_training.npz', arrays)
    (HERE / 'golden_training.json').write_text(json.dumps(index, indent=1) + '\n')


if __name__ == '__main__':
    main()
