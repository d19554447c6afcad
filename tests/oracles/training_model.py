"""The models that learn, of PyTorch's own modules (MultiheadAttention, LayerNorm, Linear, Embedding, GELU).

A model is a dict: sides (encoder, causal or both), length, symbols, width, heads, layers, inner, position, tied, scale,
residual.
"""
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

NOTHING = -100  # is asked


def alibi(heads, n):
    """Biases of heads, whose slopes are powers of 2^(-8/heads), which is a power of two."""
    apart = (torch.arange(n)[:, None] - torch.arange(n)[None, :]).abs().double()
    return torch.stack([-(2.0 ** (-8 * (h + 1) / heads)) * apart for h in range(heads)])


def sines(n, d):
    angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)[None, :]
    table = np.zeros((n, d))
    table[:, 0::2], table[:, 1::2] = np.sin(angle), np.cos(angle)
    return torch.tensor(table)


def unscaled(attention, x, y, mask):
    """What a MultiheadAttention makes of queries of x and keys and values of y, its scores as they are."""
    heads = attention.num_heads
    q, k, v = (F.linear(of, w).unflatten(2, (heads, -1)).transpose(1, 2)
               for of, w in zip((x, y, y), attention.in_proj_weight.chunk(3)))
    scores = q @ k.transpose(2, 3)
    if mask is not None:
        scores = scores + mask
    return F.linear((torch.softmax(scores, 3) @ v).transpose(1, 2).flatten(2), attention.out_proj.weight)


class Block(nn.Module):
    def __init__(self, c, cross):
        super().__init__()
        d, heads, inner = c['width'], c['heads'], c['inner']
        self.norm1 = nn.LayerNorm(d)
        self.self_attn = nn.MultiheadAttention(d, heads, bias=False, batch_first=True)
        if cross:
            self.norm2 = nn.LayerNorm(d)
            self.multihead_attn = nn.MultiheadAttention(d, heads, bias=False, batch_first=True)
        if inner:
            setattr(self, 'norm3' if cross else 'norm2', nn.LayerNorm(d))
            self.linear1, self.linear2 = nn.Linear(d, inner), nn.Linear(inner, d)
        self.c, self.cross, self.inner = c, cross, inner

    def attend(self, attention, x, y, mask=None):
        if not self.c['scale']:
            return unscaled(attention, x, y, mask)
        return attention(x, y, y, attn_mask=mask, need_weights=False)[0]

    def write(self, x, box):
        return x + box if self.c['residual'] else box

    def forward(self, x, mask, memory):
        y = self.norm1(x)
        x = self.write(x, self.attend(self.self_attn, y, y, mask))
        if self.cross:
            x = self.write(x, self.attend(self.multihead_attn, self.norm2(x), memory))
        if self.inner:
            norm = self.norm3 if self.cross else self.norm2
            x = self.write(x, self.linear2(F.gelu(self.linear1(norm(x)))))
        return x


class Side(nn.Module):
    def __init__(self, c, cross):
        super().__init__()
        self.layers = nn.ModuleList(Block(c, cross) for _ in range(c['layers']))
        self.norm = nn.LayerNorm(c['width'])

    def forward(self, x, mask=None, memory=None):
        for layer in self.layers:
            x = layer(x, mask, memory)
        return self.norm(x)


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c['width']
        self.c = c
        self.embedding = nn.Embedding(c['symbols'], d)
        if c['position'] == 'learned':
            self.position = nn.Embedding(c['length'], d)
        if c['sides'] == 'both':
            self.query = nn.Embedding(1, d)
            self.decoder = Side(c, True)
        self.encoder = Side(c, False)
        if not c['tied']:
            self.head = nn.Linear(d, c['symbols'], bias=False)

    def positioned(self, x):
        n = self.c['length']
        if self.c['position'] == 'learned':
            return x + self.position.weight[:n]
        return x + sines(n, self.c['width']).to(x) if self.c['position'] == 'sinusoidal' else x

    def mask(self, rows):
        c, n = self.c, self.c['length']
        mask = torch.zeros(n, n).to(self.embedding.weight)
        if c['sides'] == 'causal':
            mask = mask.masked_fill(torch.triu(torch.ones(n, n), 1).bool(), -math.inf)
        if c['position'] == 'alibi':
            return (mask + alibi(c['heads'], n).to(mask)).repeat(rows, 1, 1)
        return mask

    def forward(self, ids):
        mask = self.mask(len(ids))
        x = self.encoder(self.positioned(self.embedding(ids)), mask)
        if self.c['sides'] == 'both':
            blank = self.positioned(self.query(torch.zeros_like(ids)))
            x = self.decoder(blank, mask, x)
        return F.linear(x, self.embedding.weight) if self.c['tied'] else self.head(x)
