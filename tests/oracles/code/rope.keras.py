import keras
from keras import ops

keras.config.set_floatx("float64")

# X: tokens, 5×4
x = ops.convert_to_tensor([
    [[1.4342015, 0.45190552, 0.34276807, 1.1944265],
     [-0.07729196, -1.9583665, 1.5724254, -0.48206806],
     [0.73913723, -0.001524259, -0.74673474, 1.3178624],
     [-1.7586048, -0.265336, 0.30664983, -1.1298316],
     [-0.069825225, 1.5632226, -1.4304858, -0.9263514]]], dtype="float64")
# W_Q: given, 4×4
w_q = ops.convert_to_tensor([
    [[2.2872472, -0.9706733, 1.2729169, -0.9830526],
     [-1.1967717, -0.94727993, 0.18419278, -0.27606395],
     [-0.6942925, 0.7481393, 0.7522799, -0.87085104],
     [-0.41229296, -0.11695523, 0.5917451, 0.71871054]]], dtype="float64")
# Q: X·W_Q, 5×4
q = ops.matmul(x, w_q)
# W_K: given, 4×4
w_k = ops.convert_to_tensor([
    [[0.15265763, 2.281452, 0.11065288, 0.9975135],
     [2.1899781, 0.32402053, -0.078466766, -1.1051301],
     [0.35698622, 1.896067, -0.42049047, -0.14228784],
     [2.7167518, 0.4676805, -0.56212586, 0.3149949]]], dtype="float64")
# K: X·W_K, 5×4
k = ops.matmul(x, w_k)
# W_V: given, 4×4
w_v = ops.convert_to_tensor([
    [[-0.89380074, 0.83975035, 1.2185506, -0.39101243],
     [-0.3073283, 0.7053418, -0.6993171, -0.4015266],
     [-0.0048224223, 1.3059647, -0.28543276, 1.3505176],
     [0.9881641, -1.3879962, -1.3115526, 0.59119004]]], dtype="float64")
# V: X·W_V, 5×4
v = ops.matmul(x, w_v)
# Q rotated: pairs turned by p·θ, 5×4
q_rotated_turns = ops.convert_to_tensor([
    [[1.0, 1.0, 0.01, 0.01]]], dtype="float64")
q_rotated_part = ops.arange(5, dtype="float64")[:, None] * q_rotated_turns
q_rotated_signs = ops.convert_to_tensor([
    [[-1.0, 1.0, -1.0, 1.0]]], dtype="float64")
q_rotated = q * ops.cos(q_rotated_part) + ops.take(q, [1, 0, 3, 2], axis=-1) * (q_rotated_signs * ops.sin(q_rotated_part))
# K rotated: pairs turned by p·θ, 5×4
k_rotated_turns = ops.convert_to_tensor([
    [[1.0, 1.0, 0.01, 0.01]]], dtype="float64")
k_rotated_part = ops.arange(5, dtype="float64")[:, None] * k_rotated_turns
k_rotated_signs = ops.convert_to_tensor([
    [[-1.0, 1.0, -1.0, 1.0]]], dtype="float64")
k_rotated = k * ops.cos(k_rotated_part) + ops.take(k, [1, 0, 3, 2], axis=-1) * (k_rotated_signs * ops.sin(k_rotated_part))
# RQ·(RK)ᵀ, 5×5
scores = ops.matmul(q_rotated, ops.swapaxes(k_rotated, -1, -2))
# ÷ √4, 5×5
scaled = scores * 0.5
# causal, 5×5
mask = ops.arange(5, dtype="float64") > ops.arange(5, dtype="float64")[:, None]
# causal, 5×5
masked = ops.where(mask, -float("inf"), scaled)
# row max: max over keys, 5×1
row_max = ops.max(masked, axis=-1, keepdims=True)
# exp(masked − row max), 5×5
exp = ops.exp(masked - ops.where(row_max == -float("inf"), 0.0, row_max))
# row sum: Σ over keys, 5×1
row_sum = ops.sum(exp, axis=-1, keepdims=True)
# softmax by row, 5×5
weights = ops.where(row_sum == 0.0, 0.0, exp / row_sum)
# head output: weights · V, 5×4
head_output = ops.matmul(weights, v)
# heads side by side, 5×4
concat = head_output
# W_O: given, 4×4
w_o = ops.convert_to_tensor([
    [[0.10052545, 0.36715302, -1.5678682, 0.076371476],
     [0.931072, 1.7071625, 0.31825027, 0.15915528],
     [-0.26274234, 0.7237403, 0.16599146, 0.5436742],
     [-0.0076681045, 0.48103604, -0.89990765, 0.70480734]]], dtype="float64")
# concat · W_O, 5×4
output = ops.matmul(concat, w_o)
output = output[0]
