#!/usr/bin/env python3
"""Makes golden stacks: golden_stack.npz and golden_stack.json beside this script.

    python3 tests/oracles/make_golden_stack.py        (Debian: python3-torch, python3-numpy)

golden_stack_modules.py computes whole encoders, decoders and both in double, from numbers that float32 holds; what
comes out, and what autograd finds, is torch.nn's to 1e-12 wherever torch.nn has such a stack. Arrays are drawn again
where a ReLU is nearer than MARGIN to its bend. Two runs give the same bytes.

golden_stack.json, an entry for each case:
  name, sides    "encoder", "decoder" or "both"
  layers         of the encoder, of the decoder
  d, heads, inner, residual, final_norm
  norm           "pre", "post", "none";  norm_kind: "layer" or "rms"; epsilon is 1e-5
  activation     "relu", "gelu", "gelu-tanh", "swiglu"; "none": attention only, without a feed-forward
  masks          encoder, decoder (their self-attention), cross: "none", "causal", "padding:LEN" (LEN keys are seen)
  torch          whether torch.nn's modules were found to give the same
"NAME/ARRAY" of the .npz: float32 what is given, float64 what is expected. Given: "x" (of both: "source", "target"; of a
decoder also "memory"), PyTorch's parameters as "encoder.layers.0.linear1.weight", "upstream" (what flows in, at the
output of the last side). Expected: "encoder.0.weights" (heads x n x n), "encoder.0.stream", "encoder.output",
"decoder.0.weights", "decoder.0.cross_weights" (heads x n x m), "decoder.0.stream", "decoder.output"; of the encoder, or
of a decoder alone, "rollout" (n x n), "rank_residual" and "alike" (a number for what goes in, then for each layer's
stream); "d_" and the name of each input and parameter.
"""
import json
import warnings
import zlib
from pathlib import Path

import numpy as np
import torch

from golden_stack_modules import Stack, torch_output
from make_npz import write_npz

HERE = Path(__file__).parent
MARGIN, AGREE = 1e-3, 1e-12
USUAL = {'sides': 'encoder', 'layers': (2, 0), 'd': 8, 'heads': 2, 'inner': 12, 'norm': 'post', 'norm_kind': 'layer',
         'activation': 'relu', 'residual': True, 'final_norm': False, 'n': 5, 'm': 4}
BOTH, DECODER = {'sides': 'both', 'layers': (1, 1)}, {'sides': 'decoder', 'layers': (0, 2)}
CASES = {
    'encoder': {},
    'encoder before': dict(norm='pre', final_norm=True),
    'encoder causal': dict(mask='causal', layers=(3, 0), heads=4, n=6),
    'encoder padded': dict(mask='padding:3', activation='gelu', final_norm=True),
    'encoder before padded': dict(mask='padding:4', norm='pre', activation='gelu', n=7, d=12, heads=3, layers=(1, 0)),
    'encoder gelu': dict(activation='gelu', inner=16, n=7, d=12, heads=4, layers=(1, 0)),
    'decoder-only': dict(mask='causal', norm='pre', activation='gelu', final_norm=True, layers=(3, 0), n=6),
    'decoder-only rms swiglu': dict(mask='causal', norm='pre', norm_kind='rms', activation='swiglu', final_norm=True),
    'decoder-only gelu-tanh': dict(mask='causal', norm='pre', activation='gelu-tanh', final_norm=True, d=12, heads=3),
    'rms after': dict(norm_kind='rms', final_norm=True, n=6),
    'swiglu after': dict(activation='swiglu', mask='padding:4', heads=4),
    'no norm': dict(norm='none', activation='gelu-tanh'),
    'no norm swiglu': dict(norm='none', activation='swiglu', layers=(1, 0), mask='causal'),
    'no residual': dict(residual=False, norm='pre', final_norm=True, n=6),
    'no residual after': dict(residual=False, activation='gelu', mask='causal'),
    'attention only': dict(activation='none', norm='pre', layers=(3, 0), n=7),
    'attention only after': dict(activation='none', norm='post', mask='padding:4', final_norm=True),
    'attention only, nothing beside it': dict(activation='none', norm='none', residual=False, layers=(3, 0)),
    'decoder': DECODER,
    'decoder before': dict(DECODER, norm='pre', activation='gelu', final_norm=True, n=6, m=5, cross='padding:3'),
    'decoder rms swiglu': dict(DECODER, norm='pre', norm_kind='rms', activation='swiglu', layers=(0, 1), m=6),
    'decoder attention only': dict(DECODER, activation='none', heads=4, final_norm=True, layers=(0, 1)),
    'both': dict(BOTH, layers=(2, 2), final_norm=True),
    'both before': dict(BOTH, norm='pre', activation='gelu', final_norm=True, layers=(1, 2), n=6, m=5),
    'both padded': dict(BOTH, mask='padding:3', cross='padding:3', heads=4, n=5, m=6),
    'both padded, seen across': dict(BOTH, mask='padding:3', norm='pre', layers=(2, 1), m=5),
    'both no norm gelu-tanh': dict(BOTH, norm='none', activation='gelu-tanh'),
    'both no residual': dict(BOTH, residual=False, norm_kind='rms', activation='swiglu', mask='causal', n=5, m=5),
}


def parameter_shapes(o, side):
    d, inner = o['d'], o['inner']

    def linear(name, rows, columns):
        return {name + '.weight': (rows, columns), name + '.bias': (rows,)}

    def norm(name):
        return {name + '.' + what: (d,) for what in (('weight', 'bias') if o['norm_kind'] == 'layer' else ('weight',))}
    shapes = {}
    attentions = ('self_attn', 'multihead_attn')[:1 + (side == 'decoder')]
    fed = o['activation'] != 'none'
    for layer in [f'{side}.layers.{i}.' for i in range(o['layers'][side == 'decoder'])]:
        for name in attentions:
            shapes |= {f'{layer}{name}.in_proj_weight': (3 * d, d), f'{layer}{name}.in_proj_bias': (3 * d,)}
            shapes |= linear(f'{layer}{name}.out_proj', d, d)
        shapes |= linear(layer + 'linear1', inner, d) if fed else {}
        shapes |= linear(layer + 'gate', inner, d) if o['activation'] == 'swiglu' else {}
        shapes |= linear(layer + 'linear2', d, inner) if fed else {}
        for i in range(len(attentions) + fed if o['norm'] != 'none' else 0):
            shapes |= norm(f'{layer}norm{i + 1}')
    return {**shapes, **(norm(side + '.norm') if o['final_norm'] else {})}


def given_arrays(o, r):
    """The inputs and the parameters, in float32."""
    last = {'encoder': {'x': o['n']}, 'decoder': {'x': o['n'], 'memory': o['m']},
            'both': {'source': o['m'], 'target': o['n']}}[o['sides']]
    a = {name: r.normal(size=(rows, o['d'])) for name, rows in last.items()}
    for side in ('encoder', 'decoder'):
        for name, shape in (parameter_shapes(o, side) if o['sides'] in (side, 'both') else {}).items():
            scale = shape[-1] ** -0.5 if len(shape) == 2 else 0.3
            a[name] = scale * r.normal(size=shape) + ('norm' in name and name.endswith('weight'))
    return {name: w.astype(np.float32) for name, w in a.items()}


def leaves(given):
    return {name: torch.tensor(w, dtype=torch.float64, requires_grad=True) for name, w in given.items()}


def draw(name, o):
    """The arrays, the same for torch, the stack computed, and what flows in."""
    for attempt in range(100):
        r = np.random.default_rng(zlib.crc32(f'{name} {attempt}'.encode()))
        given = given_arrays(o, r)
        p = leaves(given)
        stack = Stack(o, p)
        if stack.margin > MARGIN:
            return given, p, stack, r.normal(size=tuple(stack.output.shape)).astype(np.float32)
    raise AssertionError(f'{name}: always too near a bend')


def measures(o, p, made):
    """Of the encoder, or of a decoder alone."""
    side = 'decoder' if o['sides'] == 'decoder' else 'encoder'
    count = o['layers'][side == 'decoder']
    streams = [p.get('x', p.get('source'))] + [made[f'{side}.{i}.stream'] for i in range(count)]
    residuals, cosines, product = [], [], None
    for x in [s.detach().numpy() for s in streams]:
        sizes = np.linalg.svd(x, compute_uv=False)
        residuals.append(np.sqrt((sizes[1:] ** 2).sum() / (sizes ** 2).sum()))
        unit = x / np.linalg.norm(x, axis=1, keepdims=True)
        cosines.append((unit @ unit.T)[~np.eye(len(x), dtype=bool)].mean())
    for i in range(count):
        mean = made[f'{side}.{i}.weights'].detach().numpy().mean(0)
        mixed = mean / 2 + np.eye(len(mean)) / 2
        mixed /= mixed.sum(1, keepdims=True)
        product = mixed if product is None else mixed @ product
    return {'rollout': product, 'rank_residual': np.array(residuals), 'alike': np.array(cosines)}


def check_torch(name, o, given, upstream, output, gradients):
    p = leaves(given)
    theirs = torch_output(o, p)
    theirs.backward(torch.tensor(upstream, dtype=torch.float64))
    own = {'output': output, **gradients}
    for key, a in {'output': theirs, **{key: w.grad for key, w in p.items()}}.items():
        off = float((a - own[key]).abs().max())
        assert off <= AGREE * (1 + float(a.abs().max())), f'{name}: {key} is {off} off'


def compute(name, choices, arrays):
    o = {**USUAL, **choices}
    o['masks'] = {'encoder': o.pop('mask', 'none') if o['layers'][0] else 'none',
                  'decoder': 'causal' if o['layers'][1] else 'none', 'cross': o.pop('cross', 'none')}
    given, p, stack, upstream = draw(name, o)
    stack.output.backward(torch.tensor(upstream, dtype=torch.float64))
    gradients = {key: w.grad for key, w in p.items()}
    in_torch = o['residual'] and o['activation'] != 'none'
    if in_torch:
        check_torch(name, o, given, upstream, stack.output, gradients)
    made = {key: a.detach().numpy() for key, a in stack.made.items()} | measures(o, p, stack.made)
    made |= {'d_' + key: a.numpy() for key, a in gradients.items()}
    assert all(np.isfinite(a).all() for a in made.values()), name
    for key, a in {**given, 'upstream': upstream, **made}.items():
        arrays[f'{name}/{key}'] = np.ascontiguousarray(a)
    return {'name': name, **{key: o[key] for key in o if key not in 'nm'}, 'torch': in_torch}


def main():
    torch.set_num_threads(1)
    warnings.filterwarnings('ignore', category=UserWarning)
    arrays = {}
    entries = [compute(name, choices, arrays) for name, choices in CASES.items()]
    write_npz(HERE / 'golden_stack.npz', arrays)
    (HERE / 'golden_stack.json').write_text('[\n' + ',\n'.join(json.dumps(e) for e in entries) + '\n]\n')
    print(f'{len(entries)} cases, {sum(e["torch"] for e in entries)} of them torch.nn\'s, {len(arrays)} arrays')


if __name__ == '__main__':
    main()
