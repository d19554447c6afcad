import jax

jax.config.update("jax_enable_x64", True)  # before any array
import jax.numpy as jnp
from jax.scipy.special import erf

# Q: given, 3×4
q = jnp.array([
    [[1.0, 0.0, 1.0, 0.0],
     [0.0, 1.0, 0.0, 1.0],
     [1.0, 1.0, 0.0, 0.0]]], dtype=jnp.float64)
# K: given, 3×4
k = jnp.array([
    [[1.0, 1.0, 0.0, 0.0],
     [0.0, 0.0, 1.0, 1.0],
     [1.0, 0.0, 1.0, 0.0]]], dtype=jnp.float64)
# V: given, 3×4
v = jnp.array([
    [[1.0, 2.0, 3.0, 4.0],
     [5.0, 6.0, 7.0, 8.0],
     [9.0, 10.0, 11.0, 12.0]]], dtype=jnp.float64)
# QKᵀ, 3×3
scores = q @ k.swapaxes(-1, -2)
# ÷ √4, 3×3
scaled = scores * 0.5
# row max: max over keys, 3×1
row_max = scaled.max(-1, keepdims=True)
# exp(scaled − row max), 3×3
exp = jnp.exp(scaled - jnp.where(row_max == -jnp.inf, 0.0, row_max))
# row sum: Σ over keys, 3×1
row_sum = exp.sum(-1, keepdims=True)
# softmax by row, 3×3
weights = jnp.where(row_sum == 0.0, 0.0, exp / row_sum)
# output: weights · V, 3×4
head_output = weights @ v
# heads side by side, 3×4
concat = head_output
# the heads' outputs, 3×4
output = head_output
output = output[0]
