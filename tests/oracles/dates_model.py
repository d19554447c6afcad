"""The model of dates, "12·mar·1987" becomes "1987-03-12": its sizes, its rows, what it says by PyTorch, and what a file of
it must hold. Two scripts make one each: make_dates_model.py the one that Stack opens with, make_dates_by_torch.py
one for tests.

Encoder and decoder of 4 layers each, 4 heads, d = 32, inner width 64, LayerNorm (1e-5) before each box and after the
last layer of each side, GELU by erf, residuals, learned positions, and logits by the embedding (tied, no bias). Scores
are divided by sqrt(d_k). Names and shapes are PyTorch's. 85,792 parameters:
  embedding.weight    1,024   32 x 32: a row for each symbol
  position.weight       672   21 x 32: rows 0 to 10 are added to the source's 11 tokens, rows 11 to 20 to the target's
                              10 (what the decoder is given: the start symbol, then nine characters; the tenth is
                              only predicted)
  encoder.*          33,728   4 layers of 8,416: attention 4,096 without biases, feed-forward 4,192 and two norms 128
                              with them; encoder.norm 64
  decoder.*          50,368   4 layers of 12,576: twice attention 8,192, feed-forward 4,192, three norms 192;
                              decoder.norm 64
and `symbols`: uint32, the code point of each row of the embedding; the start symbol is U+0002, "start of text".

A source is always 11 characters, days with two digits, in one of three orders: 12·mar·1987, mar·12·1987, 1987·mar·12.
Years are 1000 to 9999, all digits alike, so that they have to be copied.
"""
import math
import zipfile

import numpy as np
import torch
import torch.nn.functional as F

from golden_stack_modules import torch_output
from make_npz import npz_bytes

LAYERS, HEADS, D, INNER, EPSILON = 4, 4, 32, 64, 1e-5
START = '\u0002'
MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split()
SYMBOLS = START + '0123456789-·' + ''.join(sorted(set(''.join(MONTHS))))
ID = {symbol: i for i, symbol in enumerate(SYMBOLS)}
SOURCE, TARGET = 11, 10
COUNTS = {'embedding': 1024, 'position': 672, 'encoder': 33728, 'decoder': 50368}
SHOWN = '12·mar·1987', '1987-03-12'
# Where each part begins in a source of each order.
PLACES = [dict(year=7, month=3, day=0), dict(year=7, month=0, day=4), dict(year=0, month=5, day=9)]


def ids(text):
    return [ID[c] for c in text]


def held_out(year, month, day):
    return (29 * year + 13 * month + 7 * day) % 11 == 7


def days_in(year, month):
    leap = (year % 4 == 0) & (year % 100 != 0) | (year % 400 == 0)
    return np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])[month - 1] + (leap & (month == 2))


def dates(g, count, held=None):
    """Sources (count x 11), decoder's inputs and answers (count x 10), and the order of each. Of those that are held out,
    of the others, or of all."""
    rows = np.empty((0, 3), int)
    while len(rows) < count:
        drawn = np.stack([g.integers(1000, 10000, count), g.integers(1, 13, count), g.integers(1, 32, count)], 1)
        year, month, day = drawn.T
        wanted = held is None or held_out(year, month, day) == held
        rows = np.concatenate([rows, drawn[(day <= days_in(year, month)) & wanted]])
    orders, sources, targets = g.integers(0, 3, count), [], []
    for (year, month, day), order in zip(rows[:count], orders):
        y, m, d = str(year), MONTHS[month - 1], f'{day:02}'
        sources.append(ids('·'.join([(d, m, y), (m, d, y), (y, m, d)][order])))
        targets.append(ids(f'{START}{y}-{month:02}-{d}'))
    targets = torch.tensor(targets)
    return torch.tensor(sources), targets[:, :-1], targets[:, 1:], orders


def normed(p, x, name):
    return F.layer_norm(x, (D,), p[name + '.weight'], p[name + '.bias'], EPSILON)


def attention(p, x, memory, name, causal, maps):
    wide, packed = D // HEADS, p[name + '.in_proj_weight']
    if x is memory:
        q, k, v = (x @ packed.T).split(D, -1)
    else:
        q, (k, v) = x @ packed[:D].T, (memory @ packed[D:].T).split(D, -1)
    q, k, v = [a.unflatten(-1, (HEADS, wide)).transpose(1, 2) for a in (q, k, v)]
    scores = q @ k.transpose(2, 3) / math.sqrt(wide)
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[2:], dtype=torch.bool).triu(1), -math.inf)
    weights = scores.softmax(-1)
    maps[name] = weights
    return (weights @ v).transpose(1, 2).flatten(2) @ p[name + '.out_proj.weight'].T


def side(p, x, name, memory, maps):
    for i in range(LAYERS):
        layer = f'{name}.layers.{i}'
        inside = normed(p, x, layer + '.norm1')
        x = x + attention(p, inside, inside, layer + '.self_attn', memory is not None, maps)
        if memory is not None:
            x = x + attention(p, normed(p, x, layer + '.norm2'), memory, layer + '.multihead_attn', False, maps)
        inside = normed(p, x, layer + ('.norm2' if memory is None else '.norm3'))
        inside = F.gelu(inside @ p[layer + '.linear1.weight'].T + p[layer + '.linear1.bias'])
        x = x + inside @ p[layer + '.linear2.weight'].T + p[layer + '.linear2.bias']
    return normed(p, x, name + '.norm')


def embedded(p, source, target):
    table, positions = p['embedding.weight'], p['position.weight']
    return table[source] + positions[:source.shape[1]], table[target] + positions[SOURCE:SOURCE + target.shape[1]]


def logits(p, source, target, maps=None):
    maps = {} if maps is None else maps
    source, target = embedded(p, source, target)
    memory = side(p, source, 'encoder', None, maps)
    return side(p, target, 'decoder', memory, maps) @ p['embedding.weight'].T


def measured(p, held, maps=None):
    """Loss, and the share of whole dates: greedy writing is right where the right characters before make it so."""
    with torch.no_grad():
        z = logits(p, *held[:2], maps)
        return float(F.cross_entropy(z.flatten(0, 1), held[2].flatten())), float((z.argmax(-1) == held[2]).all(1)
                                                                                 .float().mean())


def written(p, text):
    """Character after character, the likeliest each time, and how likely the least likely of them was."""
    line, least = START, 1.0
    with torch.no_grad():
        while len(line) <= TARGET:
            likely = logits(p, torch.tensor([ids(text)]), torch.tensor([ids(line)]))[0, -1].softmax(-1)
            least, line = min(least, float(likely.max())), line + SYMBOLS[int(likely.argmax())]
    return line[1:], least


def copying(p, held):
    """Of each part of a date, the cross-attention that looks there most: the mean weight on its source's characters."""
    maps = {}
    measured(p, held, maps)
    for part, rows, wide in (('year', range(4), 1), ('month', (5, 6), 3), ('day', (8, 9), 1)):
        first = torch.tensor([PLACES[order][part] for order in held[3]])
        found = []
        for name in [name for name in maps if 'multihead' in name]:
            for head in range(HEADS):
                picked = 0
                for row in rows:
                    for k in range(wide):
                        place = first + (k if wide > 1 else row - rows[0])
                        picked += maps[name][torch.arange(len(first)), head, row, place].mean() / len(rows)
                found.append((float(picked), name.split('.')[2], head))
        print(f'{part}: ' + ', '.join(f'layer {i} head {h} {w:.2f}' for w, i, h in sorted(found)[:-4:-1]))


def check_torch(p, source, target):
    """The names mean to torch.nn.Transformer what they mean here."""
    o = {'sides': 'both', 'layers': (LAYERS, LAYERS), 'd': D, 'heads': HEADS, 'inner': INNER, 'norm': 'pre',
         'norm_kind': 'layer', 'activation': 'gelu', 'residual': True, 'final_norm': True,
         'masks': {'encoder': 'none', 'decoder': 'causal', 'cross': 'none'}}
    p = {name: w.detach().double() for name, w in p.items()}
    own = logits(p, source[:1], target[:1])[0]
    named = {name: w for name, w in p.items() if name.startswith(('encoder', 'decoder'))}
    for name in [name for name in named if name.endswith('in_proj_weight')]:
        named[name.replace('in_proj_weight', 'in_proj_bias')] = torch.zeros(3 * D).double()
        named[name.replace('in_proj_weight', 'out_proj.bias')] = torch.zeros(D).double()
    named |= dict(zip(('source', 'target'), (a[0] for a in embedded(p, source[:1], target[:1]))))
    off = float((torch_output(o, named) @ p['embedding.weight'].T - own).abs().max())
    assert off < 1e-12 * float(own.abs().max()) + 1e-12, f"torch.nn's is {off} off"


def check_counts(p):
    groups = dict.fromkeys(COUNTS, 0)
    for name, w in p.items():
        groups[name.split('.')[0]] += w.numel()
    assert groups == COUNTS and len(SYMBOLS) == 32, groups
    print(', '.join(f'{name} {count:,}' for name, count in groups.items()) + f': {sum(groups.values()):,} parameters')


def finish(p, held, file):
    """Holds the model against what it must be, says how good it is, and writes it."""
    loss, whole = measured(p, held)
    line, least = written(p, SHOWN[0])
    print(f'{whole:.2%} of {len(held[0]):,} dates, loss {loss:.5f}; {SHOWN[0]} → {line}, each at least {least:.4f}')
    copying(p, held)
    check_counts(p)
    check_torch(p, *held[:2])
    assert whole > 0.995 and line == SHOWN[1]
    arrays = {'symbols': np.array([ord(c) for c in SYMBOLS], np.uint32)}
    arrays |= {name: w.detach().numpy() for name, w in p.items()}
    file.write_bytes(npz_bytes(arrays, zipfile.ZIP_STORED))
    print(f'{len(arrays)} arrays, {file.stat().st_size:,} bytes')
