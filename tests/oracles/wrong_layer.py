"""One attention layer in double, with the mistakes that `attention-lab check` knows as switches, by its words.

numpy alone, after the formulas of the literature (Vaswani et al. 2017; grouped heads: Ainslie et al. 2023; RoPE: Su et
al. 2021; ALiBi: Press et al. 2022; YaRN: Peng et al. 2023); nothing here looks at the program's own code. Where a word
leaves a choice, it is made here:

heads-split-by-reshape   q, k and v alike: (n, h d_k) is cut as (h, n, d_k); RoPE turns row p of what was cut by p
w-not-transposed         the matrices named ("qkvo", or some of them), all of which are square
packed-order             W_Q, W_K and W_V, with their biases, are taken in the order named: "kqv" takes W_K for W_Q
biases-forgotten         all of them; w_o-forgotten: its bias too
dropout-on               `weights` are what dropout leaves of them, as torch returns them
padding-of-queries       rows from the valid length on are masked, instead of columns
mask-inverted            the whole mask, after every rule was joined
positions-twice          the encoding is added twice
float16, bfloat16        inputs, parameters and every stage are rounded
rope-on-values           V is turned as K is, by the same angles
A row (or column) without any key has weights of 0.
"""
import math
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Layer:
    """What the arrays don't say: the options of the command line."""
    heads: int
    kv_heads: int
    causal: bool = False
    top_left: bool = False
    padding: int = 0          # how many keys are valid; 0: no such mask
    window: int = 0
    position: str = ''        # '', 'rope', 'alibi', 'sinusoidal'
    pairing: str = 'half'     # of RoPE, as are those below
    base: int = 10000
    stretched: float = 0      # YaRN's factor, with a training length of 4; 0: not stretched
    soft_cap: float = 0
    qk_norm: bool = False

    def options(self):
        words = f'--heads {self.heads}'
        words += f' --kv-heads {self.kv_heads}' if self.kv_heads != self.heads else ''
        words += ' --mask causal' if self.causal else ''
        words += ' --causal-align top-left' if self.top_left else ''
        words += f' --mask padding:{self.padding}' if self.padding else ''
        words += f' --mask window:{self.window}' if self.window else ''
        if self.position == 'rope':
            words += f' --position rope:{self.pairing}:{self.base}'
            words += f':stretch=yarn:factor={self.stretched:g}:trained=4' if self.stretched else ''
        elif self.position:
            words += f' --position {self.position}'
        words += f' --soft-cap {self.soft_cap:g}' if self.soft_cap else ''
        return words + (' --qk-norm' if self.qk_norm else '')


def float16(x):
    return x.astype(np.float32).astype(np.float16).astype(float)


def bfloat16(x):
    """To the upper half of a float32, to nearest, ties to even."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32).astype(np.uint64)
    upper = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return upper.astype(np.uint32).view(np.float32).astype(float)


def frequencies(o, d, base):
    theta = float(base) ** (-2 * np.arange(d // 2) / d)
    if not o.stretched:
        return theta
    share = np.clip((4 * theta / (2 * math.pi) - 1) / 31, 0, 1)
    return (1 - share) * theta / o.stretched + share * theta


def turn(o, x, wrong):
    """RoPE: features are complex numbers in pairs, each multiplied by e^(i p theta)."""
    pairing, base = o.pairing, o.base
    if 'rope-pairing' in wrong:
        pairing = 'neighbour' if pairing == 'half' else 'half'
    if 'rope-base' in wrong:
        base = 10000 if base == 500000 else 500000
    d = x.shape[-1]
    first = np.arange(d // 2) if pairing == 'half' else np.arange(0, d, 2)
    second = first + (d // 2 if pairing == 'half' else 1)
    gain = 0.1 * math.log(o.stretched) + 1 if o.stretched else 1
    z = (x[..., first] + 1j * x[..., second]) * np.exp(1j * np.outer(np.arange(x.shape[1]), frequencies(o, d, base)))
    out = np.empty_like(x)
    out[..., first], out[..., second] = gain * z.real, gain * z.imag
    return out


def normed(x, r):
    return r(x / r(np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6)))


def encoding(n, d, first):
    angle = np.outer(np.arange(first, first + n), 10000.0 ** (-(np.arange(d) // 2 * 2) / d))
    return np.where(np.arange(d) % 2, np.cos(angle), np.sin(angle))


def hidden(o, n, m, wrong):
    """True = masked, n x m; None without a mask."""
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]
    mask = np.zeros((n, m), bool)
    if o.causal:
        lower_right = o.top_left if 'causal-alignment' in wrong else not o.top_left
        last = i + (m - n if lower_right else 0)
        mask |= j > last + ('causal-sees-ahead' in wrong) - ('causal-hides-itself' in wrong)
    if o.padding and 'padding-of-queries' in wrong:
        mask |= i >= o.padding
    elif o.padding and 'padding-forgotten' not in wrong:
        mask |= j >= o.padding
    if o.window:
        mask |= abs(i - j) > o.window + wrong.get('window-off-by-one', 0)
    return ~mask if 'mask-inverted' in wrong else mask


def scale(o, d, d_k, wrong):
    divisors = {'no-scale': 1, 'scale-by-d_k': d_k, 'scale-twice': math.sqrt(d_k) ** 2,
                'scale-by-model-width': math.sqrt(d)}
    divisor = next((divisors[w] for w in wrong if w in divisors), math.sqrt(d_k))
    return 1 / divisor / wrong.get('temperature', 1)


def exponentials(s, axis):
    top = s.max(axis, keepdims=True)
    return np.exp(s - np.where(np.isneginf(top), 0, top))


def position_bias(o, n, m, wrong):
    if o.position != 'alibi':
        return None
    distance = abs(np.arange(n)[:, None] - np.arange(m)[None, :])
    slopes = 2.0 ** (-8 * (np.arange(o.heads) + 1) / o.heads)  # of a power of two
    slopes = np.ones(o.heads) if 'alibi-no-slope' in wrong else slopes
    return (1 if 'alibi-sign' in wrong else -1) * slopes[:, None, None] * distance


def parameters(t, o, wrong, r):
    """What the layer multiplies with and adds: weights and biases, rounded, and as mistaken."""
    w = {c: r(t['w_' + c]) for c in 'qkvo' if 'w_' + c in t}
    b = {c: r(t['b_' + c]) for c in 'qkvo' if 'b_' + c in t and 'biases-forgotten' not in wrong}
    order = wrong.get('packed-order', 'qkv')
    w.update({c: a for c, a in zip('qkv', [w[c] for c in order])})
    b.update({c: a for c, a in zip('qkv', [b[c] for c in order])} if b else {})
    w.update({c: w[c].T for c in wrong.get('w-not-transposed', '')})
    return w, b


def queries_keys_values(t, o, wrong, r):
    x = r(t['x'])
    if o.position == 'sinusoidal' and 'positions-forgotten' not in wrong:
        times = 2 if 'positions-twice' in wrong else 1
        x = r(x + times * r(encoding(*x.shape, 'positions-from-1' in wrong)))
    memory = r(t['memory']) if 'memory' in t else x
    w, b = parameters(t, o, wrong, r)

    def projected(source, c, heads):
        y = source @ w[c]
        y = r(y + b[c] if c in b else y)
        if 'heads-split-by-reshape' in wrong:
            return y.reshape(heads, len(y), -1)
        return y.reshape(len(y), heads, -1).transpose(1, 0, 2)

    q, k, v = (projected(*of) for of in ((x, 'q', o.heads), (memory, 'k', o.kv_heads), (memory, 'v', o.kv_heads)))
    late = 'qk-norm-after-rope' in wrong
    norm = o.qk_norm and 'qk-norm-forgotten' not in wrong
    if norm and not late:
        q, k = normed(q, r), normed(k, r)
    if o.position == 'rope' and 'rope-forgotten' not in wrong:
        q, k = r(turn(o, q, wrong)), r(turn(o, k, wrong))
        v = r(turn(o, v, wrong)) if 'rope-on-values' in wrong else v
    if norm and late:
        q, k = normed(q, r), normed(k, r)
    return q, k, v


def weights_of(o, s, wrong, r):
    h, n, m = s.shape
    mask = hidden(o, n, m, wrong)
    if 'mask-adds-1' in wrong:
        s = r(s + mask)
    elif 'mask-after-softmax' not in wrong:
        s = np.where(mask, -np.inf, s)
    axis = 0 if 'softmax-over-heads' in wrong else 1 if 'softmax-over-queries' in wrong else 2
    e = r(exponentials(s, axis))
    total = r(e.sum(axis, keepdims=True))
    weights = r(np.divide(e, total, out=np.zeros_like(e), where=total > 0))
    if 'mask-after-softmax' in wrong:
        weights = np.where(mask, 0, weights)
    if 'dropout-on' in wrong:
        p, kept = wrong['dropout-on']
        weights = r(np.where(kept, weights / (1 - p), 0))
    return weights


def compute(t, o, wrong):
    """Stages of the layer with the mistakes: {word: its detail, or True}."""
    r = float16 if 'float16' in wrong else bfloat16 if 'bfloat16' in wrong else np.float64
    t = {name: np.asarray(a, float) for name, a in t.items()}
    q, k, v = queries_keys_values(t, o, wrong, r)
    (h, n, d_k), m, shared = q.shape, k.shape[1], o.heads // o.kv_heads
    of = [head % o.kv_heads if 'groups-tiled' in wrong else head // shared for head in range(h)]
    turned = k.reshape(-1, d_k, m) if 'k-reshaped' in wrong else k.transpose(0, 2, 1)
    out = {'scores': r(np.einsum('hid,hdj->hij', q, turned[of]))}
    out['scaled'] = s = r(out['scores'] * scale(o, t['x'].shape[1], d_k, wrong))
    if o.soft_cap and 'soft-cap-forgotten' not in wrong:
        out['capped'] = s = r(o.soft_cap * np.tanh(s / o.soft_cap))
    bias = position_bias(o, n, m, wrong)
    if bias is not None:
        out['biased'] = s = r(s + r(bias))
    out['weights'] = weights_of(o, s, wrong, r)
    out['head_output'] = heads = r(np.einsum('hij,hjd->hid', out['weights'], v[of]))
    merged = heads if 'heads-merged-by-reshape' in wrong else heads.transpose(1, 0, 2)
    out['concat'] = out['output'] = merged.reshape(n, -1)
    if 'w_o' in t and 'w_o-forgotten' not in wrong:
        w, b = parameters(t, o, wrong, r)
        out['output'] = r(out['concat'] @ w['o'] + b.get('o', 0))
    return out
