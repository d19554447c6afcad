import keras
from keras import ops

keras.config.set_floatx("float64")

# X: tokens, 5×4
x = ops.convert_to_tensor([
    [[1.43, 0.45, 0.34, 1.19],
     [-0.08, -1.96, 1.57, -0.48],
     [0.74, 0.0, -0.75, 1.32],
     [-1.76, -0.27, 0.31, -1.13],
     [-0.07, 1.56, -1.43, -0.93]]], dtype="float64")
# W_Q: given, 4×4
w_q = ops.convert_to_tensor([
    [[0.06, 0.3, -0.35, 0.24],
     [-0.34, 0.02, 0.04, -0.37],
     [0.76, -0.16, -0.27, 0.12],
     [-0.66, 0.25, 0.1, 1.25]]], dtype="float64")
# Q: X·W_Q, 5×4
q = ops.matmul(x, w_q)
# W_K: given, 4×4
w_k = ops.convert_to_tensor([
    [[-0.41, -0.42, -0.14, 0.37],
     [0.78, 0.01, 0.44, 0.48],
     [-0.11, -0.29, 0.02, 0.54],
     [-0.09, -0.41, 0.39, -0.63]]], dtype="float64")
# K: X·W_K, 5×4
k = ops.matmul(x, w_k)
# W_V: given, 4×4
w_v = ops.convert_to_tensor([
    [[0.2, 1.57, 0.77, 0.94],
     [-0.02, 1.48, 0.19, 0.24],
     [-1.59, -0.22, -1.33, -0.48],
     [-1.03, -0.34, 0.06, 0.53]]], dtype="float64")
# V: X·W_V, 5×4
v = ops.matmul(x, w_v)
# QKᵀ, 5×5
scores = ops.matmul(q, ops.swapaxes(k, -1, -2))
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
# output: weights · V, 5×4
head_output = ops.matmul(weights, v)
# heads side by side, 5×4
concat = head_output
# the heads' outputs, 5×4
output = head_output
output = output[0]
