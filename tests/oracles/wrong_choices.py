"""Which mistakes go together, and a layer in which they make a difference: for make_wrong_dumps.py."""
import numpy as np

from wrong_layer import Layer

SCALES = ['no-scale', 'scale-by-d_k', 'scale-twice', 'scale-by-model-width', 'temperature']
ROPE, SINES, ALIBI = ({'position': p} for p in ('rope', 'sinusoidal', 'alibi'))
# What a layer must have for the mistake to be possible.
NEEDS = {
    **{word: {} for word in SCALES}, 'softmax-over-queries': {}, 'softmax-over-heads': {},
    'mask-inverted': {'mask': True}, 'mask-after-softmax': {'mask': True}, 'mask-adds-1': {'mask': True},
    'causal-sees-ahead': {'causal': True}, 'causal-hides-itself': {'causal': True},
    'causal-alignment': {'causal': True, 'cross': True},
    'padding-forgotten': {'padding': True}, 'padding-of-queries': {'padding': True},
    'heads-split-by-reshape': {}, 'heads-merged-by-reshape': {}, 'groups-tiled': {'grouped': True},
    'dropout-on': {}, 'float16': {}, 'bfloat16': {}, 'window-off-by-one': {'window': True}, 'k-reshaped': {},
    'w-not-transposed': {'grouped': False}, 'packed-order': {'grouped': False}, 'biases-forgotten': {'biases': True},
    'w_o-forgotten': {}, 'rope-forgotten': ROPE, 'rope-pairing': ROPE, 'rope-base': ROPE, 'rope-on-values': ROPE,
    'positions-from-1': SINES, 'positions-forgotten': SINES, 'positions-twice': SINES,
    'alibi-sign': ALIBI, 'alibi-no-slope': ALIBI, 'soft-cap-forgotten': {'soft_cap': True},
    'qk-norm-forgotten': {'qk_norm': True}, 'qk-norm-after-rope': {'qk_norm': True, **ROPE},
}
# What it has besides when the mistake is planted, for it to make a difference of its own.
BESIDES = {
    **{word: {'wide': True} for word in SCALES},  # the square root of the model's width is not d_k
    # A column or a stack without any key is 0/0 in code that makes these mistakes.
    'softmax-over-queries': {'padding': False}, 'softmax-over-heads': {'mask': False},
    'mask-inverted': {'causal': True, 'padding': True},
    'causal-alignment': {'position': ''}, 'padding-of-queries': {'cross': False},
    # Turning does not change a root mean square: norm and RoPE can be exchanged unless RoPE has a factor, as YaRN's.
    'qk-norm-after-rope': {'stretched': True},
}
# Of each at most one is made at a time.
EXCLUSIVE = [SCALES, ['softmax-over-queries', 'softmax-over-heads'],
             ['mask-inverted', 'mask-after-softmax', 'mask-adds-1'],
             ['causal-sees-ahead', 'causal-hides-itself', 'causal-alignment'],
             ['padding-forgotten', 'padding-of-queries'], ['rope-forgotten', 'rope-pairing', 'rope-base'],
             ['rope-forgotten', 'rope-on-values'], ['positions-from-1', 'positions-forgotten', 'positions-twice'],
             ['alibi-sign', 'alibi-no-slope'], ['qk-norm-forgotten', 'qk-norm-after-rope'], ['float16', 'bfloat16']]
DETAILS = {'packed-order': ['kqv', 'qvk', 'vkq', 'kvq', 'vqk'], 'w-not-transposed': ['qkvo', 'qkv', 'q', 'k', 'v', 'o'],
           'window-off-by-one': [1, -1], 'temperature': [0.6, 0.75, 1.3, 1.6, 2.2], 'dropout-on': [0.25, 0.1, 0.5]}


def go_together(words):
    return not any(sum(word in group for word in words) > 1 for group in EXCLUSIVE)


def can_be(words, o, t):
    has = {'mask': bool(o.causal or o.padding or o.window), 'causal': o.causal, 'padding': bool(o.padding),
           'window': bool(o.window), 'cross': 'memory' in t, 'position': o.position, 'grouped': o.kv_heads < o.heads,
           'biases': 'b_q' in t, 'soft_cap': bool(o.soft_cap), 'qk_norm': o.qk_norm}
    return all(has[key] == value for word in words for key, value in NEEDS[word].items())


def wanted(words):
    """What the layer for them has; None where they exclude one another."""
    found = {}
    for word in words:
        for key, value in {**NEEDS[word], **BESIDES.get(word, {})}.items():
            if found.setdefault(key, value) != value:
                return None
    if found.get('mask') is False and any(found.get(rule) for rule in ('causal', 'padding', 'window')):
        return None
    if found.get('cross') and (found.get('position') or found.get('window')):
        return None
    return found if go_together(words) else None


def layer(rng, wants, settings):
    """What is not wanted one way or the other is left to chance."""
    def chance(key, p):
        drawn = rng.rand() < p
        return bool(wants.get(key, drawn))

    unmasked, cross = wants.get('mask') is False, wants.get('cross', False)
    n, d = rng.randint(6, 9), 24 if wants.get('wide') else 16
    m = n + 2 if cross else n
    causal, padding = chance('causal', 0.7) and not unmasked, chance('padding', 0.5) and not unmasked
    if wants.get('mask') and not padding and not wants.get('window'):
        causal = True
    position = ['', 'rope', 'sinusoidal', 'alibi'][rng.randint(4)]
    values = dict(
        heads=4, kv_heads=2 if chance('grouped', 0.5) else 4, causal=causal, padding=m - 1 if padding else 0,
        window=2 if wants.get('window') else 0, position='' if cross else wants.get('position', position),
        pairing=['half', 'neighbour'][rng.randint(2)], base=[10000, 500000][rng.randint(2)],
        stretched=4.0 if wants.get('stretched') else 0.0, soft_cap=2.0 if chance('soft_cap', 0.1) else 0.0,
        qk_norm=chance('qk_norm', 0.1))
    values.update(settings)
    return Layer(**values), arrays(rng, n, m, d, values['kv_heads'], cross, chance('biases', 0.5))


def arrays(rng, n, m, d, kv_heads, cross, biases):
    t = {'x': rng.normal(size=(n, d))}
    if cross:
        t['memory'] = rng.normal(size=(m, d))
    widths = {'q': d, 'k': d // 4 * kv_heads, 'v': d // 4 * kv_heads, 'o': d}
    for c, width in widths.items():
        t['w_' + c] = rng.normal(size=(d, width)) * 1.5 / np.sqrt(d)
    for c, width in widths.items() if biases else ():
        t['b_' + c] = rng.normal(size=width) * 0.5
    return {name: a.astype(np.float32) for name, a in t.items()}


def detail(word, rng, o, t):
    """Of one mistake, as wrong_layer.compute takes it."""
    drawn = rng.randint(len(DETAILS[word])) if word in DETAILS else 0
    given = DETAILS[word][drawn] if word in DETAILS else True
    if word != 'dropout-on':
        return given
    return given, rng.rand(o.heads, len(t['x']), len(t.get('memory', t['x']))) >= given
