#!/usr/bin/env python3
"""check_output.py OUT.npz: the causal trace of "the cat sat on mat", as numpy sees it.

Names, order, shapes and types; and the stages agree with each other, computed here from the written q, k and v.
"""
import sys

import numpy as np

SHAPES = {
    'x': (5, 4), 'position': (5, 4), 'q': (1, 5, 4), 'k': (1, 5, 4), 'v': (1, 5, 4), 'scores': (1, 5, 5),
    'scaled': (1, 5, 5), 'mask': (1, 5, 5), 'masked': (1, 5, 5), 'row_max': (1, 5, 1), 'exp': (1, 5, 5),
    'row_sum': (1, 5, 1), 'weights': (1, 5, 5), 'head_output': (1, 5, 4), 'concat': (5, 4), 'output': (5, 4),
}

with np.load(sys.argv[1], allow_pickle=False) as file:
    stages = {name: file[name] for name in file.files}

assert list(stages) == list(SHAPES), list(stages)
for name, array in stages.items():
    assert array.shape == SHAPES[name], (name, array.shape)
    assert array.dtype == np.float32, (name, array.dtype)

q, k, v = (stages[name].astype(np.float64) for name in 'qkv')
causal = np.triu(np.ones((5, 5), bool), 1)
assert np.array_equal(stages['mask'][0], causal)
scores = np.where(causal, -np.inf, q @ k.transpose(0, 2, 1) / 2)
weights = np.exp(scores - scores.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)
# Accepted distance of one precision from the other, on every stage.
np.testing.assert_allclose(stages['masked'], scores, rtol=2e-5, atol=2e-6)
np.testing.assert_allclose(stages['weights'], weights, rtol=2e-5, atol=2e-6)
np.testing.assert_allclose(stages['head_output'], weights @ v, rtol=2e-5, atol=2e-6)
assert np.array_equal(stages['concat'], stages['head_output'][0])
