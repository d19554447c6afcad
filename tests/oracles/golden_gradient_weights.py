"""Rows of scores to weights with torch, so that autograd goes back through them. -inf: there is no such key.

What counts as constant is detached: maxima, supports, how many keys are left. near(distances) is told how far those
are from changing.
"""
import math

import torch

INF = math.inf


def weigh(kind, s, near, uniform=False):
    gone = s.detach() == -INF
    z = torch.where(gone, 0.0, s)
    if kind == 'relu':
        near(torch.where(gone, INF, s))
        return torch.where(gone, 0.0, z.relu() / left(gone))
    if kind == 'sigmoid':
        return torch.where(gone, 0.0, torch.sigmoid(z - torch.log(left(gone).double())))
    if kind == 'sparsemax':
        return sparsemax(z, gone, near)
    empty = gone.all(-1, keepdim=True)
    top = torch.where(empty, 0.0, s.detach().amax(-1, keepdim=True))
    if kind == 'hard':
        near(torch.where(s == top, INF, s - top))
        e = (s == top).double()
    else:
        top = top.clamp(min=0) if kind == 'softmax-1' else top
        e = torch.where(gone, 0.0, torch.exp(z - top))
    total = e.sum(-1, keepdim=True) + (torch.exp(-top) if kind == 'softmax-1' else 0)
    weights = e / torch.where(total == 0, 1.0, total)
    return torch.where(empty, 1 / s.shape[-1] if uniform else 0.0, weights)


def left(gone):
    return (~gone).sum(-1, keepdim=True).clamp(min=1)


def sparsemax(z, gone, near):
    """Martins, Astudillo 2016, algorithm 1."""
    order = torch.where(gone, -INF, z.detach()).sort(-1, descending=True).values
    sums = torch.where(order == -INF, 0.0, order).cumsum(-1)
    inside = (1 + torch.arange(1, z.shape[-1] + 1) * order > sums) & (order > -INF)
    size = inside.sum(-1, keepdim=True).clamp(min=1)
    support = (z.detach() >= order.gather(-1, size - 1)) & ~gone
    threshold = (torch.where(support, z, 0.0).sum(-1, keepdim=True) - 1) / size
    near(torch.where(gone, INF, z - threshold))
    return torch.where(support, z - threshold, 0.0)
