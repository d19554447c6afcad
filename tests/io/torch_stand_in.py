"""What the lines of PyTorch that the Lab writes need of it, in numpy, for machines that have none.

scaled_dot_product_attention is the definition that its documentation prints (PyTorch 2.5 and later): also used where
torch is older than enable_gqa. A query without a key gets 0, as that version does.
"""
import math

import numpy as np

bool = np.bool_
float32 = np.float32


class Tensor:
    def __init__(self, values):
        self.a = np.asarray(values)

    shape = property(lambda self: self.a.shape)

    def __getitem__(self, key):
        return Tensor(self.a[key])

    def __neg__(self):
        return Tensor(-self.a)

    def __invert__(self):
        return Tensor(~self.a)

    def __sub__(self, other):
        return Tensor(self.a - other.a)

    def __mul__(self, other):
        # Integers take the type of floats, as in torch.
        return Tensor((self.a * other.a).astype(self.a.dtype))

    def __add__(self, number):
        return Tensor(self.a + self.a.dtype.type(number))

    def abs(self):
        return Tensor(abs(self.a))

    def repeat_interleave(self, times, dim):
        return Tensor(np.repeat(self.a, times, axis=dim))

    def masked_fill(self, mask, number):
        assert mask.a.dtype == np.bool_
        return Tensor(np.where(mask.a, self.a.dtype.type(number), self.a))


def tensor(values, dtype=None):
    array = np.array(values, dtype=dtype)
    return Tensor(array.astype(np.float32) if array.dtype == np.float64 else array)


def stack(tensors):
    return Tensor(np.stack([t.a for t in tensors]))


def ones(*shape, dtype=np.float32):
    return Tensor(np.ones(shape, dtype))


def zeros(shape):
    return Tensor(np.zeros(shape, np.float32))


def arange(*ends):
    return Tensor(np.arange(*ends))


def tril(values, diagonal=0):
    return Tensor(np.tril(values.a, diagonal))


def triu(values, diagonal=0):
    return Tensor(np.triu(values.a, diagonal))


def where(mask, x, y):
    assert mask.a.dtype == np.bool_
    return Tensor(np.where(mask.a, x.a, y.a))


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                                 enable_gqa=False):
    """Of arrays; the documentation's lines, one by one."""
    length, keys = query.shape[-2], key.shape[-2]
    factor = np.float32(1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    bias = np.zeros((length, keys), query.dtype)
    assert dropout_p == 0
    if is_causal:
        assert attn_mask is None
        bias = np.where(np.tril(np.ones((length, keys), np.bool_)), bias, np.float32(-np.inf))
    if attn_mask is not None:
        if attn_mask.dtype == np.bool_:
            bias = np.where(attn_mask, np.float32(0), np.float32(-np.inf))
        else:
            assert attn_mask.dtype == query.dtype
            bias = attn_mask
    if enable_gqa:
        key = np.repeat(key, query.shape[-3] // key.shape[-3], -3)
        value = np.repeat(value, query.shape[-3] // value.shape[-3], -3)
    assert key.shape[:-2] == query.shape[:-2], 'heads share keys without enable_gqa'
    return softmax_rows(query @ np.swapaxes(key, -2, -1) * factor + bias) @ value


def softmax_rows(scores):
    top = scores.max(-1, keepdims=True)
    shares = np.exp(scores - np.where(np.isneginf(top), 0, top))
    total = shares.sum(-1, keepdims=True)
    return np.divide(shares, total, out=np.zeros_like(shares), where=total != 0)


def multihead_attention(arrays):
    """torch.nn.MultiheadAttention (batch_first, weights wanted) with a layer's projections: w_q, w_k, w_v, w_o as
    heads side by side by columns, b_… where there are some. True of a mask hides; a query without a key gets NaN."""

    def attention(query, key, value, attn_mask=None):
        heads = int(arrays['heads'])

        def project(tokens, letter):
            rows = tokens.a @ arrays['w_' + letter] + (arrays['b_' + letter] if 'b_' + letter in arrays else 0)
            return rows.reshape(len(rows), heads, -1).swapaxes(0, 1)

        q, k, v = project(query, 'q'), project(key, 'k'), project(value, 'v')
        scores = q @ k.swapaxes(1, 2) / np.float32(math.sqrt(q.shape[-1]))
        if attn_mask is not None:
            mask = attn_mask.a
            assert mask.shape in ((len(q[0]), len(k[0])), scores.shape)
            scores = np.where(mask, np.float32(-np.inf), scores) if mask.dtype == np.bool_ else scores + mask
        with np.errstate(invalid='ignore'):
            shares = np.exp(scores - scores.max(-1, keepdims=True))
            weights = shares / shares.sum(-1, keepdims=True)
        joined = (weights @ v).swapaxes(0, 1).reshape(len(q[0]), -1)
        output = joined @ arrays['w_o'] + (arrays['b_o'] if 'b_o' in arrays else 0)
        return Tensor(output.astype(np.float32)), Tensor(weights.mean(0))

    return attention
