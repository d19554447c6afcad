import jax

jax.config.update("jax_enable_x64", True)  # before any array
import jax.numpy as jnp
from jax.scipy.special import erf

# X: tokens, 5×4
x = jnp.array([
    [[1.43, 0.45, 0.34, 1.19],
     [-0.08, -1.96, 1.57, -0.48],
     [0.74, 0.0, -0.75, 1.32],
     [-1.76, -0.27, 0.31, -1.13],
     [-0.07, 1.56, -1.43, -0.93]]], dtype=jnp.float64)
# W_Q: given, 4×4
w_q = jnp.array([
    [[0.06, 0.3, -0.35, 0.24],
     [-0.34, 0.02, 0.04, -0.37],
     [0.76, -0.16, -0.27, 0.12],
     [-0.66, 0.25, 0.1, 1.25]]], dtype=jnp.float64)
# Q: X·W_Q, 5×4
q = x @ w_q
# W_K: given, 4×4
w_k = jnp.array([
    [[-0.41, -0.42, -0.14, 0.37],
     [0.78, 0.01, 0.44, 0.48],
     [-0.11, -0.29, 0.02, 0.54],
     [-0.09, -0.41, 0.39, -0.63]]], dtype=jnp.float64)
# K: X·W_K, 5×4
k = x @ w_k
# W_V: given, 4×4
w_v = jnp.array([
    [[0.2, 1.57, 0.77, 0.94],
     [-0.02, 1.48, 0.19, 0.24],
     [-1.59, -0.22, -1.33, -0.48],
     [-1.03, -0.34, 0.06, 0.53]]], dtype=jnp.float64)
# V: X·W_V, 5×4
v = x @ w_v
# QKᵀ, 5×5
scores = q @ k.swapaxes(-1, -2)
# ÷ √4, 5×5
scaled = scores * 0.5
# causal, 5×5
mask = jnp.arange(5) > jnp.arange(5)[:, None]
# causal, 5×5
masked = jnp.where(mask, -jnp.inf, scaled)
# row max: max over keys, 5×1
row_max = masked.max(-1, keepdims=True)
# exp(masked − row max), 5×5
exp = jnp.exp(masked - jnp.where(row_max == -jnp.inf, 0.0, row_max))
# row sum: Σ over keys, 5×1
row_sum = exp.sum(-1, keepdims=True)
# softmax by row, 5×5
weights = jnp.where(row_sum == 0.0, 0.0, exp / row_sum)
# output: weights · V, 5×4
head_output = weights @ v
# heads side by side, 5×4
concat = head_output
# the heads' outputs, 5×4
output = head_output
output = output[0]
