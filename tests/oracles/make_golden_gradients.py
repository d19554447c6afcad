#!/usr/bin/env python3
"""Makes the golden gradients: golden_gradients.npz and golden_gradients.json beside this script.

    python3 tests/oracles/make_golden_gradients.py        (Debian: python3-torch, python3-numpy)

golden_gradient_layer.py computes each layer of golden_gradient_cases.py with torch in double, from numbers that float32
holds; autograd goes back from the loss. Some numbers of each are also held against central differences. Arrays are
drawn again where a choice that a gradient goes by (a support, a bend, an edge) is nearer than MARGIN to being another.
Two runs give the same bytes.

golden_gradients.json, an entry for each case:
  name       what the case is about
  options    the words of the command line; an option that is followed by another one takes none
  muted      heads that are switched off
  loss       kind: ones; one_hot (row, column); typed or mean_square (the array loss_given, NaN: not asked);
             cross_entropy (labels, -1: not asked)
  inputs     [name, shape] in order; "NAME/inputs" of the .npz holds their float32 numbers, one after another
  gradients  [id, [heads, rows, columns]] in order: "loss", and behind "d_" a stage's id or a number of the layer's;
             "NAME/expected" holds their float64 numbers, one after another
"""
import json
import zlib
from pathlib import Path

import numpy as np

import golden_gradient_cases as cases
from golden_gradient_layer import Layer
from make_npz import write_npz

HERE = Path(__file__).parent
MARGIN = 1e-3
STEP, AGREE = 1e-5, 1e-6


def stacks(inputs):
    return {name: a.reshape((1,) * (3 - a.ndim) + a.shape) for name, a in inputs.items()}


def draw(name, given):
    """Choices, arrays, choices as the layer takes them, and the layer computed. No choices: any."""
    for attempt in range(100):
        r = np.random.RandomState(zlib.crc32(f'{name} {attempt}'.encode()))
        choices = given or cases.at_random(r)
        inputs = cases.arrays(choices, r)
        loss = cases.loss(choices, inputs, r)
        o = {**cases.parsed(choices), 'loss': loss}
        layer = Layer(stacks(inputs), o)
        if layer.margin > MARGIN:
            return choices, inputs, o, layer
    raise AssertionError(f'{name}: always too near a jump')


def check_differences(name, inputs, o, layer, gradients):
    """Of one number of each array, and of the layer's numbers."""
    r = np.random.RandomState(zlib.crc32(name.encode()))

    def check(what, own, moved):
        losses = [float(Layer(*moved(sign * STEP)).total.detach()) for sign in (1, -1)]
        quotient = (losses[0] - losses[1]) / (2 * STEP)
        assert abs(quotient - own) <= AGREE * (1 + abs(quotient)), f'{name}: {what} {quotient} {own}'

    for number in layer.numbers:
        check(number, gradients.get('d_' + number, np.zeros((1, 1, 1)))[0, 0, 0],
              lambda step, key=number: (stacks(inputs), {**o, key: float(o[key]) + step}))
    for key, a in stacks(inputs).items():
        own = gradients.get('d_' + {'bias': 'user_bias'}.get(key, key))
        cell = tuple(r.randint(size) for size in a.shape)
        if own is not None and np.isfinite(a[cell]):
            step_of = np.zeros(a.shape)
            step_of[cell] = 1
            check(f'{key}{cell}', own[cell],
                  lambda step, key=key, there=step_of: ({**stacks(inputs), key: stacks(inputs)[key] + step * there}, o))


def compute(name, choices, arrays):
    choices, inputs, o, layer = draw(name, choices)
    gradients = layer.gradients()
    assert all(np.isfinite(a).all() for a in gradients.values()), name
    check_differences(name, inputs, o, layer, gradients)
    arrays[f'{name}/inputs'] = np.concatenate([a.ravel() for a in inputs.values()])
    arrays[f'{name}/expected'] = np.concatenate([a.ravel() for a in gradients.values()])
    return {'name': name, 'options': cases.words(choices), 'muted': list(o['muted']), 'loss': o['loss'],
            'inputs': [[key, list(a.shape)] for key, a in inputs.items()],
            'gradients': [[key, list(a.shape)] for key, a in gradients.items()]}


def main():
    arrays = {}
    entries = [compute(name, choices, arrays) for name, choices in cases.all_cases().items()]
    write_npz(HERE / 'golden_gradients.npz', arrays)
    (HERE / 'golden_gradients.json').write_text('[\n' + ',\n'.join(json.dumps(e) for e in entries) + '\n]\n')
    print(f'{len(entries)} cases, {sum(len(e["gradients"]) for e in entries)} arrays')


if __name__ == '__main__':
    main()
