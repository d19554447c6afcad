"""Attention as other libraries compute and name it, each with the same layer in the program's own names.

PyTorch's own modules are run; the others are written here after their released code, with their names, layouts and
masks (check_foreign_layers.py holds them against the libraries). Every function gives what a person would dump, and as
`plain` what `attention-lab trace` reads: x, memory, w_q and so on (in x out), or q, k, v, with `bias` where a bias is
data. A Linear of PyTorch holds out x in. `half` stands for what a format does to the result of every operation; torch's
own softmax rounds once.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn


class Numbers:
    """Those of one dump, from numpy's RandomState, whose numbers no version changes."""

    def __init__(self, rng):
        self.rng = rng

    def normal(self, *shape, size=1.0):
        return torch.tensor(self.rng.normal(size=shape) * size, dtype=torch.float32)

    def weight(self, rows, columns, inputs):
        return self.normal(rows, columns, size=1.5 / math.sqrt(inputs))

    def fill(self, module):
        """Every parameter of a module of PyTorch."""
        for p in module.parameters():
            p.data = self.normal(*p.shape, size=1.5 / math.sqrt(p.shape[-1]) if p.dim() > 1 else 0.5)
        return module.eval()


def whole(x):
    return x


def heads(x, h):
    """(batch, n, h d) -> (batch, h, n, d)"""
    return x.view(*x.shape[:2], h, -1).transpose(1, 2)


def joined(x):
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)


def causal_mask(n):
    return torch.full((n, n), torch.finfo(torch.float32).min).triu(1)


def thirds(weight, bias=None):
    """Of a packed Linear, as plain arrays."""
    plain = {f'w_{c}': w.T for c, w in zip('qkv', weight.chunk(3))}
    if bias is not None:
        plain.update({f'b_{c}': b for c, b in zip('qkv', bias.chunk(3))})
    return plain


def multihead(r, averaged=False, padding=False):
    """nn.MultiheadAttention; batch_first=False: (n, batch, d)."""
    n, d, h = 7, 16, 4
    mha, x = r.fill(nn.MultiheadAttention(d, h)), r.normal(n, 1, d)
    key_padding_mask = torch.arange(n)[None] >= n - 2 if padding else None
    mask = torch.ones(n, n, dtype=torch.bool).triu(1)  # True = must not be seen
    with torch.no_grad():
        output, weights = mha(x, x, x, attn_mask=None if padding else mask, key_padding_mask=key_padding_mask,
                              average_attn_weights=averaged)
    dump = {'query': x, **mha.state_dict(), 'attn_output_weights': weights, 'attn_output': output}
    if padding:
        dump['key_padding_mask'] = key_padding_mask
    plain = {'x': x[:, 0], **thirds(mha.in_proj_weight, mha.in_proj_bias), 'w_o': mha.out_proj.weight.T,
             'b_o': mha.out_proj.bias}
    return dump, f'--heads {h} --mask ' + (f'padding:{n - 2}' if padding else 'causal'), plain


def encoder_layer(r):
    """nn.TransformerEncoderLayer: its attention, caught by a hook, among parameters that are not attention's."""
    n, d, h, caught = 6, 16, 2, {}
    layer, x = r.fill(nn.TransformerEncoderLayer(d, h, 32, dropout=0.1, batch_first=True)), r.normal(1, n, d)
    layer.self_attn.register_forward_pre_hook(lambda _, given: caught.update(x=given[0]))
    layer.self_attn.register_forward_hook(lambda _, given, out: caught.update(attn_output=out[0]))
    for p in layer.parameters():
        p.requires_grad_(True)  # with gradients PyTorch takes the road on which hooks are called
    layer_output = layer(x)
    weights = layer.self_attn(x, x, x, average_attn_weights=False)[1]
    state = layer.state_dict()
    dump = {'x': caught['x'], **state, 'attn_weights': weights, 'attn_output': caught['attn_output'],
            'layer_output': layer_output}
    plain = {'x': x[0], **thirds(state['self_attn.in_proj_weight'], state['self_attn.in_proj_bias']),
             'w_o': state['self_attn.out_proj.weight'].T, 'b_o': state['self_attn.out_proj.bias']}
    return dump, f'--heads {h}', plain


def llama(r, half=whole):
    """transformers' LlamaAttention, eager: grouped heads, rotate_half, causal, softmax in float32."""
    n, d, h, g, base = 7, 16, 4, 2, 500000.0
    d_k, x = d // h, half(r.normal(1, n, d))
    w = {c: half(r.weight(rows, d, d)) for c, rows in zip('qkvo', (d, g * d_k, g * d_k, d))}
    q, k, v = (half(F.linear(x, w[c])) for c in 'qkv')
    inv_freq = 1.0 / (base ** (torch.arange(0, d_k, 2).float() / d_k))
    angle = torch.outer(torch.arange(n).float(), inv_freq)
    cos, sin = (half(f(torch.cat((angle, angle), -1))) for f in (torch.cos, torch.sin))

    def rotated(a):
        turned = torch.cat((-a[..., d_k // 2:], a[..., :d_k // 2]), -1)
        return half(half(a * cos) + half(turned * sin))

    query, key = rotated(heads(q, h)), rotated(heads(k, g))
    key, value = (a.repeat_interleave(h // g, 1) for a in (key, heads(v, g)))
    scores = half(half(query @ key.transpose(2, 3)) / math.sqrt(d_k))
    weights = half(torch.softmax(scores + causal_mask(n), -1))
    attn_output = half(F.linear(joined(half(weights @ value)), w['o']))
    name = 'model.layers.0.self_attn.{}_proj.weight'
    dump = {'hidden_states': x, **{name.format(c): a for c, a in w.items()}, 'q_proj': q, 'k_proj': k, 'v_proj': v,
            'attn_weights': weights, 'attn_output': attn_output}
    return (dump, f'--heads {h} --kv-heads {g} --mask causal --position rope:half:500000',
            {'x': x[0], **{f'w_{c}': a.T for c, a in w.items()}})


def gpt2(r, half=whole):
    """transformers' GPT2Attention, eager: Conv1D holds in x out, q, k and v packed."""
    n, d, h = 8, 12, 3
    x = half(r.normal(1, n, d))
    c_attn, c_proj = half(r.weight(d, 3 * d, d)), half(r.weight(d, d, d))
    c_attn_bias, c_proj_bias = half(r.normal(3 * d, size=0.5)), half(r.normal(d, size=0.5))
    q, k, v = half(x @ c_attn + c_attn_bias).split(d, dim=2)
    scores = half(half(heads(q, h) @ heads(k, h).transpose(2, 3)) / math.sqrt(d // h))
    weights = half(torch.softmax(scores + causal_mask(n), -1))
    attn_output = half(joined(half(weights @ heads(v, h))) @ c_proj + c_proj_bias)
    dump = {'hidden_states': x, 'h.0.attn.c_attn.weight': c_attn, 'h.0.attn.c_attn.bias': c_attn_bias,
            'h.0.attn.c_proj.weight': c_proj, 'h.0.attn.c_proj.bias': c_proj_bias, 'attentions': weights,
            'attn_output': attn_output}
    return (dump, f'--heads {h} --mask causal',
            {'x': x[0], **thirds(c_attn.T, c_attn_bias), 'w_o': c_proj, 'b_o': c_proj_bias})


def bert(r):
    """transformers' BertSelfAttention and BertSelfOutput's dense: padding adds -10000 to the scaled scores."""
    n, d, h, valid = 7, 16, 4, 5
    x = r.normal(1, n, d)
    names = {'q': 'self.query', 'k': 'self.key', 'v': 'self.value', 'o': 'output.dense'}
    w, b = {c: r.weight(d, d, d) for c in names}, {c: r.normal(d, size=0.5) for c in names}
    attention_mask = (torch.arange(n) >= valid).float()[None, None, None] * -10000.0
    query, key, value = (heads(F.linear(x, w[c], b[c]), h) for c in 'qkv')
    scores = query @ key.transpose(-1, -2) / math.sqrt(d // h)
    probs = torch.softmax(scores + attention_mask, -1)
    context = joined(probs @ value)
    prefix = 'encoder.layer.0.attention.'
    dump = {'hidden_states': x, **{f'{prefix}{name}.weight': w[c] for c, name in names.items()},
            **{f'{prefix}{name}.bias': b[c] for c, name in names.items()}, 'attention_mask': attention_mask,
            'query_layer': query, 'key_layer': key, 'value_layer': value, 'attention_scores': scores,
            'attention_probs': probs, 'context_layer': context, 'output': F.linear(context, w['o'], b['o'])}
    return (dump, f'--heads {h} --mask padding:{valid}',
            {'x': x[0], **{f'w_{c}': a.T for c, a in w.items()}, **{f'b_{c}': a for c, a in b.items()}})


def t5(r):
    """transformers' T5Attention in an encoder: no scale, no biases, position_bias is added; h d_kv is not d."""
    n, d, h, d_kv = 6, 12, 4, 4
    x, w = r.normal(1, n, d), {c: r.weight(h * d_kv, d, d) for c in 'qkv'}
    w = {c: a / (math.sqrt(d_kv) if c == 'q' else 1) for c, a in w.items()}  # as T5 is initialised
    w['o'], table = r.weight(d, h * d_kv, d), r.normal(32, h)
    offset = torch.arange(n)[None] - torch.arange(n)[:, None]
    bucket = (offset > 0).long() * 16 + offset.abs()  # near ones have a bucket each
    position_bias = table[bucket].permute(2, 0, 1)[None]
    q, k, v = (F.linear(x, w[c]) for c in 'qkv')
    weights = torch.softmax(heads(q, h) @ heads(k, h).transpose(3, 2) + position_bias, -1)
    attn_output = F.linear(joined(weights @ heads(v, h)), w['o'])
    dump = {'hidden_states': x, **{f'SelfAttention.{c}.weight': a for c, a in w.items()},
            'position_bias': position_bias, 'query_states': heads(q, h), 'key_states': heads(k, h),
            'value_states': heads(v, h), 'attn_weights': weights, 'attn_output': attn_output}
    return (dump, f'--heads {h} --scale none',
            {'x': x[0], **{f'w_{c}': a.T for c, a in w.items()}, 'bias': position_bias[0]})


def bloom(r):
    """transformers' BloomAttention behind its packed projection: ALiBi grows with the key's place, which for a softmax
    is the same as falling with its distance."""
    n, h, d_k = 7, 4, 4
    q, k, v = (r.normal(1, n, h, d_k) for _ in 'qkv')
    slopes = torch.tensor([2.0 ** (-8 * (i + 1) / h) for i in range(h)])
    alibi = slopes[:, None, None] * torch.arange(n).float()[None, None]
    scores = q.transpose(1, 2) @ k.transpose(1, 2).transpose(2, 3) / math.sqrt(d_k) + alibi
    probs = torch.softmax(scores + causal_mask(n), -1)
    dump = {'query_layer': q, 'key_layer': k, 'value_layer': v, 'alibi': alibi, 'attention_probs': probs,
            'context_layer': joined(probs @ v.transpose(1, 2))}
    return (dump, '--mask causal --position alibi', {c: a[0].transpose(0, 1) for c, a in zip('qkv', (q, k, v))})


def jax(r):
    """jax.nn.dot_product_attention: (B, T, N, H), fewer heads of K and V, causal."""
    n, h, g, d_k = 6, 4, 2, 8
    q, k, v = r.normal(1, n, h, d_k), r.normal(1, n, g, d_k), r.normal(1, n, g, d_k)
    grouped = torch.einsum('BTKGH,BSKH->BKGTS', q.view(1, n, g, h // g, d_k), k) / math.sqrt(d_k)
    probs = torch.softmax(grouped.masked_fill(causal_mask(n) != 0, -0.7 * torch.finfo(torch.float32).max), -1)
    encoded = torch.einsum('BKGTS,BSKH->BTKGH', probs, v).reshape(1, n, h, d_k)
    dump = {'query': q, 'key': k, 'value': v, 'weights': probs.reshape(1, h, n, n), 'encoded': encoded}
    return dump, '--mask causal', {c: a[0].transpose(0, 1) for c, a in zip('qkv', (q, k, v))}


def vit(r):
    """timm's Attention: one qkv Linear, no mask; q is scaled before the product."""
    n, d, h = 8, 16, 2
    x, qkv, qkv_bias = r.normal(1, n, d), r.weight(3 * d, d, d), r.normal(3 * d, size=0.5)
    proj, proj_bias = r.weight(d, d, d), r.normal(d, size=0.5)
    q, k, v = F.linear(x, qkv, qkv_bias).reshape(1, n, 3, h, d // h).permute(2, 0, 3, 1, 4).unbind(0)
    attn = torch.softmax((q * (d // h) ** -0.5) @ k.transpose(-2, -1), -1)
    dump = {'x': x, 'blocks.0.attn.qkv.weight': qkv, 'blocks.0.attn.qkv.bias': qkv_bias,
            'blocks.0.attn.proj.weight': proj, 'blocks.0.attn.proj.bias': proj_bias, 'attn': attn,
            'out': F.linear(joined(attn @ v), proj, proj_bias)}
    return dump, f'--heads {h}', {'x': x[0], **thirds(qkv, qkv_bias), 'w_o': proj.T, 'b_o': proj_bias}


def whisper(r):
    """transformers' WhisperAttention in a decoder, over the encoder's output: no bias of K."""
    n, m, d, h = 4, 8, 16, 4
    x, memory = r.normal(1, n, d), r.normal(1, m, d)
    names = {'q': 'q_proj', 'k': 'k_proj', 'v': 'v_proj', 'o': 'out_proj'}
    w, b = {c: r.weight(d, d, d) for c in names}, {c: r.normal(d, size=0.5) for c in 'qvo'}
    query = heads(F.linear(x, w['q'], b['q']) * (d // h) ** -0.5, h)
    weights = torch.softmax(query @ heads(F.linear(memory, w['k']), h).transpose(2, 3), -1)
    attn_output = F.linear(joined(weights @ heads(F.linear(memory, w['v'], b['v']), h)), w['o'], b['o'])
    prefix = 'decoder.layers.0.encoder_attn.'
    dump = {'hidden_states': x, 'key_value_states': memory,
            **{f'{prefix}{name}.weight': w[c] for c, name in names.items()},
            **{f'{prefix}{names[c]}.bias': a for c, a in b.items()}, 'attn_weights': weights,
            'attn_output': attn_output}
    return (dump, f'--heads {h}', {'x': x[0], 'memory': memory[0], **{f'w_{c}': a.T for c, a in w.items()},
                                   **{f'b_{c}': a for c, a in b.items()}})


def sdpa(r):
    """F.scaled_dot_product_attention(q, k, v, attn_mask): (batch, h, n, d), True = may be seen; it has no weights."""
    n, h, d_k = 7, 2, 8
    q, k, v = (r.normal(1, h, n, d_k) for _ in 'qkv')
    i, j = torch.arange(n)[:, None], torch.arange(n)[None]
    attn_mask = (j <= i) & (i - j <= 2)
    scores = (q @ k.transpose(-2, -1) / math.sqrt(d_k)).masked_fill(~attn_mask, -math.inf)
    dump = {'q': q, 'k': k, 'v': v, 'attn_mask': attn_mask, 'output': torch.softmax(scores, -1) @ v}
    return dump, '--mask causal --mask window:2', {'q': q[0], 'k': k[0], 'v': v[0]}
