"""One attention layer and its loss with torch in double, and the gradients that autograd makes of them.

Nothing here looks at the program's own code. Every stage is a stack of matrices, heads x rows x columns, under the name
that `attention-lab trace` gives it, and so is its gradient, behind "d_". Conventions: a row without a key has weights
that are constant (zeros, or uniform), so that nothing flows to its scores; what a fill replaces gets exactly 0; the
maximum that a softmax subtracts, the support of sparsemax, the keys left of sigmoid and ReLU, which largest score a
temperature of 0 takes, and the edge of a predicted window count as constants; what heads share gets the sum.
"""
import copy
import math

import torch

import golden_positions as positions
from golden_gradient_weights import weigh
from golden_layer import FILLS
from make_golden_masks import mask_of

INF = math.inf
ALL_FILLS = {**FILLS, '-65504': -65504.0, 'add-inf': -INF, 'add-1e6': -1e6, 'add-65504': -65504.0}


class Layer:
    """inputs: name -> float32 array of heads x rows x columns; o: choices by name (make_golden_gradients.py)."""

    def __init__(self, inputs, o):
        self.o, self.stages = o, {}
        self.t = {k: torch.tensor(a, dtype=torch.float64) for k, a in inputs.items()}
        self.margin = INF  # how far any choice that counts as constant is from being another
        self.numbers = {}
        self.hard = o['temperature'] == 0 and o['weighting'] == 'softmax'
        self.run()

    def keep(self, name, tensor):
        if not tensor.requires_grad:
            tensor = tensor.clone().requires_grad_()
        tensor.retain_grad()
        self.stages[name] = tensor
        return tensor

    def given(self, name):
        return self.keep({'bias': 'user_bias'}.get(name, name), self.t[name])

    def number(self, name, value):
        self.numbers.setdefault(name, torch.tensor(float(value), dtype=torch.float64, requires_grad=True))
        return self.numbers[name]

    def near(self, distances):
        """Distances from where something jumps."""
        finite = distances.detach()[torch.isfinite(distances.detach())]
        if finite.numel():
            self.margin = min(self.margin, float(finite.abs().min()))

    def run(self):
        self.projected() if 'x' in self.t else self.direct()
        self.places()
        self.normed()
        self.rotated()
        weights = self.weights(self.masked(self.biased(self.scaled(self.scores()))))
        self.merged(self.mixed(weights))
        self.loss()

    def gradients(self):
        """Of all stages and numbers, 0 where nothing flows; numbers that only a hard choice is made of have none."""
        self.total.backward()
        found = {'loss': self.total.detach().reshape(1, 1, 1)}
        for name, tensor in self.stages.items():
            found['d_' + name] = torch.zeros_like(tensor) if tensor.grad is None else tensor.grad
        for name, tensor in self.numbers.items():
            if tensor.grad is not None or not self.hard:
                grad = torch.zeros(()) if tensor.grad is None else tensor.grad
                found['d_' + name] = grad.reshape(1, 1, 1)
        return {name: a.detach().numpy() for name, a in found.items()}

    # Queries, keys and values.

    def direct(self):
        self.q, self.k, self.v = (self.given(c) for c in 'qkv')

    def project(self, source, letter, heads):
        y = source[0] @ self.given('w_' + letter)[0]
        if 'b_' + letter in self.t:
            y = y + self.given('b_' + letter)[0]
        return y.reshape(len(y), heads, -1).permute(1, 0, 2)

    def projected(self):
        x = self.given('x')
        source = self.given('memory') if 'memory' in self.t else None
        p = self.o['position']
        if p.kind in ('sinusoidal', 'learned'):
            n, m = x.shape[1], x.shape[1] if source is None else source.shape[1]
            first = self.first_place(n, m)
            at = self.moved(first if source is not None else -first)
            encoding = self.keep('encoding', positions.torch_encoding(at, *x.shape[1:])[None].double())
            x = self.keep('position', x + encoding)
        source = x if source is None else source
        self.q = self.keep('q', self.project(x, 'q', self.o['heads']))
        self.k, self.v = (self.keep(c, self.project(source, c, self.o['kv_heads'])) for c in 'kv')

    def first_place(self, n, m):
        """The place of query 0 among the keys."""
        causal = any(word.removeprefix('not:') == 'causal' for word in self.o['masks'])
        return m - n if causal and self.o['align'] == 'lower-right' else 0

    def moved(self, first):
        at = copy.copy(self.o['position'])
        at.shift += max(first, 0)
        return at

    def places(self):
        self.h, self.n, self.m = len(self.q), self.q.shape[1], self.k.shape[1]
        self.first = self.first_place(self.n, self.m)
        self.offsets = torch.arange(self.m)[None, :] - torch.arange(self.n)[:, None] - self.first

    def for_heads(self, a):
        return a.repeat_interleave(self.h // len(a), 0)

    def normed(self):
        if not self.o['qk_norm']:
            return
        gain = self.number('qk_gain', self.o['qk_gain'])

        def norm(letter, x):
            rms = self.keep(letter + '_rms', (x.square().mean(-1, keepdim=True) + 1e-6).sqrt())
            if self.o['qk_gain'] == 1:
                return self.keep(letter + '_normed', x / rms * gain)
            return self.keep(letter + '_gained', self.keep(letter + '_normed', x / rms) * gain)
        self.q, self.k = norm('q', self.q), norm('k', self.k)

    def rotated(self):
        if self.o['position'].kind == 'rope':
            self.q = self.keep('q_rotated', positions.torch_rotate(self.moved(self.first), self.q))
            self.k = self.keep('k_rotated', positions.torch_rotate(self.moved(-self.first), self.k))

    # Scores.

    def scores(self):
        q, k, kind = self.q, self.k, self.o['score']
        if kind == 'dot':
            s = q @ self.for_heads(k).mT
        elif kind == 'general':
            s = self.keep('q_w', q @ self.given('score_w')) @ self.for_heads(k).mT
        elif kind == 'cosine':
            q, k = (self.keep(c + '_unit', a / self.keep(c + '_length', a.norm(dim=-1, keepdim=True)))
                    for c, a in (('q', q), ('k', k)))
            s = q @ self.for_heads(k).mT
        elif kind == 'gaussian':
            apart = (q[:, :, None] - self.for_heads(k)[:, None]).square().sum(-1)
            s = -self.keep('distances', apart) / (2 * self.number('sigma', self.o['sigma']) ** 2)
        else:
            s = self.of_pairs(q, k, kind)
        return self.keep('scores', s)

    def of_pairs(self, q, k, kind):
        if kind == 'concat':
            w = self.given('score_w')[0]
            w_q, w_k = w[:, :q.shape[2]], w[:, q.shape[2]:]
        else:
            w_q, w_k = self.given('score_w_q')[0], self.given('score_w_k')[0]
        v = self.given('score_v')[0, 0]
        q, k = self.keep('q_hidden', q @ w_q.T), self.keep('k_hidden', k @ w_k.T)
        pairs = (q[:, :, None] + self.for_heads(k)[:, None]).flatten(1, 2)
        bent = self.keep('pair_tanh', torch.tanh(self.keep('pair_sum', pairs)))
        return (bent @ v).reshape(self.h, self.n, self.m)

    def factor(self):
        o = self.o
        words = {'sqrt': 1 / math.sqrt(self.k.shape[2]), 'none': 1.0}
        factor = words[o['scale']] if o['scale'] in words else self.number('scale', o['scale'])
        return factor / self.number('temperature', o['temperature']) if o['temperature'] else factor

    def scaled(self, scores):
        s = self.keep('scaled', scores * self.factor())
        if self.o['soft_cap']:
            cap = self.number('soft_cap', self.o['soft_cap'])
            s = self.keep('capped', cap * torch.tanh(s / cap))
        return s

    def clipped(self):
        clip = self.o['position'].clip
        return self.offsets.clamp(-clip, clip) + clip

    def table(self, name, seed, shape, sd):
        return self.keep(name, torch.tensor(positions.normals(seed, shape, sd)))

    def position_bias(self, name):
        p = self.o['position']
        if p.kind == 'alibi':
            slopes = torch.tensor(positions.published_slopes(self.h), dtype=torch.float64)
            return self.keep(name, -slopes[:, None, None] * self.offsets.abs())
        if p.kind == 't5':
            table = self.table('bias_table', p.seed, (self.h, 1, p.buckets), 1.0)
            back, ahead = max(self.first, 0), max(-self.first, 0)
            bucket = positions.torch_buckets(p, self.n + back, self.m + ahead)[back:, ahead:]
            return self.keep(name, table[:, 0][:, bucket])
        if p.kind == 'relative':
            keys = self.table('relative_keys', p.seed, (1, 2 * p.clip + 1, self.q.shape[2]), positions.LEARNED_SD)
            scores = self.keep('relative_scores', self.q @ keys.mT)
            scaled = self.keep('relative_scaled', scores * self.factor())
            return self.keep(name, scaled.gather(2, self.clipped().expand(self.h, -1, -1)))
        return None

    def biased(self, s):
        own = self.given('bias') if 'bias' in self.t else None
        bias = self.position_bias('bias' if own is None else 'position_bias')
        if own is not None:
            bias = own if bias is None else self.keep('bias', bias + self.for_heads(own))
        return s if bias is None else self.keep('biased', s + self.for_heads(bias))

    # Masks and weights.

    def hidden(self):
        """What rules and the painted mask hide, and what is too far from a centre: 1 or h x n x m; None if neither."""
        o, masks = self.o, []
        if o['masks']:
            masks.append(torch.tensor(mask_of(o['masks'], self.n, self.m, o['align'], 0))[None])
        if 'mask' in self.t:
            masks.append(self.t['mask'] != 0)
        if o['local'] == 'monotonic':
            masks.append((self.offsets.abs() > o['reach'])[None])
        if o['local'] == 'predictive':
            bent = torch.tanh(self.keep('local_hidden', self.q @ self.given('local_w')[0].T))
            total = self.keep('local_tanh', bent) @ self.given('local_v')[0, 0][:, None]
            self.centre = self.keep('centre', self.m * torch.sigmoid(self.keep('local_sum', total)))
            apart = (torch.arange(self.m) - self.centre.detach()).abs()
            self.near(apart - o['reach'])
            masks.append(apart > o['reach'])
        return None if not masks else torch.stack([self.for_heads(a) for a in masks]).any(0)

    def masked(self, s):
        self.mask = self.hidden()
        if self.mask is None or self.o['mask_at'] == 'after':
            return s
        fill = ALL_FILLS[self.o['fill']]
        if not self.o['fill'].startswith('add'):
            return self.keep('masked', torch.where(self.mask, torch.tensor(fill, dtype=torch.float64), s))
        if math.isfinite(fill):  # floats round what a whole row of such sums is
            rows = self.mask.all(-1).any() or self.mask.all(-2).any()
            self.margin = 0 if rows else self.margin
        return self.keep('masked', s + torch.where(self.mask, fill, 0.0))

    def weigh(self, s):
        uniform = self.o['weighting'] == 'softmax' and self.o['empty_row'] == 'uniform'
        return weigh('hard' if self.hard else self.o['weighting'], s, self.near, uniform)

    def weights(self, s):
        o = self.o
        if o['over'] == 'queries':
            a = self.keep('weights_by_key', self.weigh(self.keep('scores_by_key', s.mT))).mT
        else:
            a = self.weigh(s)
        a = self.keep('weights', a)
        if self.mask is not None and o['mask_at'] == 'after':
            a = self.keep('masked_weights', torch.where(self.mask, 0.0, a))
        if o['local'] == 'predictive':
            near = torch.exp(-(torch.arange(self.m) - self.centre).square() / (2 * (o['reach'] / 2) ** 2))
            a = self.keep('local_weights', a * near)
        if o['dropout']:
            p, seed = o['dropout']
            bits = torch.tensor([positions.random_bits(seed, e) for e in range(a.numel())]).reshape(a.shape)
            a = self.keep('dropped', torch.where(bits >= math.ceil(p * 2 ** 24), a / (1 - p), 0.0))
        return a

    # The output and its loss.

    def mixed(self, a):
        p, content = self.o['position'], a @ self.for_heads(self.v)
        if p.kind != 'relative' or not p.values:
            return self.keep('head_output', content)
        content = self.keep('content_output', content)
        places = torch.nn.functional.one_hot(self.clipped(), 2 * p.clip + 1).double()
        shares = self.keep('relative_weights', torch.einsum('hij,ijo->hio', a, places))
        values = self.table('relative_values', p.seed + 1, (1, 2 * p.clip + 1, self.v.shape[2]), positions.LEARNED_SD)
        return self.keep('head_output', content + self.keep('relative_output', shares @ values))

    def merged(self, heads):
        heads = [torch.zeros_like(a) if r in self.o['muted'] else a for r, a in enumerate(heads)]
        y = torch.cat(heads, -1)
        if 'w_o' in self.t:
            y = self.project(self.keep('concat', y[None]), 'o', 1)[0]
        self.output = self.keep('output', y[None])

    def loss(self):
        loss, y = self.o['loss'], self.output[0]
        kind = loss['kind']
        if kind == 'ones':
            self.total = y.sum()
        elif kind == 'one_hot':
            self.total = y[loss['row'], loss['column']]
        elif kind == 'typed':
            self.total = (self.t['loss_given'][0] * y).sum()
        elif kind == 'mean_square':
            asked = ~self.t['loss_given'][0].isnan()
            self.total = torch.nn.functional.mse_loss(y[asked], self.t['loss_given'][0][asked])
        else:
            self.total = torch.nn.functional.cross_entropy(y, torch.tensor(loss['labels']), ignore_index=-1)
