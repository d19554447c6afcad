"""A stack by hand, every head's weights kept, and the same stack of torch.nn's modules, to be held against it."""
import torch
import torch.nn.functional as F
from torch import nn

EPSILON = 1e-5
ACTIVATIONS = {'relu': F.relu, 'gelu': F.gelu, 'gelu-tanh': lambda x: F.gelu(x, approximate='tanh')}


def seen(mask, n, m):
    """Whether a query (row) sees a key (column)."""
    if mask == 'causal':
        return torch.ones(n, m, dtype=torch.bool).tril()
    length = int(mask.split(':')[1]) if mask.startswith('padding:') else m
    return (torch.arange(m) < length).expand(n, m)


class Stack:
    """Computes at once: `made` holds what the layers made, `margin` how near a ReLU was to its bend."""

    def __init__(self, o, p):
        self.o, self.p, self.made, self.margin = o, p, {}, float('inf')
        memory = p.get('memory')
        if o['layers'][0]:
            memory = self.output = self.side('encoder', p['x' if 'x' in p else 'source'], None)
        if o['layers'][1]:
            self.output = self.side('decoder', p['x' if 'x' in p else 'target'], memory)

    def linear(self, x, name):
        return x @ self.p[name + '.weight'].T + self.p[name + '.bias']

    def norm(self, x, name):
        if self.o['norm_kind'] == 'rms':
            return x / (x.square().mean(-1, keepdim=True) + EPSILON).sqrt() * self.p[name + '.weight']
        x = x - x.mean(-1, keepdim=True)
        x = x / (x.square().mean(-1, keepdim=True) + EPSILON).sqrt()
        return x * self.p[name + '.weight'] + self.p[name + '.bias']

    def attention(self, x, memory, name, mask, kept):
        h = self.o['heads']
        rows = (x, memory, memory)
        q, k, v = [r @ w.T + b for r, w, b in zip(rows, self.p[name + '.in_proj_weight'].chunk(3),
                                                  self.p[name + '.in_proj_bias'].chunk(3))]
        q, k, v = [a.reshape(len(a), h, -1).transpose(0, 1) for a in (q, k, v)]
        scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
        weights = scores.masked_fill(~seen(mask, len(x), len(memory)), -torch.inf).softmax(-1)
        self.made[kept] = weights
        return self.linear((weights @ v).transpose(0, 1).reshape(len(x), -1), name + '.out_proj')

    def feed_forward(self, x, name):
        inner = self.linear(x, name + '.linear1')
        if self.o['activation'] == 'swiglu':
            return self.linear(F.silu(self.linear(x, name + '.gate')) * inner, name + '.linear2')
        if self.o['activation'] == 'relu':
            self.margin = min(self.margin, float(inner.detach().abs().min()))
        return self.linear(ACTIVATIONS[self.o['activation']](inner), name + '.linear2')

    def box(self, x, f, norm):
        added = f(self.norm(x, norm) if self.o['norm'] == 'pre' else x)
        stream = x + added if self.o['residual'] else added
        return self.norm(stream, norm) if self.o['norm'] == 'post' else stream

    def side(self, side, x, memory):
        masks = self.o['masks']
        for i in range(self.o['layers'][side == 'decoder']):
            layer, kept = f'{side}.layers.{i}', f'{side}.{i}'
            boxes = [lambda x: self.attention(x, x, layer + '.self_attn', masks[side], kept + '.weights')]
            if side == 'decoder':
                boxes.append(lambda x: self.attention(x, memory, layer + '.multihead_attn', masks['cross'],
                                                      kept + '.cross_weights'))
            if self.o['activation'] != 'none':
                boxes.append(lambda x: self.feed_forward(x, layer))
            for place, f in enumerate(boxes):
                x = self.box(x, f, f'{layer}.norm{place + 1}')
            self.made[kept + '.stream'] = x
        self.made[side + '.output'] = self.norm(x, side + '.norm') if self.o['final_norm'] else x
        return self.made[side + '.output']


class RmsNorm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPSILON) * self.weight


def norm_module(o):
    if o['norm'] == 'none':
        return nn.Identity()
    return RmsNorm(o['d']) if o['norm_kind'] == 'rms' else nn.LayerNorm(o['d'], EPSILON)


def layer_module(o, kind):
    """torch.nn's layer, its norms and its feed-forward exchanged where it has no such choice."""
    class Gated(kind):
        def _ff_block(self, x):
            return self.linear2(F.silu(self.gate(x)) * self.linear1(x))
    gated = o['activation'] == 'swiglu'
    layer = (Gated if gated else kind)(o['d'], o['heads'], o['inner'], dropout=0, norm_first=o['norm'] == 'pre',
                                       activation=ACTIVATIONS.get(o['activation'], F.relu))
    if gated:
        layer.gate = nn.Linear(o['d'], o['inner'])
    for name in ('norm1', 'norm2', 'norm3'):
        if hasattr(layer, name):
            setattr(layer, name, norm_module(o))
    return layer


def side_module(o, side):
    kind, layer = (nn.TransformerEncoder, nn.TransformerEncoderLayer) if side == 'encoder' else (
        nn.TransformerDecoder, nn.TransformerDecoderLayer)
    more = {'enable_nested_tensor': False} if side == 'encoder' else {}
    count = o['layers'][side == 'decoder']
    return kind(layer_module(o, layer), count, norm_module(o) if o['final_norm'] else None, **more)


def torch_output(o, p):
    """The same output of torch.nn's modules, of which a stack without residuals or feed-forward is none. In training
    (dropout 0), which keeps them off the road that fuses a layer."""
    names = {name: w for name, w in p.items() if '.' in name}

    def hidden(mask, n):
        return ~seen('causal', n, n) if mask == 'causal' else None

    def padded(mask, m):
        return ~seen(mask, 1, m)[0] if mask.startswith('padding:') else None

    def run(module, prefix, *args, **kwargs):
        module = module.double().train()
        own = {name[len(prefix):]: w for name, w in names.items()}
        assert module.load_state_dict({name: w.detach() for name, w in own.items()})
        return torch.nn.utils.stateless.functional_call(module, own, args, kwargs)
    masks, encodes, decodes = o['masks'], *o['layers']
    if not decodes:
        n = len(p['x'])
        return run(side_module(o, 'encoder'), 'encoder.', p['x'], mask=hidden(masks['encoder'], n),
                   src_key_padding_mask=padded(masks['encoder'], n))
    if not encodes:
        return run(side_module(o, 'decoder'), 'decoder.', p['x'], p['memory'], tgt_mask=hidden('causal', len(p['x'])),
                   memory_key_padding_mask=padded(masks['cross'], len(p['memory'])))
    m = len(p['source'])
    whole = nn.Transformer(o['d'], o['heads'], custom_encoder=side_module(o, 'encoder'),
                           custom_decoder=side_module(o, 'decoder'))
    return run(whole, '', p['source'], p['target'], src_mask=hidden(masks['encoder'], m),
               tgt_mask=hidden('causal', len(p['target'])), src_key_padding_mask=padded(masks['encoder'], m),
               memory_key_padding_mask=padded(masks['cross'], m))
