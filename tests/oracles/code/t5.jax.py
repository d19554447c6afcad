import jax

jax.config.update("jax_enable_x64", True)  # before any array
import jax.numpy as jnp
from jax.scipy.special import erf

# X: tokens, 5×4
x = jnp.array([
    [[1.4342015, 0.45190552, 0.34276807, 1.1944265],
     [-0.07729196, -1.9583665, 1.5724254, -0.48206806],
     [0.73913723, -0.001524259, -0.74673474, 1.3178624],
     [-1.7586048, -0.265336, 0.30664983, -1.1298316],
     [-0.069825225, 1.5632226, -1.4304858, -0.9263514]]], dtype=jnp.float64)
# W_Q: given, 4×4
w_q = jnp.array([
    [[2.2872472, -0.9706733, 1.2729169, -0.9830526],
     [-1.1967717, -0.94727993, 0.18419278, -0.27606395],
     [-0.6942925, 0.7481393, 0.7522799, -0.87085104],
     [-0.41229296, -0.11695523, 0.5917451, 0.71871054]]], dtype=jnp.float64)
# Q: X·W_Q, 2×5×2
q = (x @ w_q).reshape(5, 2, 2).swapaxes(0, 1)
# W_K: given, 4×4
w_k = jnp.array([
    [[0.15265763, 2.281452, 0.11065288, 0.9975135],
     [2.1899781, 0.32402053, -0.078466766, -1.1051301],
     [0.35698622, 1.896067, -0.42049047, -0.14228784],
     [2.7167518, 0.4676805, -0.56212586, 0.3149949]]], dtype=jnp.float64)
# K: X·W_K, 2×5×2
k = (x @ w_k).reshape(5, 2, 2).swapaxes(0, 1)
# W_V: given, 4×4
w_v = jnp.array([
    [[-0.89380074, 0.83975035, 1.2185506, -0.39101243],
     [-0.3073283, 0.7053418, -0.6993171, -0.4015266],
     [-0.0048224223, 1.3059647, -0.28543276, 1.3505176],
     [0.9881641, -1.3879962, -1.3115526, 0.59119004]]], dtype=jnp.float64)
# V: X·W_V, 2×5×2
v = (x @ w_v).reshape(5, 2, 2).swapaxes(0, 1)
# QKᵀ, 2×5×5
scores = q @ k.swapaxes(-1, -2)
# ÷ √2, 2×5×5
scaled = scores * 0.7071067811865475
# T5 table: seed 3, 2×1×8
bias_table_numbers = jnp.array([
    [[-0.6410516500473022, 0.8874809741973877, -1.1468788385391235, 1.5312472581863403, 0.9118741750717163, -0.20096071064472198, -0.623145580291748, 0.2464497983455658]],
    [[1.2223690748214722, -1.5940699577331543, 0.5803046822547913, 0.32389193773269653, 0.7508458495140076, 1.2695538997650146, 0.6536438465118408, -0.13549771904945374]]], dtype=jnp.float64)
bias_table = bias_table_numbers
# T5 table by bucket, 2×5×5
bias_indices = jnp.array([[0, 5, 6, 6, 6],
     [1, 0, 5, 6, 6],
     [2, 1, 0, 5, 6],
     [2, 2, 1, 0, 5],
     [2, 2, 2, 1, 0]])
bias = bias_table[:, 0, bias_indices]
# scaled + bias, 2×5×5
biased = scaled + bias
# window, 5×5
mask = jnp.abs(jnp.arange(5)[:, None] - jnp.arange(5)) > 2.0
# window, 2×5×5
masked = jnp.where(mask, -jnp.inf, biased)
# row max: max over keys, 2×5×1
row_max = masked.max(-1, keepdims=True)
# exp(masked − row max), 2×5×5
exp = jnp.exp(masked - jnp.where(row_max == -jnp.inf, 0.0, row_max))
# row sum: Σ over keys, 2×5×1
row_sum = exp.sum(-1, keepdims=True)
# softmax by row, 2×5×5
weights = jnp.where(row_sum == 0.0, 0.0, exp / row_sum)
# head output: weights · V, 2×5×2
head_output = weights @ v
# heads side by side, 5×4
concat = head_output.swapaxes(0, 1).reshape(1, 5, 4)
# W_O: given, 4×4
w_o = jnp.array([
    [[0.10052545, 0.36715302, -1.5678682, 0.076371476],
     [0.931072, 1.7071625, 0.31825027, 0.15915528],
     [-0.26274234, 0.7237403, 0.16599146, 0.5436742],
     [-0.0076681045, 0.48103604, -0.89990765, 0.70480734]]], dtype=jnp.float64)
# concat · W_O, 5×4
output = concat @ w_o
output = output[0]
