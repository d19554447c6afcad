"""The models that learn, of PyTorch's own modules (MultiheadAttention, LayerNorm, Linear, Embedding, GELU).

A model is a dict: sides (encoder, causal or both), length, answers (of both sides), decoder (of both: slots or written),
symbols, width, heads, layers, inner, position, tied, scale, residual. A decoder that reads what is written is given the
target, and has a start symbol behind the others.
"""
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

NOTHING = -100  # is asked
CLIP = 16  # offsets of relative positions


def alibi(heads, n):
    """Biases of heads, whose slopes are powers of 2^(-8/heads), which is a power of two."""
    apart = (torch.arange(n)[:, None] - torch.arange(n)[None, :]).abs().double()
    return torch.stack([-(2.0 ** (-8 * (h + 1) / heads)) * apart for h in range(heads)])


def sines(n, d):
    angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)[None, :]
    table = np.zeros((n, d))
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return torch.tensor(table)


def turned(x):
    """RoPE of heads x n x d: pairs of neighbours turned by p / 10000^(2i/d)."""
    n, d = x.shape[-2:]
    angle = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)[None, :]
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle).to(pairs)).flatten(-2)


def clipped(n):
    """Which relative vector a query (row) has for a key (column)."""
    return (torch.arange(n)[None, :] - torch.arange(n)[:, None]).clamp(-CLIP, CLIP) + CLIP


def buckets(n, causal):
    """Which of T5's 32 numbers a query (row) has for a key (column)."""
    offset = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    count = 32 if causal else 16
    apart = (-offset).clamp(min=0) if causal else offset.abs()
    near = count // 2
    far = near + (torch.log(apart.clamp(min=1) / near) / math.log(128 / near) * (count - near)).long()
    found = torch.where(apart < near, apart, far.clamp(max=count - 1))
    return found if causal else found + count * (offset > 0)


class Attention(nn.MultiheadAttention):
    """PyTorch's own, and in steps where positions or a missing scale are not its."""

    def __init__(self, c, own):
        super().__init__(c['width'], c['heads'], bias=False, batch_first=True)
        self.c, self.placed = c, c['position'] if own else None
        if self.placed == 'relative':
            self.relative = nn.Embedding(2 * CLIP + 1, c['width'] // c['heads'])

    def forward(self, x, y, mask, table, causal=False):
        if self.c['scale'] and self.placed not in ('rope', 'relative', 't5'):
            return super().forward(x, y, y, attn_mask=mask, need_weights=False)[0]
        c = self.c
        q, k, v = (F.linear(of, w).unflatten(2, (c['heads'], -1)).transpose(1, 2)
                   for of, w in zip((x, y, y), self.in_proj_weight.chunk(3)))
        if self.placed == 'rope':
            q, k = turned(q), turned(k)
        scores = q @ k.transpose(2, 3)
        n = scores.shape[3]
        if self.placed == 'relative':
            scores = scores + torch.einsum('bhid,ijd->bhij', q, self.relative(clipped(n)))
        scores = scores / (math.sqrt(q.shape[3]) if c['scale'] else 1)
        if self.placed == 't5':
            scores = scores + table(buckets(n, causal)).permute(2, 0, 1)
        if mask is not None:
            scores = scores + mask
        return F.linear((torch.softmax(scores, 3) @ v).transpose(1, 2).flatten(2), self.out_proj.weight)


class Block(nn.Module):
    def __init__(self, c, cross):
        super().__init__()
        d, inner = c['width'], c['inner']
        self.norm1 = nn.LayerNorm(d)
        self.self_attn = Attention(c, True)
        if cross:
            self.norm2 = nn.LayerNorm(d)
            self.multihead_attn = Attention(c, False)
        if inner:
            setattr(self, 'norm3' if cross else 'norm2', nn.LayerNorm(d))
            self.linear1, self.linear2 = nn.Linear(d, inner), nn.Linear(inner, d)
        self.c, self.cross, self.inner = c, cross, inner

    def write(self, x, box):
        return x + box if self.c['residual'] else box

    def forward(self, x, mask, memory, table, causal):
        y = self.norm1(x)
        x = self.write(x, self.self_attn(y, y, mask, table, causal))
        if self.cross:
            x = self.write(x, self.multihead_attn(self.norm2(x), memory, None, None))
        if self.inner:
            norm = self.norm3 if self.cross else self.norm2
            x = self.write(x, self.linear2(F.gelu(self.linear1(norm(x)))))
        return x


class Side(nn.Module):
    def __init__(self, c, cross):
        super().__init__()
        self.causal = c['sides'] == 'causal' or (cross and c['decoder'] == 'written')
        self.layers = nn.ModuleList(Block(c, cross) for _ in range(c['layers']))
        self.norm = nn.LayerNorm(c['width'])
        self.relative_attention_bias = nn.Embedding(32, c['heads']) if c['position'] == 't5' else None

    def forward(self, x, mask=None, memory=None):
        for layer in self.layers:
            x = layer(x, mask, memory, self.relative_attention_bias, self.causal)
        return self.norm(x)


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c['width']
        self.c, self.both, self.written = c, c['sides'] == 'both', c['decoder'] == 'written'
        self.vocabulary = c['symbols'] + self.written
        # Blank slots that are as many as the source's places share theirs.
        self.first_place = c['length'] if self.both and (self.written or c['answers'] != c['length']) else 0
        self.embedding = nn.Embedding(self.vocabulary, d)
        if c['position'] == 'learned':
            self.position = nn.Embedding(c['length'] + (c['answers'] if self.first_place else 0), d)
        if self.both:
            if not self.written:
                self.query = nn.Embedding(1, d)
            self.decoder = Side(c, True)
        self.encoder = Side(c, False)
        if not c['tied']:
            self.head = nn.Linear(d, self.vocabulary, bias=False)

    def positioned(self, x, first=0):
        n = x.shape[1]
        if self.c['position'] == 'learned':
            return x + self.position.weight[first:first + n]
        return x + sines(n, self.c['width']).to(x) if self.c['position'] == 'sinusoidal' else x

    def mask(self, rows, n, causal):
        c = self.c
        mask = torch.zeros(n, n).to(self.embedding.weight)
        if causal:
            mask = mask.masked_fill(torch.triu(torch.ones(n, n), 1).bool(), -math.inf)
        if c['position'] == 'alibi':
            return (mask + alibi(c['heads'], n).to(mask)).repeat(rows, 1, 1)
        return mask

    def decoder_input(self, target):
        if not self.written:
            return self.query(torch.zeros(len(target), self.c['answers'], dtype=torch.long))
        start = torch.full((len(target), 1), self.c['symbols'])
        return self.embedding(torch.cat([start, target[:, :-1]], 1))

    def forward(self, ids, target):
        x = self.encoder(self.positioned(self.embedding(ids)), self.mask(*ids.shape, self.encoder.causal))
        if self.both:
            y = self.positioned(self.decoder_input(target), self.first_place)
            x = self.decoder(y, self.mask(*y.shape[:2], self.decoder.causal), x)
        return F.linear(x, self.embedding.weight) if self.c['tied'] else self.head(x)
