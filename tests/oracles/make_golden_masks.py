#!/usr/bin/env python3
"""Makes the golden numbers of masks and fills: golden_masks.npz and golden_masks.json beside this script.

    python3 tests/oracles/make_golden_masks.py        (Debian: python3-numpy)

Everything is computed from the definitions, in double, from queries, keys and values that float32 holds; nothing here
looks at the program's own code. A mask is a list of words of the command line, evaluated from left to right. Philox
4x32-10 (Salmon et al. 2011) is written out on numpy's whole numbers. Two runs give the same bytes.

golden_masks.json, an entry for each case: name, options (words of the command line).
"NAME/q" (h x n x d), "NAME/k" (h x m x d), "NAME/v" (h x m x e), inputs; "NAME/mask" (n x m), "NAME/masked",
"NAME/weights" (h x n x m), "NAME/head_output" (h x n x e).
"""
import itertools
import json
import math
import zlib
from pathlib import Path

import numpy as np

from make_npz import write_npz

HERE = Path(__file__).parent
FILLS = {'inf': -math.inf, '1e9': -1e9, '1e6': -1e6, '65504': -65504.0}
KINDS = ['causal', 'padding:3', 'window:1', 'strided:3', 'random:2:9', 'prefix:2', 'blocks:2,3']


def philox(counter, key):
    c, k = [np.asarray(x, np.uint64) for x in counter], [int(x) for x in key]
    low = np.uint64(0xffffffff)
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(b >> np.uint64(32)) ^ c[1] ^ np.uint64(k[0]), b & low,
             (a >> np.uint64(32)) ^ c[3] ^ np.uint64(k[1]), a & low]
        k = [(k[0] + 0x9E3779B9) & 0xffffffff, (k[1] + 0xBB67AE85) & 0xffffffff]
    return c


def random_mask(n, m, keep, seed):
    mask = np.ones((n, m), bool)
    for i in range(n):
        blocks = np.arange((m + 3) // 4)
        words = philox((blocks, np.full_like(blocks, i), np.zeros_like(blocks), np.ones_like(blocks)),
                       (seed & 0xffffffff, seed >> 32))
        ranks = np.stack(words, -1).ravel()[:m]
        mask[i, np.argsort(ranks, kind='stable')[:keep]] = False
    return mask


def rule_mask(word, n, m, align, offset):
    """True = masked, and whether global tokens are free of it."""
    kind, _, rest = word.partition(':')
    numbers = [int(x) for x in rest.replace(':', ',').split(',')] if rest else []
    i, j = np.indices((n, m))
    if kind == 'causal':
        return j > i + offset + (m - n if align == 'lower-right' else 0), False
    if kind == 'padding':
        return j >= (np.array(numbers)[:, None] if len(numbers) > 1 else numbers[0]), False
    if kind == 'window':
        return np.abs(i - j) > numbers[0], True
    if kind == 'strided':
        near = (i - j >= 0) & (i - j <= numbers[0])
        return ~(near | ((i - j) % numbers[0] == 0)), True
    if kind == 'random':
        return random_mask(n, m, numbers[0], numbers[1] if len(numbers) > 1 else 0), True
    if kind == 'prefix':
        return (j > i) & (j >= numbers[0]), False
    assert kind == 'blocks'
    ends = np.cumsum(numbers)
    return np.searchsorted(ends, i, side='right') != np.searchsorted(ends, j, side='right'), False


def mask_of(words, n, m, align, offset):
    free = np.zeros((n, m), bool)
    for word in words:
        if word.startswith('global:'):
            for token in (int(x) for x in word[7:].split(',')):
                free[token:token + 1] = True
                free[:, token:token + 1] = True
    mask, first = np.zeros((n, m), bool), True
    for word in words:
        if word.startswith('global:'):
            continue
        both = word.startswith('and:')
        word = word.removeprefix('and:')
        negated = word.startswith('not:')
        value, yields = rule_mask(word.removeprefix('not:'), n, m, align, offset)
        value = value != negated
        if yields:
            value = value & ~free
        mask = mask & value if both and not first else mask | value
        first = False
    return mask


def compute(name, shape, words, arrays, align='lower-right', offset=0, fill='-inf', empty='zeros'):
    h, n, m, d, e = shape
    g = np.random.RandomState(zlib.crc32(name.encode()))
    q, k, v = (g.randn(*s).astype(np.float32) for s in ((h, n, d), (h, m, d), (h, m, e)))
    mask = mask_of(words, n, m, align, offset)
    scaled = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) / math.sqrt(d)
    adds = fill.startswith('add-')
    number = FILLS[fill.removeprefix('add').removeprefix('-')]
    masked = np.where(mask, scaled + number if adds else number, scaled)
    top = masked.max(-1, keepdims=True)
    with np.errstate(invalid='ignore'):
        weights = np.exp(masked - top)
        weights = weights / weights.sum(-1, keepdims=True)
    weights = np.where(np.isneginf(top), {'zeros': 0.0, 'nan': math.nan, 'uniform': 1 / m}[empty], weights)
    arrays.update({f'{name}/{key}': value for key, value in
                   (('q', q), ('k', k), ('v', v), ('mask', mask.astype(np.float64)), ('masked', masked),
                    ('weights', weights), ('head_output', weights @ v.astype(np.float64)))})
    options = [x for word in words for x in ('--mask', word)]
    for option, value, usual in (('--causal-align', align, 'lower-right'), ('--causal-offset', str(offset), '0'),
                                 ('--fill', fill, '-inf'), ('--empty-row', empty, 'zeros')):
        if value != usual:
            options += [option, value]
    return {'name': name, 'options': options}


def cases(arrays):
    def case(name, shape, words, **more):
        entries.append(compute(name, shape, words, arrays, **more))

    entries = []
    for word in KINDS:
        for shape in ((2, 6, 6, 3, 2), (1, 4, 7, 2, 3), (1, 7, 4, 2, 2)):
            for front in ('', 'not:'):
                case(f'{front}{word} {shape[1]}x{shape[2]}', shape, [front + word])
    for a, b in itertools.product(KINDS, KINDS):
        if a != b:
            for front in ('', 'and:', 'and:not:'):
                case(f'{a} {front}{b}', (1, 6, 6, 2, 2), [a, front + b])
    for word in ('window:1', 'strided:3', 'random:1:4', 'not:window:2'):
        case(f'{word} global', (1, 8, 8, 2, 2), [word, 'global:0,5'])
    case('window and global and random', (2, 9, 9, 3, 2), ['window:1', 'global:0', 'and:random:2:77'])
    case('causal global window', (1, 8, 8, 2, 2), ['causal', 'global:2', 'window:2'])
    case('padding of each', (1, 4, 6, 2, 2), ['window:2', 'padding:1,6,3,2'])
    case('random of a long seed', (1, 12, 30, 2, 2), [f'random:5:{0x0123456789abcdef}'])
    for align, offset in itertools.product(('lower-right', 'top-left'), (0, 1, 4)):
        for n, m in ((3, 6), (6, 3), (5, 5)):
            case(f'causal {align} offset {offset} {n}x{m}', (1, n, m, 2, 2), ['causal'], align=align, offset=offset)
    # Rows without a key: added to every score of a row, −1e9 leaves other numbers in float than in double.
    for fill in ('-inf', '-1e9', '-1e6', '-65504', 'add-inf', 'add-1e9', 'add-1e6', 'add-65504'):
        case(f'fill {fill}', (2, 5, 5, 3, 2), ['causal', 'window:2'], fill=fill)
        if not fill.startswith('add-') or fill == 'add-inf':
            for empty in ('zeros', 'nan', 'uniform'):
                case(f'fill {fill} empty {empty}', (1, 4, 5, 2, 2), ['padding:0,3,5,0'], fill=fill, empty=empty)
    return entries


def main():
    arrays = {}
    entries = cases(arrays)
    assert len({e['name'] for e in entries}) == len(entries), 'two cases share a name'
    write_npz(HERE / 'golden_masks.npz', arrays)
    (HERE / 'golden_masks.json').write_text('[\n' + ',\n'.join(json.dumps(e) for e in entries) + '\n]\n')
    print(f'{len(entries)} cases')


if __name__ == '__main__':
    main()
