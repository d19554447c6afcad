#!/usr/bin/env python3
"""Runs the recipes of the manual's "How to dump your attention", and holds what they write against a layer in numpy.

    python3 tests/oracles/check_dump_recipes.py [LIBRARY...]        (Debian: python3-torch)

The code blocks of each section of assets/manual/dump.md are run as they stand, one behind the other. Then every file
is read: q, k and v, and by wrong_layer.py the weights and outputs, have to follow from what else the file has. It says
what was run by which versions, and what was not, for want of a library. 1 where a number differs, a block has more than
15 lines, or a LIBRARY named is missing.

PyTorch before 2.5 has no F.scaled_dot_product_attention that knows shared heads, that of Debian 12 none at all: the
definition in its documentation is put in its place.

Every recipe was right with these (Debian's PyTorch; the others from PyPI, on a processor, models with random weights):
PyTorch 1.13.1 with transformers 4.40.2; PyTorch 2.15.0 with transformers 5.24.0; JAX 0.10.2 with Flax 0.12.8.
"""
import importlib
import math
import os
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

from wrong_layer import Layer, compute

PAGE = Path(__file__).parents[2] / 'assets/manual/dump.md'
LONGEST = 15


def sections(page):
    """{title: its blocks of Python}"""
    found = {}
    for section in re.split(r'^## ', page, flags=re.M)[1:]:
        title, text = section.split('\n', 1)
        blocks = re.findall(r'^```python\n(.*?)^```', text, re.M | re.S)
        if blocks:
            found[title] = blocks
    return found


def documented_attention(torch):
    """What F.scaled_dot_product_attention is, line by line of its documentation."""
    def attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        bias = torch.zeros(query.shape[-2], key.shape[-2], dtype=query.dtype)
        if is_causal:
            bias.masked_fill_(~torch.ones_like(bias, dtype=torch.bool).tril(), -math.inf)
        if attn_mask is not None:
            bias = bias.masked_fill(~attn_mask, -math.inf) if attn_mask.dtype == torch.bool else bias + attn_mask
        if enable_gqa:
            key, value = (a.repeat_interleave(query.shape[-3] // a.shape[-3], -3) for a in (key, value))
        factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
        return torch.dropout(torch.softmax(query @ key.mT * factor + bias, -1), dropout_p, train=True) @ value
    return attention


def give_old_torch_the_function():
    import torch
    own = getattr(torch.nn.functional, 'scaled_dot_product_attention', None)
    if 'enable_gqa' not in (own.__doc__ or '' if own else ''):
        torch.nn.functional.scaled_dot_product_attention = documented_attention(torch)


def plain(dump):
    """x, weights in x out and biases by the names of wrong_layer.py, out of those of other libraries."""
    t = {'x': dump['x'][0]}
    for c, names in {'q': ['q_proj', 'w_q'], 'k': ['k_proj', 'w_k'], 'v': ['v_proj', 'w_v'],
                     'o': ['out_proj', 'o_proj', 'c_proj', 'w_o']}.items():
        for name in names:
            if f'{name}.weight' in dump:
                w = dump[f'{name}.weight']
                t['w_' + c] = w if name == 'c_proj' else w.T
                if f'{name}.bias' in dump:
                    t['b_' + c] = dump[f'{name}.bias']
            elif name in dump:
                t['w_' + c], t['b_' + c] = dump[name], dump['b_' + c]
    for packed, turned in (('in_proj_weight', True), ('c_attn.weight', False)):
        if packed in dump:
            w = dump[packed].T if turned else dump[packed]
            t.update(zip(('w_q', 'w_k', 'w_v'), np.split(w, 3, 1)))
            t.update(zip(('b_q', 'b_k', 'b_v'), np.split(dump['in_proj_bias' if turned else 'c_attn.bias'], 3)))
    return t


def flat(a):
    """q, k or v as tokens x features."""
    return a[0] if a.ndim == 3 else a[0].transpose(1, 0, 2).reshape(a.shape[2], -1)


def of_layer(dump, layer):
    """What the file should hold, with what it holds."""
    t = plain(dump)
    ours = compute(t, layer, {})
    pairs = {c: (flat(dump[c]), t['x'] @ t['w_' + c] + t.get('b_' + c, 0)) for c in 'qkv'}
    return {**pairs, 'weights': (dump['weights'][0], ours['weights']), 'output': (dump['output'][0], ours['output'])}


def of_heads(dump, hidden):
    """The same where q, k and v are all there is, with what is hidden from whom."""
    q, k, v = (dump[c][0].astype(float) for c in 'qkv')
    k, v = (np.repeat(a, len(q) // len(k), 0) for a in (k, v))
    scaled = np.einsum('hid,hjd->hij', q, k) / math.sqrt(q.shape[2])
    e = np.exp(scaled) * ~hidden
    weights = e / e.sum(-1, keepdims=True)
    return {'mask': (dump['mask'][0], np.broadcast_to(hidden, e.shape)), 'weights': (dump['weights'][0], weights),
            'head_output': (dump['head_output'][0], weights @ v)}


CAUSAL, HIDDEN = ~np.tri(6, dtype=bool), np.arange(6)[:, None] * 5 % 7 == np.arange(6) + 1
# More calls that a wrapper has to understand: masks of both kinds, heads that share keys.
MORE_TORCH = """
q, k, hidden = torch.randn(1, 4, 6, 8), torch.randn(1, 2, 6, 8), torch.tensor(HIDDEN)
F.scaled_dot_product_attention(q, k, k, attn_mask=~hidden, enable_gqa=True)
F.scaled_dot_product_attention(q, q, q, torch.zeros(6, 6).masked_fill(hidden, -torch.inf))
F.scaled_dot_product_attention(q, q, k.repeat(1, 2, 1, 1), scale=8 ** -0.5)
"""
MORE_JAX = """
k = k[:, :, :2]
jax.nn.dot_product_attention(q, k, k, mask=jnp.asarray(~HIDDEN)[None, None])
"""
# Of each section: its libraries, what is run behind its blocks, and of each file what that has to be.
RECIPES = {
    'PyTorch: nn.MultiheadAttention': (['torch'], '', {'dump': (of_layer, Layer(4, 4))}),
    'PyTorch: your own module': (['torch'], '', {'dump': (of_layer, Layer(4, 4))}),
    'PyTorch: F.scaled_dot_product_attention': (
        ['torch'], MORE_TORCH, {'dump-0': (of_heads, CAUSAL), 'dump-1': (of_heads, HIDDEN),
                                'dump-2': (of_heads, HIDDEN), 'dump-3': (of_heads, HIDDEN & False)}),
    'Hugging Face: Llama and models like it': (
        ['transformers', 'torch'], '', {'dump': (of_layer, Layer(4, 2, causal=True, position='rope'))}),
    'Hugging Face: GPT-2': (['transformers', 'torch'], '', {'dump': (of_layer, Layer(3, 3, causal=True))}),
    'JAX: jax.nn.dot_product_attention': (['jax'], '', {'dump': (of_heads, CAUSAL)}),
    'JAX: jax.nn.dot_product_attention, mask': (['jax'], MORE_JAX, {'dump': (of_heads, HIDDEN)}),
    'JAX: Flax': (['flax', 'jax'], '', {'dump': (of_layer, Layer(4, 4))}),
}


def version(library):
    """None where it cannot be imported."""
    try:
        return importlib.import_module(library).__version__
    except ImportError:
        return None


def wrong_numbers(blocks, more, files):
    """Runs them in a folder of their own; what differs there."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        names = {'HIDDEN': HIDDEN}
        for block in [*blocks, more]:
            exec(compile(block, PAGE.name, 'exec'), names)
        for file, (expected, how) in files.items():
            for name, (a, b) in expected(dict(np.load(f'{file}.npz')), how).items():
                if a.shape != b.shape:
                    wrong.append(f'{name} of {file} is {a.shape}, not {b.shape}')
                elif not np.allclose(a, b, 1e-4, 1e-5):
                    wrong.append(f'{name} of {file} is off by {np.abs(a * 1.0 - b).max():.3g}')
        os.chdir(PAGE.parent)
    return wrong


def outcome(title, blocks, needed):
    """Whether all is well, and in words."""
    libraries, more, files = RECIPES[title]
    wrong = [f'a block has {block.count(chr(10))} lines' for block in blocks if block.count('\n') > LONGEST]
    versions = {library: version(library) for library in libraries}
    missing = [library for library, number in versions.items() if not number]
    if not missing:
        if 'torch' in libraries:
            give_old_torch_the_function()
        wrong += wrong_numbers(blocks, more, files)
    if wrong:
        return False, '; '.join(wrong)
    if missing:
        return not set(missing) & set(needed), f'not run, without {" and ".join(missing)}'
    return True, 'right, ' + ', '.join(f'{library} {number}' for library, number in versions.items())


def main(needed):
    page, well = sections(PAGE.read_text()), True
    known = {title.split(', mask')[0] for title in RECIPES}
    if set(page) != known:
        sys.exit(f'{PAGE.name} has {sorted(page)}, known here are {sorted(known)}')
    for title in RECIPES:
        good, words = outcome(title, page[title.split(', mask')[0]], needed)
        print(f'{title}: {words}', flush=True)
        well = well and good
    sys.exit(not well)


if __name__ == '__main__':
    main(sys.argv[1:])
