import keras
from keras import ops

keras.config.set_floatx("float64")

# Q: given, 3×4
q = ops.convert_to_tensor([
    [[1.0, 0.0, 1.0, 0.0],
     [0.0, 1.0, 0.0, 1.0],
     [1.0, 1.0, 0.0, 0.0]]], dtype="float64")
# K: given, 3×4
k = ops.convert_to_tensor([
    [[1.0, 1.0, 0.0, 0.0],
     [0.0, 0.0, 1.0, 1.0],
     [1.0, 0.0, 1.0, 0.0]]], dtype="float64")
# V: given, 3×4
v = ops.convert_to_tensor([
    [[1.0, 2.0, 3.0, 4.0],
     [5.0, 6.0, 7.0, 8.0],
     [9.0, 10.0, 11.0, 12.0]]], dtype="float64")
# QKᵀ, 3×3
scores = ops.matmul(q, ops.swapaxes(k, -1, -2))
# ÷ √4, 3×3
scaled = scores * 0.5
# row max: max over keys, 3×1
row_max = ops.max(scaled, axis=-1, keepdims=True)
# exp(scaled − row max), 3×3
exp = ops.exp(scaled - ops.where(row_max == -float("inf"), 0.0, row_max))
# row sum: Σ over keys, 3×1
row_sum = ops.sum(exp, axis=-1, keepdims=True)
# softmax by row, 3×3
weights = ops.where(row_sum == 0.0, 0.0, exp / row_sum)
# output: weights · V, 3×4
head_output = ops.matmul(weights, v)
# heads side by side, 3×4
concat = head_output
# the heads' outputs, 3×4
output = head_output
output = output[0]
