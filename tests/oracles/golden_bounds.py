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
        if o.base is not None:
            n, d = x.shape
            angle = np.arange(n)[:, None] * o.base ** (-2.0 * (np.arange(d)[None, :] // 2) / d)
            ex = ex + angle * 34 * U + 8 * U  # angle: pow and two products; |sin|, |cos| ≤ 1
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
    k, v, ek, ev = (np.repeat(a, h // len(a), 0) for a in (st['k'], st['v'], e['k'], e['v']))
    e['scores'] = product(st['q'], k.transpose(0, 2, 1), e['q'], ek.transpose(0, 2, 1))
    factor = scale_of(o, d_k) / (o.temperature or 1)
    s, es = finite(st['scaled']), abs(factor) * e['scores'] + 5 * U * np.abs(finite(st['scaled']))
    e['scaled'] = es
    if 'bias' in t:
        s, es = st['biased'], es + own['bias'] + U * np.abs(finite(st['biased']))
        e['biased'] = es
    if 'mask' in st:
        on, e['mask'] = st['mask'] != 0, np.zeros_like(st['mask'])
        s = st['masked']
        es = np.where(on, es + U * np.abs(finite(s)) if o.fill == 'add-1e9' else 0.0, es)
        e['masked'] = es
    e.update(softmax_bounds(s, es, st, o))
    e['head_output'] = product(st['weights'], v, e['weights'], ev)
    e['concat'] = np.concatenate(list(e['head_output']), -1)[None]
    e['output'] = project(st['concat'], e['concat'], 'o', 0) if 'w_o' in t else e['concat']
    return {name: np.where(np.isfinite(st[name]), e[name], 0.0) for name in st}


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
