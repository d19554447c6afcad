#!/usr/bin/env python3
"""Trains the model of dates that Stack opens with (dates_model.py) by the program itself: assets/stack/dates.npz.

    python3 tests/oracles/make_dates_model.py [ATTENTION_LAB]        (python3-torch, python3-numpy, to hold it against)

`attention-lab train dates` draws its rows by counter, one of ten million for each: of those that are asked here, fewer
than one in twenty has been trained on. The same device, version and choice of kernels give the same bytes.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch

from dates_model import HEADS, D, INNER, LAYERS, MONTHS, START, SYMBOLS, dates, finish

FILE = Path(__file__).parents[2] / 'assets' / 'stack' / 'dates.npz'
SEED, STEPS, BATCH, RATE = 7, 2000, 64, 3e-3


def trained(program):
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / 'run.npz'
        subprocess.run([program, 'train', 'dates', '--decoder', 'written', '--tied', '--layers', str(LAYERS), '--heads',
                        str(HEADS), '--width', str(D), '--inner', str(INNER), '--seed', str(SEED), '--steps', str(STEPS),
                        '--batch', str(BATCH), '--rate', str(RATE), '-o', str(run)], check=True)
        return dict(np.load(run))


def check_symbols(run):
    """The program's symbols are those of the file without the start symbol, which is its last."""
    assert SYMBOLS[0] == START
    text = lambda row: ''.join(SYMBOLS[1 + int(symbol)] for symbol in row)
    parts = [sorted(text(row).split('·'), key=len) for row in run['batch.input']]
    for (day, month, year), target in zip(parts, run['batch.target']):
        assert text(target) == f'{year}-{MONTHS.index(month) + 1:02}-{day}', (day, month, year, text(target))


def main():
    torch.set_num_threads(1)
    run = trained(sys.argv[1] if len(sys.argv) > 1 else 'build/release/attention-lab')
    check_symbols(run)
    p = {name.removeprefix('after.'): torch.tensor(w) for name, w in run.items() if name.startswith('after.')}
    p['embedding.weight'] = p['embedding.weight'].roll(1, 0)  # the start symbol comes first
    finish(p, dates(np.random.default_rng(SEED + 1), 4000), FILE)


if __name__ == '__main__':
    main()
