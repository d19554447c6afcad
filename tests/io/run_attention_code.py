"""run_attention_code.py FOLDER: runs every NAME.py there with the arrays of NAME.npz and holds the output against the
array `expected`; by torch where it is importable."""
import pathlib
import sys
from types import SimpleNamespace

import numpy as np

import torch_stand_in as stand_in

try:
    import torch
except ImportError:
    torch = None

ACCEPTED = dict(rtol=2e-5, atol=2e-6, equal_nan=True)  # what rounding explains after many stages


def own_attention(module):
    """Its scaled_dot_product_attention, where that knows shared heads; else none."""
    function = getattr(getattr(getattr(module, 'nn', None), 'functional', None), 'scaled_dot_product_attention', None)
    return function if 'enable_gqa' in (function.__doc__ or '' if function else '') else None


def attention_of(module):
    """What stands in for it, with the module's tensors."""
    if own_attention(module):
        return own_attention(module)
    array = (lambda t: t.a) if module is stand_in else (lambda t: t.numpy())
    tensor = stand_in.Tensor if module is stand_in else module.from_numpy

    def attention(q, k, v, attn_mask=None, **words):
        mask = None if attn_mask is None else array(attn_mask)
        return tensor(stand_in.scaled_dot_product_attention(array(q), array(k), array(v), mask, **words))

    return attention


class Named:
    """The module, with that function in nn.functional."""

    def __init__(self, module):
        self.nn = SimpleNamespace(functional=SimpleNamespace(scaled_dot_product_attention=attention_of(module)))
        self.module = module

    def __getattr__(self, name):
        return getattr(self.module, name)


def module_of(arrays):
    """torch.nn.MultiheadAttention with a layer's projections: rows of its weights are columns of ours."""
    width = arrays['w_q'].shape[1]
    module = torch.nn.MultiheadAttention(width, int(arrays['heads']), batch_first=True).eval()

    def bias(letter):
        return torch.from_numpy(arrays.get('b_' + letter, np.zeros((1, width), np.float32))[0])

    with torch.no_grad():
        module.in_proj_weight.copy_(torch.from_numpy(np.concatenate([arrays['w_' + letter].T for letter in 'qkv'])))
        module.in_proj_bias.copy_(torch.cat([bias(letter) for letter in 'qkv']))
        module.out_proj.weight.copy_(torch.from_numpy(arrays['w_o'].T))
        module.out_proj.bias.copy_(bias('o'))
    return module


def output_of(code, arrays):
    text = compile(code.read_text(), code.name, 'exec')
    if 'w_q' in arrays:  # of a MultiheadAttention
        tensor = torch.from_numpy if torch else stand_in.Tensor
        attention = module_of(arrays) if torch else stand_in.multihead_attention(arrays)
        names = {name: tensor(arrays[name]) for name in ('x', 'memory') if name in arrays}
        exec(text, {'torch': Named(torch or stand_in), 'attention': attention}, names)
        return names['output'].detach().numpy() if torch else names['output'].a
    names = {name: torch.from_numpy(arrays[name]) if torch else stand_in.Tensor(arrays[name]) for name in 'qkv'}
    exec(text, {'torch': Named(torch or stand_in)}, names)
    return names['output'].numpy() if torch else names['output'].a


def main(folder):
    wrong = 0
    for code in sorted(pathlib.Path(folder).glob('*.py')):
        arrays = dict(np.load(code.with_suffix('.npz')))
        output, expected = output_of(code, arrays), arrays['expected']
        if output.shape != expected.shape or not np.allclose(output, expected, **ACCEPTED):
            wrong += 1
            print(f'{code.name} differs:\n{code.read_text()}\n{output}\nexpected\n{expected}')
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
