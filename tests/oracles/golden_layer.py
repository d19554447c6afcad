"""One attention layer computed three times over: with torch, with numpy, and with plain Python loops.

Nothing here looks at the program's own code; the formulas are those of the literature (Vaswani et al. 2017; grouped
heads: Ainslie et al. 2023). Every stage is a stack of matrices, heads x rows x columns, under the name that
`attention-lab trace` gives it.
"""
import argparse
import math

import numpy as np
import torch
import torch.nn.functional as F

import golden_positions as positions

FILLS = {'-inf': -math.inf, '-1e9': -1e9, '-1e6': -1e6, 'add-1e9': -1e9}


def parse(words):
    """The command line's words, as text, to numbers and choices."""
    p = argparse.ArgumentParser()
    p.add_argument('--heads', type=int, default=1)
    p.add_argument('--kv-heads', type=int)
    p.add_argument('--scale', default='sqrt')
    p.add_argument('--temperature', type=float, default=1.0)
    p.add_argument('--mask', action='append', default=[])
    p.add_argument('--causal-align', default='lower-right')
    p.add_argument('--fill', default='-inf')
    p.add_argument('--empty-row', default='zeros')
    p.add_argument('--position', default='none')
    p.add_argument('--shift', type=int, default=0)
    # argparse takes "-inf" for an option, so values are glued to their option first.
    o = p.parse_args([f'{words[i]}={words[i + 1]}' for i in range(0, len(words), 2)])
    o.kv_heads = o.kv_heads or o.heads
    o.causal = 'causal' in o.mask
    o.padding = [[int(n) for n in m[8:].split(',')] for m in o.mask if m.startswith('padding:')]
    o.position = positions.Position(o.position, o.shift)
    o.adds = o.position.kind in ('sinusoidal', 'learned')
    o.turns = o.position.kind == 'rope'
    return o


def scale_of(o, d_k):
    return {'sqrt': 1 / math.sqrt(d_k), 'none': 1.0}[o.scale] if o.scale in ('sqrt', 'none') else float(o.scale)


def mask_of(inputs, o, h, n, m):
    """True = masked, h x n x m; None when no mask of any kind was asked for."""
    if not (o.causal or o.padding or 'mask' in inputs):
        return None
    mask = np.zeros((h, n, m), bool)
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]
    if o.causal:
        mask |= j > i + (m - n if o.causal_align == 'lower-right' else 0)
    for lengths in o.padding:
        mask |= j >= (np.array(lengths)[:, None] if len(lengths) > 1 else lengths[0])
    if 'mask' in inputs:
        mask |= inputs['mask'] != 0
    return mask


def stack(a):
    return a if a.ndim == 3 else a[None]


def torch_stages(inputs, o, dtype=torch.float64):
    """The stages with torch in `dtype`; the golden numbers are these, in double."""
    t = {k: torch.tensor(np.ascontiguousarray(a), dtype=dtype) for k, a in inputs.items() if k != 'mask'}
    out = {}

    def project(source, letter, heads):
        y = F.linear(source, t['w_' + letter].T, t.get('b_' + letter))
        return y.reshape(len(source), heads, -1).permute(1, 0, 2)  # head r owns consecutive columns

    if 'x' in t:
        out['x'], x = stack(t['x']), t['x']
        if o.adds:
            x = x + positions.torch_encoding(o.position, *x.shape).to(dtype)
            out['position'] = stack(x)
        memory = t.get('memory', x)
        out['q'] = project(x, 'q', o.heads)
        out['k'], out['v'] = (project(memory, c, o.kv_heads) for c in 'kv')
    else:
        for c in 'qkv':
            out[c] = stack(t[c])
    h, n, d_k = out['q'].shape
    q, k = out['q'], out['k']
    if o.turns:
        q, k = (positions.torch_rotate(o.position, a.double()).to(dtype) for a in (q, k))
        out['q_rotated'], out['k_rotated'] = q, k
    k, v = (a.repeat_interleave(h // len(a), 0) for a in (k, out['v']))
    s = out['scores'] = torch.einsum('hid,hjd->hij', q, k)
    factor = scale_of(o, d_k) / (o.temperature or 1)
    s = out['scaled'] = s * factor
    added = positions.torch_bias_stages(o.position, q.double(), s.shape, factor)
    out.update({name: a.to(dtype) for name, a in added.items()})
    if 'bias' in t and 'bias' in added:
        out['position_bias'] = out.pop('bias')
        out['bias'] = out['position_bias'] + t['bias']
    if 'bias' in t or 'bias' in added:
        s = out['biased'] = s + out.get('bias', t.get('bias'))
    mask = mask_of(inputs, o, h, n, s.shape[2])
    if mask is not None:
        mask = torch.tensor(mask)
        out['mask'] = mask.to(dtype)
        fill = FILLS[o.fill]
        s = out['masked'] = torch.where(mask, s + fill, s) if o.fill == 'add-1e9' else s.masked_fill(mask, fill)
    top = out['row_max'] = s.amax(-1, keepdim=True)
    if o.temperature:
        e, a = torch.exp(s - top), F.softmax(s, -1)
    else:
        e = torch.where(top.isnan(), top, (s == top).to(dtype))
        a = e / e.sum(-1, keepdim=True)
    empty = top == -math.inf
    out['exp'] = torch.where(empty, {'zeros': 0.0, 'nan': math.nan, 'uniform': 1.0}[o.empty_row], e).to(dtype)
    out['row_sum'] = out['exp'].sum(-1, keepdim=True)
    out['weights'] = torch.where(empty, {'zeros': 0.0, 'nan': math.nan, 'uniform': 1 / s.shape[2]}[o.empty_row],
                                 a).to(dtype)
    content = torch.einsum('hij,hjd->hid', out['weights'], v)
    added = positions.torch_value_stages(o.position, out['weights'].double(), content.double())
    out.update({name: a.to(dtype) for name, a in added.items()})
    out['concat'] = stack(torch.cat(list(out['head_output']), -1))
    out['output'] = F.linear(out['concat'], t['w_o'].T, t.get('b_o')) if 'w_o' in t else out['concat']
    return {name: a.numpy() for name, a in out.items()}


def numpy_stages(inputs, o):
    """The same stages with numpy: matrix products on slices, the softmax written out."""
    t = {k: np.asarray(a, np.float64) for k, a in inputs.items()}
    out = {}

    def project(source, letter, heads):
        w, b = t['w_' + letter], t.get('b_' + letter, 0)
        return np.stack(np.split(source @ w + b, heads, axis=1))

    if 'x' in t:
        x, out['x'] = t['x'], stack(t['x'])
        if o.adds:
            x = x + positions.encoding(o.position, *x.shape)
            out['position'] = stack(x)
        memory = t.get('memory', x)
        out['q'] = project(x, 'q', o.heads)
        out['k'], out['v'] = project(memory, 'k', o.kv_heads), project(memory, 'v', o.kv_heads)
    else:
        out.update({c: stack(t[c]) for c in 'qkv'})
    h, n, d_k = out['q'].shape
    of = [r // (h // len(out['k'])) for r in range(h)]
    q, k = out['q'], out['k']
    if o.turns:
        q, k = out['q_rotated'], out['k_rotated'] = [positions.rotate(o.position, a) for a in (q, k)]
    out['scores'] = s = np.stack([q[r] @ k[of[r]].T for r in range(h)])
    out['scaled'] = s = s * scale_of(o, d_k) / (o.temperature or 1)
    added = positions.bias_stages(o.position, q, s.shape, scale_of(o, d_k) / (o.temperature or 1))
    out.update(added)
    if 'bias' in t and 'bias' in added:
        out['position_bias'] = out.pop('bias')
        out['bias'] = out['position_bias'] + t['bias']
    if 'bias' in t or 'bias' in added:
        out['biased'] = s = s + out.get('bias', t.get('bias'))
    mask = mask_of(inputs, o, h, n, s.shape[2])
    if mask is not None:
        out['mask'] = mask.astype(float)
        s = s.copy()
        s[mask] = s[mask] + FILLS[o.fill] if o.fill == 'add-1e9' else FILLS[o.fill]
        out['masked'] = s
    out['row_max'] = top = s.max(-1, keepdims=True)
    e = np.exp(s - top) if o.temperature else np.where(np.isnan(top), top, s == top)
    e = np.where(np.isneginf(top), {'zeros': 0, 'nan': math.nan, 'uniform': 1}[o.empty_row], e)
    out['exp'], out['row_sum'] = e, e.sum(-1, keepdims=True)
    out['weights'] = np.divide(e, out['row_sum'], out=np.zeros_like(e), where=out['row_sum'] != 0)
    content = np.stack([out['weights'][r] @ out['v'][of[r]] for r in range(h)])
    out.update(positions.value_stages(o.position, out['weights'], content))
    out['concat'] = stack(np.hstack(list(out['head_output'])))
    out['output'] = out['concat'] @ t['w_o'] + t.get('b_o', 0) if 'w_o' in t else out['concat']
    return out


def loop_weights(q, k, s_add, mask, factor, o):
    """Weights by brute force, number by number, for plain heads: lists in, lists out."""
    h, rows = len(q), []
    for r in range(h):
        head, keys = [], k[r // (h // len(k))]
        for i, query in enumerate(q[r]):
            s = [factor * math.fsum(a * b for a, b in zip(query, key)) + s_add[r][i][j] for j, key in enumerate(keys)]
            for j in range(len(keys)):
                if mask[r][i][j]:
                    s[j] = s[j] - 1e9 if o.fill == 'add-1e9' else FILLS[o.fill]
            top = math.nan if any(map(math.isnan, s)) else max(s)
            if top == -math.inf:
                e = [{'zeros': 0.0, 'nan': math.nan, 'uniform': 1.0}[o.empty_row]] * len(s)
            elif o.temperature or math.isnan(top):
                e = [math.exp(x - top) for x in s]
            else:
                e = [float(x == top) for x in s]
            total = sum(e)
            head.append([x / total if total else 0.0 for x in e])
        rows.append(head)
    return rows
