"""The golden cases: a name that says what the case is about, the arrays of an input file, the command line's words."""
import math
import pathlib
import zlib

import numpy as np

HERE = pathlib.Path(__file__).parent
INF, NAN = math.inf, math.nan


class Cases(list):
    def add(self, name, inputs, words='', **facts):
        self.append({'name': name, 'inputs': inputs, 'words': words.split(), **facts})


def random(name):
    return np.random.RandomState(zlib.crc32(name.encode()))  # the same numbers with every numpy


def f32(a):
    return np.asarray(a, np.float32)


def direct(name, h, n, m, d_k, d_v, g=None, size=1.0):
    """q, k, v as matrices for one head, as stacks for more."""
    r = random(name)
    shapes = {'q': (h, n, d_k), 'k': (g or h, m, d_k), 'v': (g or h, m, d_v)}
    return {c: f32(r.randn(*(s[1:] if h == 1 else s)) * size) for c, s in shapes.items()}


def projected(name, n, d, h, d_k, d_v, g=None, m=None, d_out=None, biases=''):
    """x, w_q, w_k, w_v; memory when m is given, w_o when d_out is, b_c for each letter c of `biases`."""
    r, g = random(name), g or h
    a = {'x': r.randn(n, d), 'w_q': r.randn(d, h * d_k), 'w_k': r.randn(d, g * d_k), 'w_v': r.randn(d, g * d_v)}
    if m:
        a['memory'] = r.randn(m, d)
    if d_out:
        a['w_o'] = r.randn(h * d_v, d_out)
    for c in biases:
        a['b_' + c] = r.randn(a['w_' + c].shape[1])
    return {k: f32(v * (1 if k in ('x', 'memory') else d ** -0.5)) for k, v in a.items()}


def masked(name, shape, inputs, share=0.4, empty=()):
    """A user's mask: random, with no row empty except those listed."""
    mask = random(name + ' mask').rand(*shape) < share
    mask[..., 0] = False
    for row in empty:
        mask[..., row, :] = True
    return {**inputs, 'mask': mask}


def integers(name, h, n, m, d):
    """Small whole numbers: scores are exact in any precision, so ties are ties everywhere."""
    r = random(name)
    return {c: f32(r.randint(-2, 3, (h, rows, d))) for c, rows in (('q', n), ('k', m), ('v', m))}


def shapes(c):
    for h, n, m, d_k, d_v in [(1, 1, 1, 1, 1), (1, 1, 7, 3, 2), (1, 7, 1, 3, 5), (1, 2, 3, 1, 1), (1, 5, 5, 4, 4),
                              (1, 3, 11, 5, 7), (1, 13, 4, 2, 9), (1, 17, 19, 23, 3), (2, 3, 3, 2, 2), (3, 5, 7, 2, 4),
                              (4, 8, 8, 8, 8), (7, 2, 3, 1, 5), (1, 33, 31, 6, 2)]:
        name = f'direct {h}x{n}x{m} d_k {d_k} d_v {d_v}'
        c.add(name, direct(name, h, n, m, d_k, d_v))
    name = 'projected one head without w_o'
    c.add(name, projected(name, 5, 6, 1, 4, 3))
    name = 'projected eight heads of width one'
    c.add(name, projected(name, 4, 8, 8, 1, 1, d_out=8), '--heads 8')
    name = 'projected d_k differs from d_v and d_out from d'
    c.add(name, projected(name, 6, 7, 3, 2, 5, d_out=4), '--heads 3')
    name = 'whole numbers and Fortran order'
    a = {k: np.asfortranarray(v.astype(t)) for (k, v), t in
         zip(integers(name, 1, 4, 5, 3).items(), (np.int8, np.int64, np.float64))}
    c.add(name, {k: np.asfortranarray(v[0]) for k, v in a.items()})


def masks(c):
    for n, m in [(5, 5), (3, 6), (6, 3)]:
        for align in ('lower-right', 'top-left'):
            if n == m and align == 'top-left':
                continue
            name = f'causal {align} {n}x{m}'
            c.add(name, direct(name, 2, n, m, 4, 3), f'--mask causal --causal-align {align}')
    name = 'padding one length'
    c.add(name, direct(name, 2, 4, 6, 3, 3), '--mask padding:4')
    name = 'padding of nothing'
    c.add(name, direct(name, 1, 4, 6, 3, 3), '--mask padding:6')
    name = 'padding a length for each query'
    c.add(name, direct(name, 2, 4, 6, 3, 3), '--mask padding:1,6,3,2')
    name = 'padding twice'
    c.add(name, direct(name, 1, 4, 6, 3, 3), '--mask padding:5 --mask padding:6,3,5,2')
    name = 'padding to no key at all'
    c.add(name, direct(name, 2, 3, 4, 3, 2), '--mask padding:0')
    name = 'causal with padding'
    c.add(name, direct(name, 1, 6, 6, 4, 4), '--mask causal --mask padding:4')
    name = 'mask shared by the heads'
    c.add(name, masked(name, (5, 7), direct(name, 3, 5, 7, 4, 2)))
    name = 'mask for each head'
    c.add(name, masked(name, (3, 5, 7), direct(name, 3, 5, 7, 4, 2)))
    name = 'mask of whole numbers'
    a = masked(name, (4, 4), direct(name, 1, 4, 4, 2, 2))
    c.add(name, {**a, 'mask': a['mask'].astype(np.uint8) * 7})
    name = 'mask with causal and padding'
    c.add(name, masked(name, (2, 6, 6), projected(name, 6, 4, 2, 2, 2, d_out=4)),
          '--heads 2 --mask causal --mask padding:5,5,5,4,4,3')
    for fill in ('-inf', '-1e9', '-1e6', 'add-1e9'):
        name = f'fill {fill}'
        c.add(name, masked(name, (5, 6), direct(name, 2, 5, 6, 4, 3)), f'--fill {fill}')
        name = f'fill {fill} with an empty row'
        c.add(name, masked(name, (5, 6), direct(name, 2, 5, 6, 4, 3), empty=[1, 4]), f'--fill {fill}')
    for choice in ('zeros', 'nan', 'uniform'):
        name = f'empty rows become {choice}'
        c.add(name, masked(name, (2, 4, 5), direct(name, 2, 4, 5, 3, 3), empty=[0, 2]), f'--empty-row {choice}')
        name = f'causal top rows without a key become {choice}'
        c.add(name, projected(name, 6, 4, 2, 2, 2, m=3, d_out=4),
              f'--heads 2 --mask causal --empty-row {choice}')
    name = 'empty row with a finite fill ignores the choice'
    c.add(name, masked(name, (3, 4), direct(name, 1, 3, 4, 2, 2), empty=[1]), '--fill -1e6 --empty-row nan')


def heads(c):
    for h, g, n in [(4, 2, 5), (4, 1, 5), (6, 3, 4), (6, 2, 3), (8, 4, 2)]:
        name = f'grouped heads {h} over {g}'
        c.add(name, projected(name, n, 6, h, 2, 3, g=g, d_out=6, biases='qkvo'), f'--heads {h} --kv-heads {g}')
    name = 'grouped heads given directly'
    c.add(name, direct(name, 6, 3, 5, 2, 2, g=2), '--mask causal')
    name = 'one key head given directly with a mask for each head'
    c.add(name, masked(name, (4, 3, 5), direct(name, 4, 3, 5, 2, 3, g=1)))
    for n, m in [(3, 8), (8, 3), (1, 5)]:
        name = f'cross-attention {n} to {m}'
        c.add(name, projected(name, n, 8, 2, 4, 4, m=m, d_out=8), '--heads 2')
    name = 'cross-attention grouped causal with biases'
    c.add(name, projected(name, 4, 6, 4, 3, 2, g=2, m=7, d_out=5, biases='qkvo'),
          '--heads 4 --kv-heads 2 --mask causal --mask padding:6')
    for letters in ('q', 'kv', 'o', 'qkvo'):
        name = f'projection biases {letters}'
        c.add(name, projected(name, 5, 8, 2, 4, 4, d_out=8, biases=letters), '--heads 2')
    name = 'projection biases causal'
    c.add(name, projected(name, 5, 8, 4, 2, 2, d_out=8, biases='qkvo'), '--heads 4 --mask causal')


def softmax(c):
    for scale in ('none', '0.3', '-1.5', '0'):
        name = f'scale {scale}'
        c.add(name, direct(name, 2, 4, 5, 3, 2), f'--scale {scale}')
    for temperature in ('0.1', '6', '1e4'):
        name = f'temperature {temperature}'
        c.add(name, direct(name, 2, 4, 5, 3, 2), f'--temperature {temperature}')
    name = 'temperature 0'
    c.add(name, direct(name, 2, 4, 5, 3, 2), '--temperature 0')
    name = 'temperature 0 with ties'
    c.add(name, integers(name, 3, 6, 7, 2), '--temperature 0')
    name = 'temperature 0 with ties causal and empty rows'
    c.add(name, integers(name, 2, 6, 4, 2), '--temperature 0 --mask causal --empty-row uniform')
    name = 'bias shared by the heads'
    a = direct(name, 2, 4, 5, 3, 2)
    c.add(name, {**a, 'bias': f32(random(name + ' bias').randn(4, 5))})
    name = 'bias for each head with temperature'
    a = direct(name, 2, 4, 5, 3, 2)
    c.add(name, {**a, 'bias': f32(random(name + ' bias').randn(2, 4, 5))}, '--temperature 2.5 --mask causal')
    for choice in ('zeros', 'nan'):
        name = f'bias of minus infinity and an empty row {choice}'
        bias = f32(random(name).randn(4, 5))
        bias[0, 1] = bias[2, 3] = bias[3] = -INF
        c.add(name, {**direct(name, 2, 4, 5, 3, 2), 'bias': bias}, f'--empty-row {choice}')
    for base, d in (('', 6), (':100', 8), (':2.5', 4)):
        name = f'sinusoidal{base.replace(":", " base ")} width {d}'
        c.add(name, projected(name, 9, d, 2, d // 2, d // 2, d_out=d), f'--heads 2 --position sinusoidal{base}')
    name = 'sinusoidal cross-attention'
    c.add(name, projected(name, 4, 4, 1, 4, 4, m=6), '--position sinusoidal')


def positions(c):
    def add(name, words, n=7, d=8, h=2, d_k=4, g=None):
        c.add(name, projected(name, n, d, h, d_k, d_k, g=g, d_out=d),
              f'--heads {h} --kv-heads {g or h} --position {words}')
    add('sinusoidal of odd width', 'sinusoidal', d=7)
    add('sinusoidal of width one', 'sinusoidal:50', d=1)
    add('sinusoidal base 1e9', 'sinusoidal:1e9', n=1, d=2)
    add('sinusoidal base one', 'sinusoidal:1', d=6)
    add('sinusoidal from position 100000', 'sinusoidal --shift 100000')
    add('learned', 'learned:7')
    add('learned to its last row', 'learned:18446744073709551615:12 --shift 5')
    for pairing in ('neighbour', 'half'):
        add(f'rope {pairing}', f'rope:{pairing}', d_k=6)
        add(f'rope {pairing} base 100 causal', f'rope:{pairing}:100 --mask causal')
        add(f'rope {pairing} from position 100000', f'rope:{pairing} --shift 100000', d_k=8)
        add(f'rope {pairing} on a part of an odd width', f'rope:{pairing}:part=4', d_k=7)
        for stretch in ('interpolation', 'ntk', 'yarn', 'yarn-released', 'llama3'):
            add(f'rope {pairing} stretched by {stretch}',
                f'rope:{pairing}:stretch={stretch}:factor=8:trained=64 --shift 300', d_k=10)
    add('rope of one pair', 'rope:stretch=ntk:factor=1', n=3, d_k=2, h=1)
    add('rope grouped heads', 'rope:half', h=4, g=2)
    name = 'rope cross-attention given directly'
    c.add(name, direct(name, 2, 4, 6, 6, 3), '--position rope:1000')
    for h in (1, 2, 3, 6, 8, 12):
        add(f'alibi {h} heads', 'alibi', h=h, d_k=2)
    name = 'alibi cross-attention with a bias'
    a = direct(name, 2, 4, 6, 6, 3)
    c.add(name, {**a, 'bias': f32(random(name + ' bias').randn(4, 6))}, '--position alibi --mask padding:5')
    add('relative clipped at two', 'relative:2:5 --temperature 2')
    add('relative clipped at nothing', 'relative:0:5 --scale 0.3')
    add('relative beyond the text', 'relative:9:5', n=4)
    add('relative on values too', 'relative:2:5:values --mask causal', n=5, h=4, g=2)
    name = 'relative cross-attention on values with a bias'
    a = direct(name, 2, 5, 3, 4, 6)
    c.add(name, {**a, 'bias': f32(random(name + ' bias').randn(2, 5, 3))}, '--position relative:1:0:values')
    add('t5 both directions', 't5:8:10:3', n=12, d=4, d_k=2)
    add('t5 causal', 't5:8:10:3:causal --mask causal', n=12, d=4, d_k=2)
    add('t5 odd buckets causal', 't5:5:9:3:causal', n=11, d=4, d_k=2)
    for n, m in [(2, 140), (140, 2)]:
        name = f't5 usual buckets {n} to {m}'
        c.add(name, direct(name, 1, n, m, 2, 1), '--position t5:32:128:3')
    name = 'order alone tells nothing without a position'
    c.add(name, projected(name, 5, 4, 2, 2, 2, d_out=4), '--heads 2 --position none --shift 9')


def extremes(c):
    name = 'large scores'
    c.add(name, direct(name, 1, 4, 5, 3, 2, size=300), '--scale none')
    name = 'large values'
    a = direct(name, 1, 4, 5, 3, 2)
    c.add(name, {**a, 'v': a['v'] * np.float32(2.0 ** 60)})
    name = 'tiny numbers'
    c.add(name, direct(name, 1, 4, 5, 3, 2, size=2.0 ** -70))
    name = 'equal scores far from zero'
    a = direct(name, 1, 3, 4, 2, 2)
    c.add(name, {**a, 'q': np.full((3, 2), 1024, np.float32), 'k': np.full((4, 2), 1024, np.float32)})
    for name, put in [('NaN in a query', {'q': {(1, 0): NAN}}), ('NaN in a key', {'k': {(2, 1): NAN}}),
                      ('NaN in a value', {'v': {(0, 1): NAN}}), ('infinity in a value', {'v': {(3, 0): -INF}}),
                      ('infinity in a query', {'q': {(0, 0): INF}}), ('infinity in a key', {'k': {(4, 2): -INF}})]:
        a = direct(name, 1, 4, 5, 3, 2)
        for letter, cells in put.items():
            for cell, value in cells.items():
                a[letter][cell] = value
        c.add(name, a)
    name = 'NaN in a masked key is replaced'
    a = direct(name, 1, 4, 5, 3, 2)
    a['k'][4, 1] = NAN
    c.add(name, a, '--mask padding:4')
    name = 'NaN in a masked key survives an addition'
    a = direct(name, 1, 4, 5, 3, 2)
    a['k'][4, 1] = NAN
    c.add(name, a, '--mask padding:4 --fill add-1e9')
    name = 'NaN with temperature 0'
    a = integers(name, 1, 4, 5, 3)
    a['q'][0, 1, 0] = NAN
    c.add(name, a, '--temperature 0')


def csv(name):
    return np.loadtxt(HERE / f'r-{name}.csv', delimiter=',', ndmin=2)


def examples(c):
    """Worked examples A and B of the manual; B's numbers come from R and are compared with its own results."""
    c.add('example A', {'q': f32([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]]),
                        'k': f32([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0]]),
                        'v': f32(np.arange(1, 13).reshape(3, 4))})
    one = {'x': csv('X_tok'), **{'w_' + a.lower(): csv('W_' + a) for a in 'QKV'}}
    c.add('example B', one, '--position sinusoidal', csv={'position': 'r-X', 'weights': 'r-A', 'output': 'r-O'})
    c.add('example B causal', one, '--position sinusoidal --mask causal', csv={'weights': 'r-A_causal'})
    two = {'x': csv('X_tok'), 'w_o': csv('mh_WO')}
    two.update({'w_' + a.lower(): np.hstack([csv(f'mh_W{a}{head}') for head in (1, 2)]) for a in 'QKV'})
    c.add('example B two heads', two, '--position sinusoidal --heads 2', csv={'output': 'r-mh_O'})


def all_cases():
    c = Cases()
    for family in (examples, shapes, masks, heads, softmax, positions, extremes):
        family(c)
    return c
