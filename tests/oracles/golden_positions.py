"""Position encodings computed twice: as torch programs write them, and with numpy by the definition.

Sines: Vaswani et al. 2017. RoPE: Su et al. 2021, neighbouring pairs as products of complex numbers, split pairs as
`x cos + rotate_half(x) sin`; by definition as 2x2 matrices. ALiBi: Press et al. 2022, with the slopes of the authors'
program; by definition slope by slope. Relative vectors: Shaw et al. 2018. Buckets: Raffel et al. 2020, with the
formula of the authors' program; by definition the first distance of each bucket. Stretched RoPE: Chen et al. 2023
(interpolation), "NTK-aware" (base), Peng et al. 2023 (YaRN).
"""
import math

import numpy as np
import torch

KINDS = {  # settings told by their place
    'none': [], 'sinusoidal': ['base'], 'learned': ['seed', 'length'], 'rope': ['pairing', 'base'], 'alibi': [],
    'relative': ['clip', 'seed'], 't5': ['buckets', 'max_distance', 'seed']}
LEARNED_SD = math.sqrt(0.5)


class Position:
    """The words of --position: kind:setting:..., any setting as key=value."""

    def __init__(self, words, shift):
        self.shift, self.base, self.length, self.pairing, self.part = shift, 10000.0, 512, 'neighbour', 0
        self.stretch, self.factor, self.trained, self.values, self.causal = 'none', 1.0, 2048, False, False
        self.kind, *rest = words.split(':')
        places = list(KINDS[self.kind])
        for word in rest:
            if '=' in word:
                key, word = word.split('=')
            elif word in ('values', 'causal'):
                key, word = word, True
            else:
                if places[0] == 'pairing' and word not in ('neighbour', 'half'):
                    places.pop(0)
                key = places.pop(0)
            old = getattr(self, key, 0)
            setattr(self, key, type(old)(word))


def random_bits(seed, e):
    """SplitMix64 of a counter, its upper 24 bits."""
    mask = (1 << 64) - 1
    z = (seed + (e + 1) * 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return (z ^ (z >> 31)) >> 40


def normals(seed, shape, sd):
    """Box and Muller's numbers in the order of the tensor, each rounded to float before it is scaled."""
    def one(e):
        u, v = ((random_bits(seed, 2 * e + i) + 0.5) / 2 ** 24 for i in (0, 1))
        return np.float32(math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v))
    return sd * np.array([one(e) for e in range(int(np.prod(shape)))], np.float64).reshape(shape)


def encoding(p, n, d):
    """What is added to X: numpy, number by number."""
    if p.kind == 'learned':
        return normals(p.seed, (p.length, d), LEARNED_SD)[p.shift:p.shift + n]
    out = np.zeros((n, d))
    for i in range(n):
        for c in range(d):
            angle = (p.shift + i) / p.base ** (2 * (c // 2) / d)
            out[i, c] = math.cos(angle) if c % 2 else math.sin(angle)
    return out


def torch_encoding(p, n, d):
    if p.kind == 'learned':
        return torch.nn.functional.embedding(torch.arange(p.shift, p.shift + n),
                                             torch.tensor(normals(p.seed, (p.length, d), LEARNED_SD)))
    angle = torch.outer(torch.arange(p.shift, p.shift + n, dtype=torch.float64),
                        p.base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d))
    return torch.stack((angle.sin(), angle.cos()), -1).reshape(n, -1)[:, :d]


def frequencies(p, d):
    """Of each pair of the d turned features, stretched."""
    widened = p.stretch == 'ntk' and d > 2  # one pair turns by 1 with any base
    base = p.base * p.factor ** (d / (d - 2)) if widened else p.base
    out = []
    for i in range(d // 2):
        theta = base ** (-2 * i / d)
        if p.stretch == 'interpolation':
            theta /= p.factor
        if p.stretch == 'yarn':
            turns = p.trained * theta / (2 * math.pi)
            gamma = 0 if turns < 1 else 1 if turns > 32 else (turns - 1) / 31
            theta = (1 - gamma) * theta / p.factor + gamma * theta
        if p.stretch == 'yarn-released':  # find_correction_range and linear_ramp_mask of the released program
            low, high = (math.log(p.trained / (turns * 2 * math.pi)) * d / (2 * math.log(base))
                         for turns in (32, 1))
            low, high = max(math.floor(low), 0), min(math.ceil(high), d - 1)
            ramp = min(max((i - low) / (high - low if high > low else 0.001), 0), 1)
            theta = theta / p.factor * ramp + theta * (1 - ramp)
        if p.stretch == 'llama3':  # _compute_llama3_parameters of transformers
            wavelength = 2 * math.pi / theta
            smooth = (p.trained / wavelength - 1) / (4 - 1)
            if wavelength > p.trained:
                theta /= p.factor
            elif wavelength >= p.trained / 4:
                theta = (1 - smooth) * theta / p.factor + smooth * theta
        out.append(theta)
    return np.array(out)


def gain(p):
    return 0.1 * math.log(p.factor) + 1 if p.stretch in ('yarn', 'yarn-released') else 1.0


def rotate(p, x):
    """By 2x2 matrices, one pair of one row at a time."""
    out, d = x.copy(), p.part or x.shape[-1]
    for i, theta in enumerate(frequencies(p, d)):
        a, b = (2 * i, 2 * i + 1) if p.pairing == 'neighbour' else (i, i + d // 2)
        for row in range(x.shape[1]):
            c, s = math.cos((p.shift + row) * theta), math.sin((p.shift + row) * theta)
            out[:, row, [a, b]] = gain(p) * x[:, row, [a, b]] @ np.array([[c, s], [-s, c]])
    return out


def torch_rotate(p, x):
    d = p.part or x.shape[-1]
    turned, rest = x[..., :d], x[..., d:]
    angle = torch.outer(torch.arange(p.shift, p.shift + x.shape[1], dtype=torch.float64),
                        torch.tensor(frequencies(p, d)))
    if p.pairing == 'neighbour':
        pairs = torch.view_as_complex(turned.reshape(*turned.shape[:-1], -1, 2).contiguous())
        turned = torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2)
    else:
        angle = torch.cat((angle, angle), -1)
        half = torch.cat((-turned[..., d // 2:], turned[..., :d // 2]), -1)
        turned = turned * angle.cos() + half * angle.sin()
    return torch.cat((turned * gain(p), rest), -1)


def published_slopes(h):
    """As the authors' program has it: a power of two, or the lower one and every other of the next."""
    def power(n):
        start = 2 ** (-2 ** -(math.log2(n) - 3))
        return [start * start ** i for i in range(n)]
    if math.log2(h).is_integer():
        return power(h)
    low = 2 ** math.floor(math.log2(h))
    return power(low) + published_slopes(2 * low)[0::2][:h - low]


def slope(r, h):
    low = 1
    while 2 * low <= h:
        low *= 2
    return 2.0 ** (-8 * (r + 1) / low) if r < low else 2.0 ** (-8 * (2 * (r - low) + 1) / (2 * low))


def bucket(p, offset):
    """By the first distance of each bucket: exp(log) of the boundary, met exactly where it is a whole number."""
    count = p.buckets if p.causal else p.buckets // 2
    distance = max(0, -offset) if p.causal else abs(offset)
    behind = count if offset > 0 and not p.causal else 0
    own = count // 2
    if distance < own:
        return behind + distance
    found = own
    for b in range(own + 1, count):
        first = own * (p.max_distance / own) ** ((b - own) / (count - own))
        if distance >= first * (1 - 1e-12):
            found = b
    return behind + found


def torch_buckets(p, n, m):
    offset = torch.arange(m)[None, :] - torch.arange(n)[:, None]
    count = p.buckets
    if p.causal:
        found, distance = torch.zeros_like(offset), -torch.min(offset, torch.zeros_like(offset))
    else:
        count //= 2
        found, distance = (offset > 0).long() * count, offset.abs()
    exact = count // 2
    share = torch.log(distance.double().clamp(min=1) / exact) / math.log(p.max_distance / exact) * (count - exact)
    far = (exact + (share + 1e-12).long()).clamp(max=count - 1)
    return found + torch.where(distance < exact, distance, far)


def bias_stages(p, q, shape, factor):
    """name -> stage, of numpy: what is added to the scaled scores."""
    h, n, m = shape
    offsets = [[j - i for j in range(m)] for i in range(n)]
    if p.kind == 'alibi':
        return {'bias': np.array([[[-slope(r, h) * abs(o) for o in row] for row in offsets] for r in range(h)])}
    if p.kind == 't5':
        table = normals(p.seed, (h, 1, p.buckets), 1.0)
        bias = np.array([[[table[r, 0, bucket(p, o)] for o in row] for row in offsets] for r in range(h)])
        return {'bias_table': table, 'bias': bias}
    if p.kind == 'relative':
        table = normals(p.seed, (2 * p.clip + 1, q.shape[-1]), LEARNED_SD)
        scores = q @ table.T
        bias = np.array([[[scores[r, i, min(max(o, -p.clip), p.clip) + p.clip] * factor for o in offsets[i]]
                          for i in range(n)] for r in range(h)])
        return {'relative_keys': table[None], 'relative_scores': scores, 'relative_scaled': scores * factor,
                'bias': bias}
    return {}


def torch_bias_stages(p, q, shape, factor):
    h, n, m = shape
    if p.kind == 'alibi':
        distance = (torch.arange(m)[None, :] - torch.arange(n)[:, None]).abs().double()
        return {'bias': -torch.tensor(published_slopes(h), dtype=torch.float64)[:, None, None] * distance}
    if p.kind == 't5':
        table = torch.tensor(normals(p.seed, (h, p.buckets), 1.0))
        return {'bias_table': table[:, None], 'bias': table[:, torch_buckets(p, n, m)]}
    if p.kind == 'relative':
        table = torch.tensor(normals(p.seed, (2 * p.clip + 1, q.shape[-1]), LEARNED_SD))
        index = (torch.arange(m)[None, :] - torch.arange(n)[:, None]).clamp(-p.clip, p.clip) + p.clip
        vectors = torch.nn.functional.embedding(index, table)
        scores = torch.einsum('hid,od->hio', q, table)
        return {'relative_keys': table[None], 'relative_scores': scores, 'relative_scaled': scores * factor,
                'bias': torch.einsum('hid,ijd->hij', q, vectors) * factor}
    return {}


def value_stages(p, weights, content):
    """Of numpy: the heads' outputs with what the offsets add to the values."""
    if p.kind != 'relative' or not p.values:
        return {'head_output': content}
    h, n, m = weights.shape
    table = normals(p.seed + 1, (2 * p.clip + 1, content.shape[-1]), LEARNED_SD)
    shares = np.zeros((h, n, 2 * p.clip + 1))
    for i in range(n):
        for j in range(m):
            shares[:, i, min(max(j - i, -p.clip), p.clip) + p.clip] += weights[:, i, j]
    return {'content_output': content, 'relative_weights': shares, 'relative_values': table[None],
            'relative_output': shares @ table, 'head_output': content + shares @ table}


def torch_value_stages(p, weights, content):
    if p.kind != 'relative' or not p.values:
        return {'head_output': content}
    h, n, m = weights.shape
    table = torch.tensor(normals(p.seed + 1, (2 * p.clip + 1, content.shape[-1]), LEARNED_SD))
    index = (torch.arange(m)[None, :] - torch.arange(n)[:, None]).clamp(-p.clip, p.clip) + p.clip
    shares = torch.zeros(h, n, 2 * p.clip + 1, dtype=torch.float64).scatter_add_(2, index.expand(h, n, m), weights)
    offsets = torch.einsum('hij,ijd->hid', weights, torch.nn.functional.embedding(index, table))
    return {'content_output': content, 'relative_weights': shares, 'relative_values': table[None],
            'relative_output': offsets, 'head_output': content + offsets}
