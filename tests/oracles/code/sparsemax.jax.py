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
# PE: sin(p·ω), cos(p·ω), 5×4
encoding_frequencies = jnp.array([
    [[1.0, 1.0, 0.01, 0.01]]], dtype=jnp.float64)
encoding_phases = jnp.array([
    [[0.0, 1.5707963267948966, 0.0, 1.5707963267948966]]], dtype=jnp.float64)
encoding = jnp.sin(jnp.arange(5)[:, None] * encoding_frequencies + encoding_phases)
# X + PE: tokens + position, 5×4
position = x + encoding
# W_Q: given, 4×4
w_q = jnp.array([
    [[0.14070942, 0.7596248, -0.86778545, 0.5894319],
     [-0.8522326, 0.06229087, 0.09873361, -0.93062496],
     [1.9033972, -0.3890312, -0.6831744, 0.29746187],
     [-1.648186, 0.63666564, 0.24108943, 3.1372771]]], dtype=jnp.float64)
# Q: X·W_Q, 5×4
q = position @ w_q
# W_K: given, 4×4
w_k = jnp.array([
    [[-1.0275347, -1.0595452, -0.33980042, 0.9187229],
     [1.9418029, 0.024333129, 1.1102359, 1.2064242],
     [-0.27795616, -0.7295864, 0.049290292, 1.3581319],
     [-0.22158879, -1.0258305, 0.9836545, -1.5840315]]], dtype=jnp.float64)
# K: X·W_K, 5×4
k = position @ w_k
# W_V: given, 4×4
w_v = jnp.array([
    [[0.19764504, 1.5720987, 0.7686342, 0.94294107],
     [-0.021834822, 1.4832423, 0.1868946, 0.23956758],
     [-1.593504, -0.22267783, -1.330609, -0.48326543],
     [-1.0254211, -0.34083092, 0.06369766, 0.52521574]]], dtype=jnp.float64)
# V: X·W_V, 5×4
v = position @ w_v
# QKᵀ, 5×5
scores = q @ k.swapaxes(-1, -2)
# ÷ √4, 5×5
scaled = scores * 0.5
# padding, 5×5
mask = (jnp.arange(5) >= 4.0) & (jnp.arange(5)[:, None] >= 0.0)
# padding, 5×5
masked = jnp.where(mask, -jnp.inf, scaled)
# row max: max over keys, 5×1
row_max = masked.max(-1, keepdims=True)
# − row max: masked − row max, 5×5
shifted = jnp.where(row_max == -jnp.inf, -jnp.inf, masked - row_max)
# τ: (Σ of the support − 1) ÷ its size, 5×1
threshold_part = shifted.max(-1, keepdims=True)
threshold_part_ = -jnp.sort(-(shifted - jnp.where(threshold_part == -jnp.inf, 0.0, threshold_part)), -1)
threshold_part__ = 1.0 + (jnp.arange(5) + 1.0) * threshold_part_ > jnp.cumsum(threshold_part_, -1)
threshold = jnp.where(threshold_part == -jnp.inf, 0.0, threshold_part + (jnp.where(threshold_part__, threshold_part_, 0.0).sum(-1, keepdims=True) - 1.0) / jnp.where(threshold_part__, 1.0, 0.0).sum(-1, keepdims=True))
# sparsemax by row, 5×5
weights = jnp.maximum(shifted - threshold, 0.0)
# output: weights · V, 5×4
head_output = weights @ v
# heads side by side, 5×4
concat = head_output
# the heads' outputs, 5×4
output = head_output
output = output[0]
