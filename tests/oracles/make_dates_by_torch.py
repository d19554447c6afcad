#!/usr/bin/env python3
"""Trains a model of dates (dates_model.py) by PyTorch alone: dates_by_torch.npz beside this script. Tests hold numbers that
numpy made of it.

    python3 tests/oracles/make_dates_by_torch.py        (Debian: python3-torch, python3-numpy; one thread, two minutes)

About one date in eleven, the drawing's among them, is held out in all three orders. Two runs on one machine give the
same bytes; another processor may sum in another order, and train other digits.
"""
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from dates_model import D, INNER, LAYERS, SOURCE, SYMBOLS, TARGET, dates, finish, logits, measured

FILE = Path(__file__).parent / 'dates_by_torch.npz'
SEED, STEPS, BATCH, RATE, WARM = 7, 450, 128, 6e-3, 30


def initial(generator):
    """Normals of 1 ÷ sqrt(d), of the embedding and positions 0.3; what is added to the stream ÷ sqrt(2 layers). With
    the 0.02 that Training draws, 450 steps at this width leave a loss of 1."""
    def normal(rows, columns, scale):
        return scale * torch.randn(rows, columns, generator=generator)
    p = {'embedding.weight': normal(len(SYMBOLS), D, 0.3), 'position.weight': normal(SOURCE + TARGET, D, 0.3)}

    def norm(name):
        p.update({name + '.weight': torch.ones(D), name + '.bias': torch.zeros(D)})
    usual = D ** -0.5
    added = usual / math.sqrt(2 * LAYERS)
    for side, attentions in (('encoder', ['self_attn']), ('decoder', ['self_attn', 'multihead_attn'])):
        for layer in [f'{side}.layers.{i}' for i in range(LAYERS)]:
            for name in attentions:
                p[f'{layer}.{name}.in_proj_weight'] = normal(3 * D, D, usual)
                p[f'{layer}.{name}.out_proj.weight'] = normal(D, D, added)
            p |= {layer + '.linear1.weight': normal(INNER, D, usual), layer + '.linear1.bias': torch.zeros(INNER),
                  layer + '.linear2.weight': normal(D, INNER, added), layer + '.linear2.bias': torch.zeros(D)}
            for i in range(len(attentions) + 1):
                norm(f'{layer}.norm{i + 1}')
        norm(side + '.norm')
    return {name: w.requires_grad_() for name, w in p.items()}


def rate(step):
    """Warms up, stays, and falls in the last half, so that the last steps settle."""
    return RATE * min(1, (step + 1) / WARM, 2 * (STEPS - step) / STEPS)


def train(p, g, held):
    adam = torch.optim.Adam(p.values(), RATE)
    for step in range(STEPS):
        source, target, answers, _ = dates(g, BATCH, False)
        loss = F.cross_entropy(logits(p, source, target).flatten(0, 1), answers.flatten())
        adam.zero_grad()
        loss.backward()
        adam.param_groups[0]['lr'] = rate(step)
        adam.step()
        if step % 50 == 49:
            own, whole = measured(p, held)
            print(f'step {step + 1}: loss {loss:.4f}, held out {own:.4f}, whole dates {whole:.4f}', flush=True)


def main():
    torch.set_num_threads(1)
    began = time.time()
    p = initial(torch.Generator().manual_seed(SEED))
    held = dates(np.random.default_rng(SEED + 1), 4000, True)
    train(p, np.random.default_rng(SEED), held)
    print(f'{time.time() - began:.0f} s')
    finish(p, held, FILE)


if __name__ == '__main__':
    main()
