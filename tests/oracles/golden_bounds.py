"""How far two honest computations of a stage may lie apart: a running error bound, cell by cell.

Given the stages' exact values and the unit roundoff u of the arithmetic, `bounds` carries |error| from stage to
stage to first order and above (Higham, Accuracy and Stability of Numerical Algorithms, sections 3.1 and 3.5):
  a sum of k products, in any order: (k+1)·u·Σ|a||b|, plus the errors that the factors bring;
  x−max: u·|x−max|; exp: 3 ulp, division: 2.5 ulp, sin and cos: 4 ulp, pow: 16 ulp (OpenCL 1.2 specification,
  table 7.1; 1 ulp is at most 2u relative). libm and Eigen are better than that.
Errors are computed at u = 2^-24 and stored in units of u. Every term is linear or convex in u, so the same number
times a smaller u bounds the arithmetic of that u too.
"""
import numpy as np

import golden_positions as positions
from golden_layer import scale_of

U = 2.0 ** -24


def finite(a):
    return np.where(np.isfinite(a), a, 0.0)


def product(a, b, ea, eb, extra=0.0):
    """Of a·b: stacks of matrices with errors ea, eb; `extra`: magnitudes added afterwards."""
    a, b = np.abs(finite(a)), np.abs(finite(b))
    k = a.shape[-1]
    return (k + 1) * U * (a @ b + extra) + ea @ b + a @ eb + ea @ eb


def row_max_error(s, e):
    """Only a key that can be the largest after rounding can move the maximum."""
    candidate = s + e >= (s - e).max(-1, keepdims=True)
    return np.where(candidate, e, 0).max(-1, keepdims=True)


def bounds(inputs, o, st, input_error=0.0):
    """name → |error| bound of each cell; cells that are not finite are compared by class and get 0.

    input_error: relative error of the inputs themselves (0 when they are exact).
    """
    e = {}
    t = {k: np.asarray(a, np.float64) for k, a in inputs.items() if k != 'mask'}
    own = {k: np.abs(finite(a)) * input_error for k, a in t.items()}

    def project(source, es, letter, heads):
        w, ew = t['w_' + letter], own['w_' + letter]
        b = np.abs(t.get('b_' + letter, np.zeros(w.shape[1])))
        y = product(source, w, es, ew, b) + input_error * b
        return np.stack(np.split(y, heads, axis=-1)) if heads else y

    if 'x' in t:
        x, ex = t['x'], own['x']
        e['x'] = ex[None]
        if o.adds:
            ex = ex + encoding_error(o.position, *x.shape)
            x = st['position'][0]
            ex = ex + np.abs(x) * U
            e['position'] = ex[None]
        memory, em = (t['memory'], own['memory']) if 'memory' in t else (x, ex)
        e['q'] = project(x, ex, 'q', o.heads)
        e['k'], e['v'] = (project(memory, em, c, o.kv_heads) for c in 'kv')
    else:
        for c in 'qkv':
            e[c] = own[c].reshape(st[c].shape)
    h, _, d_k = st['q'].shape
    q, k, eq, ek = st['q'], st['k'], e['q'], e['k']
    if o.turns:
        eq, ek = e['q_rotated'], e['k_rotated'] = [rotation_error(o.position, *a) for a in ((q, eq), (k, ek))]
        q, k = st['q_rotated'], st['k_rotated']
    k, v, ek, ev = (np.repeat(a, h // len(a), 0) for a in (k, st['v'], ek, e['v']))
    e['scores'] = product(q, k.transpose(0, 2, 1), eq, ek.transpose(0, 2, 1))
    factor = scale_of(o, d_k) / (o.temperature or 1)
    s, es = finite(st['scaled']), abs(factor) * e['scores'] + 5 * U * np.abs(finite(st['scaled']))
    e['scaled'] = es
    if 'biased' in st:
        ebias = bias_error(o.position, st, e, own, factor)
        s, es = st['biased'], es + ebias + U * np.abs(finite(st['biased']))
        e['biased'] = es
    if 'mask' in st:
        on, e['mask'] = st['mask'] != 0, np.zeros_like(st['mask'])
        s = st['masked']
        es = np.where(on, es + U * np.abs(finite(s)) if o.fill == 'add-1e9' else 0.0, es)
        e['masked'] = es
    e.update(softmax_bounds(s, es, st, o))
    e['head_output'] = product(st['weights'], v, e['weights'], ev)
    if 'relative_output' in st:
        value_error(st, e)
    e['concat'] = np.concatenate(list(e['head_output']), -1)[None]
    e['output'] = project(st['concat'], e['concat'], 'o', 0) if 'w_o' in t else e['concat']
    return {name: np.where(np.isfinite(st[name]), e[name], 0.0) for name in st}


def encoding_error(p, n, d):
    """Angle: pow and two products; |sin|, |cos| ≤ 1. A learned number is rounded twice."""
    if p.kind == 'learned':
        return 2 * U * np.abs(positions.encoding(p, n, d))
    return (p.shift + np.arange(n))[:, None] * p.base ** (-2.0 * (np.arange(d)[None, :] // 2) / d) * 34 * U + 8 * U


def rotation_error(p, x, ex):
    """Of the turned rows x: their own errors turn along; angles as above; two products and a sum."""
    d = p.part or x.shape[-1]
    half = d // 2
    first = np.arange(d) // 2 * 2 if p.pairing == 'neighbour' else np.arange(d) % half
    second = first + (1 if p.pairing == 'neighbour' else half)
    pair = first // 2 if p.pairing == 'neighbour' else first
    angle = (p.shift + np.arange(x.shape[1]))[:, None] * positions.frequencies(p, d)[pair][None, :]
    size = positions.gain(p) * (np.abs(x[..., first]) + np.abs(x[..., second]))
    out = ex.copy()
    out[..., :d] = positions.gain(p) * (ex[..., first] + ex[..., second]) + size * (angle * 40 * U + 16 * U)
    return out


def bias_error(p, st, e, own, factor):
    """Of what is added to the scaled scores; the stages before it on the way."""
    if p.kind == 'alibi':
        error = 24 * U * np.abs(st['bias' if 'position_bias' not in st else 'position_bias'])  # exp2 and a product
    elif p.kind == 't5':
        e['bias_table'] = 2 * U * np.abs(st['bias_table'])
        error = 2 * U * np.abs(st['bias_table']).max()  # looked up
    elif p.kind == 'relative':
        keys = st['relative_keys']
        e['relative_keys'] = 2 * U * np.abs(keys)
        e['relative_scores'] = product(st['q'], keys.transpose(0, 2, 1), e['q'], e['relative_keys'].transpose(0, 2, 1))
        e['relative_scaled'] = abs(factor) * e['relative_scores'] + 5 * U * np.abs(st['relative_scaled'])
        n, m = st['scores'].shape[1:]
        index = np.clip(np.arange(m)[None, :] - np.arange(n)[:, None], -p.clip, p.clip) + p.clip
        error = np.take_along_axis(e['relative_scaled'], np.broadcast_to(index, st['scores'].shape), 2)
    else:
        return own['bias']
    name = 'position_bias' if 'position_bias' in st else 'bias'
    e[name] = error = np.broadcast_to(error, st[name].shape)
    if 'position_bias' in st:
        e['bias'] = error = error + own['bias'] + U * np.abs(finite(st['bias']))
    return error


def value_error(st, e):
    e['content_output'] = e['head_output']
    m = st['weights'].shape[-1]
    e['relative_weights'] = e['weights'].sum(-1, keepdims=True) + (m + 1) * U * st['relative_weights']
    e['relative_values'] = 2 * U * np.abs(st['relative_values'])
    e['relative_output'] = product(st['relative_weights'], st['relative_values'], e['relative_weights'],
                                   e['relative_values'])
    e['head_output'] = e['content_output'] + e['relative_output'] + U * np.abs(finite(st['head_output']))


def softmax_bounds(s, es, st, o):
    with np.errstate(all='ignore'):
        top, etop = st['row_max'], finite(row_max_error(s, es))
        soft = np.isfinite(top) & (o.temperature != 0)
        # s = −∞ under a finite maximum is exactly 0 in any arithmetic. Nothing moves by more than 1.
        gap = finite(es + etop + U * np.abs(s - top) + 6 * U)
        ee = np.where(soft & np.isfinite(s), np.minimum(finite(st['exp']) * np.expm1(np.minimum(gap, 700)), 1), 0)
        total = finite(st['row_sum'])
        et = ee.sum(-1, keepdims=True) + np.where(soft, s.shape[-1] * U * total, 0)
        left = total - et
        a = finite(st['weights'])
        ea = np.where(left > 0, (ee + a * et) / left + 5 * U * a, np.where(total > 0, 1, 0))
    if not o.temperature:
        # 0 or 1 must not depend on rounding: away from the maximum by more than both errors, or equal exactly.
        with np.errstate(invalid='ignore'):
            assert np.all(~np.isfinite(top) | (s == top) | (s + es < top - etop)), 'an argmax within rounding'
    return {'row_max': etop, 'exp': ee, 'row_sum': et, 'weights': np.minimum(ea, 1)}
