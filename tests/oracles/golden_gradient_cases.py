"""The layers whose gradients are golden: their names, their choices, and random arrays that fit these."""
import numpy as np

from golden_positions import Position

SCORES = ('dot', 'general', 'concat', 'additive', 'gaussian', 'cosine')
WEIGHTINGS = ('softmax', 'softmax-1', 'sparsemax', 'sigmoid', 'relu')
FILLS = ('-inf', '-1e9', '-1e6', '-65504', 'add-inf', 'add-1e9', 'add-1e6', 'add-65504')
LOSSES = ('ones', 'one_hot', 'typed', 'mean_square', 'cross_entropy')
MASKS = (('causal',), ('padding:2',), ('window:1',), ('strided:2',), ('random:2:9',), ('prefix:2',), ('blocks:2',),
         ('causal', 'and:not:window:1'), ('window:0', 'global:1'), ('not:causal',), ('padding:0',), ('window:0',))
ADDED = ('sinusoidal', 'sinusoidal:100', 'learned:7:9')  # to x: of projected layers
POSITIONS = ADDED + ('rope', 'rope:half:100', 'rope:half:part=2', 'rope:stretch=yarn:factor=4:trained=8', 'alibi',
                     'relative:1:5', 'relative:2:6:values', 't5:6:5:3', 't5:4:5:3:causal')
FREE_WIDTHS = ('general', 'concat', 'additive')
USUAL = {'direct': True, 'memory': False, 'biases': '', 'out': False, 'heads': 2, 'kv_heads': 2, 'n': 3, 'm': 4,
         'd': 4, 'd_q': 2, 'd_k': 2, 'd_v': 2, 'd_a': 3, 'qk_norm': False, 'qk_gain': 1.0, 'score': 'dot', 'sigma': 1.0,
         'scale': 'sqrt', 'temperature': 1.0, 'soft_cap': 0.0, 'weighting': 'softmax', 'over': 'keys', 'bias': '',
         'masks': (), 'align': 'lower-right', 'painted': '', 'fill': '-inf', 'empty_row': 'zeros', 'mask_at': 'before',
         'local': 'none', 'reach': 2, 'position': 'none', 'shift': 0, 'dropout': None, 'muted': (), 'loss': 'typed'}
OPTIONS = {'qk_gain': '--qk-gain', 'score': '--score', 'sigma': '--sigma', 'scale': '--scale',
           'temperature': '--temperature', 'soft_cap': '--soft-cap', 'weighting': '--weighting',
           'over': '--softmax-over', 'align': '--causal-align', 'fill': '--fill', 'empty_row': '--empty-row',
           'mask_at': '--mask-at', 'local': '--local', 'reach': '--local-reach', 'position': '--position',
           'shift': '--shift'}


def words(o):
    """The choices as words of the command line; "--qk-norm" stands alone."""
    found = [] if o['direct'] else ['--heads', str(o['heads']), '--kv-heads', str(o['kv_heads'])]
    found += ['--qk-norm'] if o['qk_norm'] else []
    for mask in o['masks']:
        found += ['--mask', mask]
    for choice, option in OPTIONS.items():
        if o[choice] != USUAL[choice]:
            found += [option, str(o[choice])]
    return found + (['--dropout', f'{o["dropout"][0]}:{o["dropout"][1]}'] if o['dropout'] else [])


def parsed(o):
    return {**o, 'position': Position(o['position'], o['shift'])}


def arrays(o, r):
    """The layer's, by name, in float32."""
    n, m, d = o['n'], o['m'], o['d']
    h, g = o['heads'], o['kv_heads']
    if o['direct']:
        a = {'q': r.randn(h, n, o['d_q']), 'k': r.randn(g, m, o['d_k']), 'v': r.randn(g, m, o['d_v'])}
    else:
        a = {'x': r.randn(n, d), 'w_q': r.randn(d, h * o['d_q']), 'w_k': r.randn(d, g * o['d_k']),
             'w_v': r.randn(d, g * o['d_v'])}
        a |= {'memory': r.randn(m, d)} if o['memory'] else {}
        a |= {'w_o': r.randn(h * o['d_v'], 3)} if o['out'] else {}
        a |= {'b_' + c: 0.5 * r.randn(a['w_' + c].shape[1]) for c in o['biases']}
        a |= {name: w * d ** -0.5 for name, w in a.items() if name.startswith('w_')}
    d_q, d_k, d_a = o['d_q'], o['d_k'], o['d_a']
    a |= {'general': {'score_w': (d_q, d_k)}, 'concat': {'score_w': (d_a, d_q + d_k), 'score_v': (d_a,)},
          'additive': {'score_w_q': (d_a, d_q), 'score_w_k': (d_a, d_k), 'score_v': (d_a,)}}.get(o['score'], {})
    a |= {'local_w': (d_a, d_q), 'local_v': (d_a,)} if o['local'] == 'predictive' else {}
    a = {name: r.randn(*w) if isinstance(w, tuple) else w for name, w in a.items()}
    pairs = {'shared': (n, m), 'each': (h, n, m), 'hides': (n, m)}
    if o['bias']:
        a['bias'] = r.randn(*pairs[o['bias']])
        if o['bias'] == 'hides':
            a['bias'][r.rand(n, m) < 0.3] = -np.inf
    if o['painted']:
        a['mask'] = r.rand(*pairs[o['painted']]) < 0.35
    return {name: w.astype(np.float32) for name, w in a.items()}


def loss(o, a, r):
    """Of a layer with these arrays; what it is given is added to them."""
    rows, columns = o['n'], 3 if o['out'] else o['heads'] * o['d_v']
    made = {'kind': o['loss']}
    if o['loss'] == 'one_hot':
        made |= {'row': r.randint(rows), 'column': r.randint(columns)}
    if o['loss'] == 'cross_entropy':
        made['labels'] = [int(label) for label in r.randint(-1, columns, rows)]
        made['labels'][r.randint(rows)] = r.randint(columns)
    if o['loss'] in ('typed', 'mean_square'):
        a['loss_given'] = r.randn(rows, columns).astype(np.float32)
    if o['loss'] == 'mean_square':
        a['loss_given'][r.rand(rows, columns) < 0.3] = np.nan
        a['loss_given'][0, 0] = 1
    return made


def at_random(r):
    """Any choices that fit together."""
    def one_of(*values):
        return values[r.randint(len(values))]
    o = {'direct': one_of(True, False, False), 'score': one_of(*SCORES), 'weighting': one_of(*WEIGHTINGS, 'softmax'),
         'loss': one_of(*LOSSES), 'masks': one_of((), *MASKS), 'fill': one_of('-inf', *FILLS), 'n': one_of(1, 2, 3, 4),
         'painted': one_of('', '', 'shared', 'each'), 'bias': one_of('', '', 'shared', 'each', 'hides'),
         'scale': one_of('sqrt', 'none', '0.8'), 'temperature': one_of(1.0, 1.0, 0.7, 1.6),
         'soft_cap': one_of(0.0, 0.0, 2.5), 'qk_norm': one_of(False, False, True), 'sigma': one_of(1.0, 1.4),
         'local': one_of('none', 'none', 'none', 'monotonic', 'predictive'), 'reach': one_of(1, 2),
         'over': one_of('keys', 'keys', 'queries'), 'mask_at': one_of('before', 'before', 'before', 'after'),
         'dropout': one_of(None, None, (0.4, int(r.randint(99)))), 'position': one_of('none', *POSITIONS),
         'shift': one_of(0, 0, 2), 'align': one_of('lower-right', 'top-left')}
    o['heads'], o['kv_heads'] = one_of((1, 1), (2, 2), (2, 1), (4, 2), (3, 3))
    o['m'] = one_of(1, 2, 3, 4, 5)
    o['qk_gain'] = one_of(1.0, 1.3) if o['qk_norm'] else 1.0
    o['muted'] = (int(r.randint(o['heads'])),) if r.randint(5) == 0 else ()
    if o['direct']:
        o['position'] = 'none' if o['position'] in ADDED else o['position']
    else:
        o['memory'], o['out'] = one_of(True, False), one_of(True, True, False)
        o['biases'] = ''.join(c for c in ('qkvo' if o['out'] else 'qkv') if r.randint(2))
        o['m'] = o['m'] if o['memory'] else o['n']
    if o['position'] == 'none' and not o['local'] == 'predictive':
        o['d_q'] = o['d_k'] = one_of(1, 2, 3)
    if o['score'] in FREE_WIDTHS and 'relative' not in o['position'] and 'rope' not in o['position']:
        o['d_q'] = one_of(2, 3)
    if len(o['masks']) > 1 or o['local'] == 'monotonic' or o['n'] < 2:  # places shifted by a causal rule: not here
        o['align'] = 'top-left' if 'causal' in o['masks'] else 'lower-right'
        o['masks'] = o['masks'] if o['n'] > 1 else ()
    chosen = o['fill'] in ('-inf', 'add-inf') and o['weighting'] == 'softmax'
    o['empty_row'] = one_of('zeros', 'uniform') if chosen else 'zeros'
    if o['position'] == 'none' or 'causal' not in o['masks']:
        o['align'] = o['align'] if 'causal' in o['masks'] else 'lower-right'
    o['over'] = 'keys' if o['weighting'] in ('sigmoid', 'relu') else o['over']
    o['mask_at'] = o['mask_at'] if o['masks'] or o['painted'] else 'before'
    o['shift'] = 0 if o['position'] == 'none' else o['shift']
    o['sigma'] = o['sigma'] if o['score'] == 'gaussian' else 1.0
    o['reach'] = o['reach'] if o['local'] != 'none' else 2
    return {**USUAL, **o}


def all_cases():
    """name -> choices; None: any."""
    made = {}

    def add(name, **choices):
        assert name not in made and not set(choices) - set(USUAL), name
        made[name] = {**USUAL, **choices}
    projected = {'direct': False, 'out': True, 'm': 3}
    for i, score in enumerate(SCORES):
        for j, weighting in enumerate(WEIGHTINGS):
            add(f'{score} {weighting}', score=score, weighting=weighting, temperature=(1.0, 1.6)[i % 2],
                masks=((), ('causal',), ('padding:2',))[(i + j) % 3], kv_heads=(2, 1)[j % 2], loss=LOSSES[(i + j) % 5])
        add(f'{score} numbers', score=score, qk_norm=True, qk_gain=1.3, scale='1.7', temperature=0.7, soft_cap=2.5,
            sigma=1.4, d_q=4, d_k=4)
        add(f'{score} projected', **projected, score=score, kv_heads=1, qk_norm=True, biases='qkvo', position='rope')
    for i, position in enumerate(POSITIONS):
        add(f'{position} projected', **projected, position=position, kv_heads=(1, 2)[i % 2], masks=('causal',),
            temperature=(1.0, 0.7)[i % 2], scale=('sqrt', '0.9')[i // 2 % 2], loss=LOSSES[i % 5], biases='q')
        add(f'{position} shifted with memory', **{**projected, 'memory': True, 'm': 4}, position=position, shift=3,
            masks=((), ('causal',))[i % 2], bias=('shared', 'each', '')[i % 3], heads=3, kv_heads=3, scale='none')
    for i, fill in enumerate(FILLS):
        add(f'fill {fill}', fill=fill, painted=('shared', 'each')[i % 2], bias='shared', kv_heads=1)
        add(f'fill {fill} of causal sigmoid', fill=fill, masks=('causal',), weighting='sigmoid', position='alibi')
    for empty in ('zeros', 'uniform'):
        for fill in ('-inf', 'add-inf'):
            add(f'fill {fill}: a row without a key {empty}', n=4, m=2, masks=('causal',), fill=fill, empty_row=empty)
        add(f'temperature 0 {empty}', n=4, m=3, masks=('causal',), temperature=0.0, empty_row=empty, scale='1.5')
    for i, weighting in enumerate(WEIGHTINGS):
        for local in ('monotonic', 'predictive'):
            add(f'{local} {weighting}', local=local, weighting=weighting, reach=1 + i % 2, n=4, m=5, d_q=3, d_k=3)
        add(f'mask after {weighting}', mask_at='after', weighting=weighting, masks=('causal',), painted='each')
        if weighting in ('softmax', 'softmax-1', 'sparsemax'):
            add(f'{weighting} over queries', over='queries', weighting=weighting, masks=('window:1',), kv_heads=1)
            add(f'{weighting} over queries, keys that none sees', over='queries', weighting=weighting, n=3, m=5,
                masks=('causal',), align='top-left')
    for masks in MASKS:
        add(f'masked by {" ".join(masks)}', n=4, masks=masks, loss='mean_square')
    for kind in LOSSES:
        add(f'loss {kind}', **projected, loss=kind, biases='vo')
        add(f'loss {kind} of muted heads dropped', heads=4, kv_heads=2, muted=(1,), dropout=(0.4, 5), loss=kind)
    add('bias that hides', bias='hides', n=4)
    add('one key', m=1, position='relative:1:5:values')
    add('predictive of normed and turned rows', local='predictive', qk_norm=True, qk_gain=1.3, position='rope', d_q=4,
        d_k=4, dropout=(0.25, 3), masks=('padding:3',), mask_at='after')
    for i in range(80):
        made[f'random {i}'] = None
    return made
