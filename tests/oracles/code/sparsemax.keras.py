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
# PE: sin(p·ω), cos(p·ω), 5×4
encoding_frequencies = ops.convert_to_tensor([
    [[1.0, 1.0, 0.01, 0.01]]], dtype="float64")
encoding_phases = ops.convert_to_tensor([
    [[0.0, 1.5707963267948966, 0.0, 1.5707963267948966]]], dtype="float64")
encoding = ops.sin(ops.arange(5, dtype="float64")[:, None] * encoding_frequencies + encoding_phases)
# X + PE: tokens + position, 5×4
position = x + encoding
# W_Q: given, 4×4
w_q = ops.convert_to_tensor([
    [[0.14070942, 0.7596248, -0.86778545, 0.5894319],
     [-0.8522326, 0.06229087, 0.09873361, -0.93062496],
     [1.9033972, -0.3890312, -0.6831744, 0.29746187],
     [-1.648186, 0.63666564, 0.24108943, 3.1372771]]], dtype="float64")
# Q: X·W_Q, 5×4
q = ops.matmul(position, w_q)
# W_K: given, 4×4
w_k = ops.convert_to_tensor([
    [[-1.0275347, -1.0595452, -0.33980042, 0.9187229],
     [1.9418029, 0.024333129, 1.1102359, 1.2064242],
     [-0.27795616, -0.7295864, 0.049290292, 1.3581319],
     [-0.22158879, -1.0258305, 0.9836545, -1.5840315]]], dtype="float64")
# K: X·W_K, 5×4
k = ops.matmul(position, w_k)
# W_V: given, 4×4
w_v = ops.convert_to_tensor([
    [[0.19764504, 1.5720987, 0.7686342, 0.94294107],
     [-0.021834822, 1.4832423, 0.1868946, 0.23956758],
     [-1.593504, -0.22267783, -1.330609, -0.48326543],
     [-1.0254211, -0.34083092, 0.06369766, 0.52521574]]], dtype="float64")
# V: X·W_V, 5×4
v = ops.matmul(position, w_v)
# QKᵀ, 5×5
scores = ops.matmul(q, ops.swapaxes(k, -1, -2))
# ÷ √4, 5×5
scaled = scores * 0.5
# padding, 5×5
mask = ops.logical_and(ops.arange(5, dtype="float64") >= 4.0, ops.arange(5, dtype="float64")[:, None] >= 0.0)
# padding, 5×5
masked = ops.where(mask, -float("inf"), scaled)
# row max: max over keys, 5×1
row_max = ops.max(masked, axis=-1, keepdims=True)
# − row max: masked − row max, 5×5
shifted = ops.where(row_max == -float("inf"), -float("inf"), masked - row_max)
# τ: (Σ of the support − 1) ÷ its size, 5×1
threshold_part = ops.max(shifted, axis=-1, keepdims=True)
threshold_part_ = -ops.sort(-(shifted - ops.where(threshold_part == -float("inf"), 0.0, threshold_part)), axis=-1)
threshold_part__ = 1.0 + (ops.arange(5, dtype="float64") + 1.0) * threshold_part_ > ops.cumsum(threshold_part_, axis=-1)
threshold = ops.where(threshold_part == -float("inf"), 0.0, threshold_part + (ops.sum(ops.where(threshold_part__, threshold_part_, 0.0), axis=-1, keepdims=True) - 1.0) / ops.sum(ops.where(threshold_part__, 1.0, 0.0), axis=-1, keepdims=True))
# sparsemax by row, 5×5
weights = ops.maximum(shifted - threshold, 0.0)
# output: weights · V, 5×4
head_output = ops.matmul(weights, v)
# heads side by side, 5×4
concat = head_output
# the heads' outputs, 5×4
output = head_output
output = output[0]
