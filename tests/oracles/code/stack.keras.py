import keras
from keras import ops

keras.config.set_floatx("float64")

# X: given, 5×4
encoder_x = ops.convert_to_tensor([
    [[1.4342015, 0.45190552, 0.34276807, 1.1944265],
     [-0.07729196, -1.9583665, 1.5724254, -0.48206806],
     [0.73913723, -0.001524259, -0.74673474, 1.3178624],
     [-1.7586048, -0.265336, 0.30664983, -1.1298316],
     [-0.069825225, 1.5632226, -1.4304858, -0.9263514]]], dtype="float64")
# PE: by position, 5×4
encoder_position_frequencies = ops.convert_to_tensor([
    [[1.0, 1.0, 0.01, 0.01]]], dtype="float64")
encoder_position_phases = ops.convert_to_tensor([
    [[0.0, 1.5707963267948966, 0.0, 1.5707963267948966]]], dtype="float64")
encoder_position = ops.sin(ops.arange(5, dtype="float64")[:, None] * encoder_position_frequencies + encoder_position_phases)
# X + PE: tokens + position, 5×4
encoder_input = encoder_x + encoder_position
# γ: given, 1×4
encoder_0_norm1_weight = ops.convert_to_tensor([
    [[1.0, 1.0, 1.0, 1.0]]], dtype="float64")
# RMSNorm: x ÷ √(mean x² + ε) · gain, 5×4
encoder_0_norm1 = encoder_input / ops.sqrt(ops.sum(encoder_input * encoder_input, axis=-1, keepdims=True) / 4.0 + 1e-05) * encoder_0_norm1_weight
# W_Q: given, 4×4
encoder_0_w_q = ops.convert_to_tensor([
    [[-0.8053699, 0.20864883, -0.6365079, 0.536435],
     [0.36869425, 0.39471382, 0.20223115, 0.52607405],
     [-0.2443929, 0.8052243, -0.07973546, -0.056021214],
     [0.14306, 0.5013642, 0.62126833, -0.15810646]]], dtype="float64")
# Q: X·W_Q, 2×5×2
encoder_0_q = ops.swapaxes(ops.reshape(ops.matmul(encoder_0_norm1, encoder_0_w_q), (5, 2, 2)), 0, 1)
# W_K: given, 4×4
encoder_0_w_k = ops.convert_to_tensor([
    [[-0.4387456, -0.6947158, -0.64460117, -1.2985095],
     [-0.48986065, -0.05119418, 0.07010183, 0.076504335],
     [0.030146983, -0.6479241, 0.8797764, -0.79853],
     [0.7082207, -0.10966511, 0.07232501, -0.23840421]]], dtype="float64")
# K: X·W_K, 2×5×2
encoder_0_k = ops.swapaxes(ops.reshape(ops.matmul(encoder_0_norm1, encoder_0_w_k), (5, 2, 2)), 0, 1)
# W_V: given, 4×4
encoder_0_w_v = ops.convert_to_tensor([
    [[-0.284832, 0.23935436, -0.16592804, 0.095758446],
     [0.23459373, -0.19228636, -0.32782245, -0.12986],
     [-0.45213208, -0.13082756, 0.19843873, -1.0053687],
     [-0.28065205, 0.51974124, -0.09647758, -0.71337616]]], dtype="float64")
# V: X·W_V, 2×5×2
encoder_0_v = ops.swapaxes(ops.reshape(ops.matmul(encoder_0_norm1, encoder_0_w_v), (5, 2, 2)), 0, 1)
# scores: QKᵀ, 2×5×5
encoder_0_scores = ops.matmul(encoder_0_q, ops.swapaxes(encoder_0_k, -1, -2))
# scaled: ÷ √2, 2×5×5
encoder_0_scaled = encoder_0_scores * 0.7071067811865475
# row max: max over keys, 2×5×1
encoder_0_row_max = ops.max(encoder_0_scaled, axis=-1, keepdims=True)
# exp: exp(scaled − row max), 2×5×5
encoder_0_exp = ops.exp(encoder_0_scaled - ops.where(encoder_0_row_max == -float("inf"), 0.0, encoder_0_row_max))
# row sum: Σ over keys, 2×5×1
encoder_0_row_sum = ops.sum(encoder_0_exp, axis=-1, keepdims=True)
# weights: softmax by row, 2×5×5
encoder_0_weights = ops.where(encoder_0_row_sum == 0.0, 0.0, encoder_0_exp / encoder_0_row_sum)
# head output: weights · V, 2×5×2
encoder_0_head_output = ops.matmul(encoder_0_weights, encoder_0_v)
# concat: heads side by side, 5×4
encoder_0_concat = ops.reshape(ops.swapaxes(encoder_0_head_output, 0, 1), (1, 5, 4))
# W_O: given, 4×4
encoder_0_w_o = ops.convert_to_tensor([
    [[-0.41165203, -0.1977493, -0.15389179, 0.3248924],
     [0.17284419, -0.48985592, 0.34081197, -0.34501776],
     [0.9562862, 0.34810552, -0.30628204, -0.21199217],
     [-0.10013075, 0.18322589, -0.3794373, 0.6517477]]], dtype="float64")
# output: concat · W_O, 5×4
encoder_0_output = ops.matmul(encoder_0_concat, encoder_0_w_o)
# stream: stream + attention, 5×4
encoder_0_stream1 = encoder_input + encoder_0_output
# γ: given, 1×4
encoder_0_norm2_weight = ops.convert_to_tensor([
    [[1.0, 1.0, 1.0, 1.0]]], dtype="float64")
# RMSNorm: x ÷ √(mean x² + ε) · gain, 5×4
encoder_0_norm2 = encoder_0_stream1 / ops.sqrt(ops.sum(encoder_0_stream1 * encoder_0_stream1, axis=-1, keepdims=True) / 4.0 + 1e-05) * encoder_0_norm2_weight
# W₁: given, 4×16
encoder_0_linear1_weight = ops.convert_to_tensor([
    [[0.08449063, -0.51259357, 0.23042637, 0.55379766, 0.5747657, 0.6346982, 0.37331253, 0.7875417, -0.062601455, -0.0052953213, 0.22179598, 0.21783392, 0.05902853, 0.62518835, 0.45286614, 0.23105524],
     [-0.38457265, -0.18877745, 0.19744708, 0.57054025, -0.83662283, 0.3104561, 0.2961543, 0.43827644, -0.1279657, -0.4906587, 0.25587443, -0.21663103, -0.15812442, 1.2193702, -0.22889282, -0.4572619],
     [0.766931, 0.75100374, -0.051836383, -0.2718517, -0.48455146, -0.43937594, 0.72031075, 0.39936134, -0.9874686, 0.358565, -0.54192436, 0.34862968, 0.8534441, 0.2475489, 0.4123409, 0.45269772],
     [-0.07506816, -0.05249704, 0.3864179, 0.33370018, -0.23453279, 0.39152268, -0.21686375, 0.10187443, 0.13309991, -0.028755633, -0.39649156, -0.3410104, 1.0354797, -0.6268712, 0.9708809, 0.2535357]]], dtype="float64")
# b: given, 1×16
encoder_0_linear1_bias = ops.convert_to_tensor([
    [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]], dtype="float64")
# inner: x·W₁ + b, 5×16
encoder_0_inner = ops.matmul(encoder_0_norm2, encoder_0_linear1_weight) + encoder_0_linear1_bias
# activated: GELU(x), 5×16
encoder_0_activated = encoder_0_inner * (0.5 * (1.0 + ops.erf(encoder_0_inner / 1.4142135623730951)))
# W₂: given, 16×4
encoder_0_linear2_weight = ops.convert_to_tensor([
    [[0.26482344, 0.05683168, 0.16973531, 0.2154338],
     [0.45219126, 0.24305749, 0.0538047, -0.2511457],
     [0.14273453, 0.19317007, 0.19884844, 0.012352086],
     [-0.1107223, 0.3187239, -0.044139594, -0.12330986],
     [-0.18455717, 0.08751021, 0.14018102, -0.37028715],
     [0.21981736, 0.015208897, -0.22246027, -0.23258391],
     [0.08186563, -0.15571944, -0.25864744, 0.10898501],
     [-0.10027488, -0.4335251, 0.1353653, -0.050588056],
     [-0.13359568, -0.1721827, -0.14046423, -0.15523276],
     [-0.0078926105, -0.10522431, -0.2698563, 0.0796959],
     [0.08008559, 0.07102781, -0.5315418, -0.11536886],
     [0.115993395, -0.23824878, 0.41849634, -0.1125629],
     [0.21634565, 0.08560227, -0.14719611, -0.17481059],
     [-0.30075848, -0.20742981, 0.4436159, 0.19482483],
     [-0.2101437, -0.14541307, 0.29976848, 0.5328081],
     [0.24904616, 0.40563086, -0.46580455, -0.14145815]]], dtype="float64")
# b: given, 1×4
encoder_0_linear2_bias = ops.convert_to_tensor([
    [[0.0, 0.0, 0.0, 0.0]]], dtype="float64")
# feed-forward: x·W₂ + b, 5×4
encoder_0_feed_forward = ops.matmul(encoder_0_activated, encoder_0_linear2_weight) + encoder_0_linear2_bias
# stream: stream + feed-forward, 5×4
encoder_0_stream = encoder_0_stream1 + encoder_0_feed_forward
# γ: given, 1×4
encoder_1_norm1_weight = ops.convert_to_tensor([
    [[1.0, 1.0, 1.0, 1.0]]], dtype="float64")
# RMSNorm: x ÷ √(mean x² + ε) · gain, 5×4
encoder_1_norm1 = encoder_0_stream / ops.sqrt(ops.sum(encoder_0_stream * encoder_0_stream, axis=-1, keepdims=True) / 4.0 + 1e-05) * encoder_1_norm1_weight
# W_Q: given, 4×4
encoder_1_w_q = ops.convert_to_tensor([
    [[-0.50602955, -0.0529432, -1.0344491, -0.012761055],
     [0.7576195, 0.5581756, 0.90795, -0.5227061],
     [0.29875624, -0.19124149, -0.6190957, 0.5783615],
     [-0.16200192, 0.8764836, 0.6737182, 0.4767656]]], dtype="float64")
# Q: X·W_Q, 2×5×2
encoder_1_q = ops.swapaxes(ops.reshape(ops.matmul(encoder_1_norm1, encoder_1_w_q), (5, 2, 2)), 0, 1)
# W_K: given, 4×4
encoder_1_w_k = ops.convert_to_tensor([
    [[-0.09028877, -0.28335392, -0.6060145, 0.29740155],
     [-0.65252954, 0.6740924, -0.24859586, -0.979532],
     [0.12527192, 0.32055458, 1.4686115, -0.31362846],
     [-0.20795737, -0.58102936, -0.24499497, -0.1512466]]], dtype="float64")
# K: X·W_K, 2×5×2
encoder_1_k = ops.swapaxes(ops.reshape(ops.matmul(encoder_1_norm1, encoder_1_w_k), (5, 2, 2)), 0, 1)
# W_V: given, 4×4
encoder_1_w_v = ops.convert_to_tensor([
    [[0.25391194, 0.54265994, 0.78435856, -0.18842551],
     [-0.36367312, 0.10886023, 0.9389917, 0.40260437],
     [0.05194845, 0.19025144, 0.99642736, 0.19475028],
     [1.0002222, -0.07533309, 0.32294324, -0.0038494673]]], dtype="float64")
# V: X·W_V, 2×5×2
encoder_1_v = ops.swapaxes(ops.reshape(ops.matmul(encoder_1_norm1, encoder_1_w_v), (5, 2, 2)), 0, 1)
# scores: QKᵀ, 2×5×5
encoder_1_scores = ops.matmul(encoder_1_q, ops.swapaxes(encoder_1_k, -1, -2))
# scaled: ÷ √2, 2×5×5
encoder_1_scaled = encoder_1_scores * 0.7071067811865475
# row max: max over keys, 2×5×1
encoder_1_row_max = ops.max(encoder_1_scaled, axis=-1, keepdims=True)
# exp: exp(scaled − row max), 2×5×5
encoder_1_exp = ops.exp(encoder_1_scaled - ops.where(encoder_1_row_max == -float("inf"), 0.0, encoder_1_row_max))
# row sum: Σ over keys, 2×5×1
encoder_1_row_sum = ops.sum(encoder_1_exp, axis=-1, keepdims=True)
# weights: softmax by row, 2×5×5
encoder_1_weights = ops.where(encoder_1_row_sum == 0.0, 0.0, encoder_1_exp / encoder_1_row_sum)
# head output: weights · V, 2×5×2
encoder_1_head_output = ops.matmul(encoder_1_weights, encoder_1_v)
# concat: heads side by side, 5×4
encoder_1_concat = ops.reshape(ops.swapaxes(encoder_1_head_output, 0, 1), (1, 5, 4))
# W_O: given, 4×4
encoder_1_w_o = ops.convert_to_tensor([
    [[0.853885, -0.39225173, -0.3082386, 0.41114768],
     [-0.2438603, 0.39526168, -0.18301474, -0.58691126],
     [0.29924655, -0.14451326, 0.8902279, -0.4443615],
     [-0.4069647, 0.063802935, -0.29081815, -0.32128915]]], dtype="float64")
# output: concat · W_O, 5×4
encoder_1_output = ops.matmul(encoder_1_concat, encoder_1_w_o)
# stream: stream + attention, 5×4
encoder_1_stream1 = encoder_0_stream + encoder_1_output
# γ: given, 1×4
encoder_1_norm2_weight = ops.convert_to_tensor([
    [[1.0, 1.0, 1.0, 1.0]]], dtype="float64")
# RMSNorm: x ÷ √(mean x² + ε) · gain, 5×4
encoder_1_norm2 = encoder_1_stream1 / ops.sqrt(ops.sum(encoder_1_stream1 * encoder_1_stream1, axis=-1, keepdims=True) / 4.0 + 1e-05) * encoder_1_norm2_weight
# W₁: given, 4×16
encoder_1_linear1_weight = ops.convert_to_tensor([
    [[0.964881, -0.33404234, 0.46124297, 0.07549781, -0.034776777, 0.49142244, -1.2407845, 0.282763, 0.07152896, -0.35669225, 0.37056, 0.727976, -0.9996881, 0.2595255, 0.4297428, -0.19589488],
     [-0.4320609, 0.1734353, -0.054622203, -0.0839603, -0.53415954, 0.9004251, -0.23642008, 0.032652475, -0.5057525, 0.1613584, -0.630246, -0.5957693, -0.046352033, 0.06487811, 0.9837902, 0.38589403],
     [0.12352003, 0.18049371, -0.46333742, 0.079034224, 0.2113591, -0.14534332, -0.48014092, 0.68050015, -0.40525725, -0.54642534, 0.4644584, -0.71827644, 0.15651515, 0.45746645, 0.2552172, -0.36406544],
     [0.61833256, 1.0916989, -0.52551013, -0.396203, -0.1285216, 0.017722571, -0.4442851, 0.17620271, 0.015747044, 0.8438598, 0.45037237, 0.13158694, -0.050788004, 0.13438764, -0.26758426, 0.032487683]]], dtype="float64")
# b: given, 1×16
encoder_1_linear1_bias = ops.convert_to_tensor([
    [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]], dtype="float64")
# inner: x·W₁ + b, 5×16
encoder_1_inner = ops.matmul(encoder_1_norm2, encoder_1_linear1_weight) + encoder_1_linear1_bias
# activated: GELU(x), 5×16
encoder_1_activated = encoder_1_inner * (0.5 * (1.0 + ops.erf(encoder_1_inner / 1.4142135623730951)))
# W₂: given, 16×4
encoder_1_linear2_weight = ops.convert_to_tensor([
    [[-0.27049267, 0.29218096, -0.22268167, -0.39823866],
     [-0.09550417, 0.38192394, -0.06292699, -0.48106962],
     [-0.6262639, 0.34645674, -0.2533322, 0.20966081],
     [0.3612732, 0.34352666, 0.32462403, 0.41458976],
     [-0.093706824, 0.0074520577, 0.2513767, -0.21981001],
     [-0.35566387, -0.3223263, -0.30044064, -0.08631565],
     [0.058839116, -0.0053979056, -0.19310693, 0.2751757],
     [0.14539096, 0.27807006, -0.09979231, -0.24703008],
     [0.26980934, 0.23192869, 0.14922681, -0.20212658],
     [-0.41576698, 0.42955562, -0.057508726, 0.41176093],
     [-0.21434739, -0.3473128, 0.39394966, 0.33873516],
     [-0.23879252, 0.3959419, -0.50119185, 0.10693192],
     [-0.037936393, -0.113486975, -0.01683604, -0.14081953],
     [-0.19126874, -0.07699485, -0.096372314, 0.47741303],
     [0.07301252, 0.13201836, 0.27476153, -0.68181336],
     [0.37569714, -0.30921674, -0.48648876, 0.06349487]]], dtype="float64")
# b: given, 1×4
encoder_1_linear2_bias = ops.convert_to_tensor([
    [[0.0, 0.0, 0.0, 0.0]]], dtype="float64")
# feed-forward: x·W₂ + b, 5×4
encoder_1_feed_forward = ops.matmul(encoder_1_activated, encoder_1_linear2_weight) + encoder_1_linear2_bias
# stream: stream + feed-forward, 5×4
encoder_1_stream = encoder_1_stream1 + encoder_1_feed_forward
# γ: given, 1×4
encoder_2_norm1_weight = ops.convert_to_tensor([
    [[1.0, 1.0, 1.0, 1.0]]], dtype="float64")
# RMSNorm: x ÷ √(mean x² + ε) · gain, 5×4
encoder_2_norm1 = encoder_1_stream / ops.sqrt(ops.sum(encoder_1_stream * encoder_1_stream, axis=-1, keepdims=True) / 4.0 + 1e-05) * encoder_2_norm1_weight
# W_Q: given, 4×4
encoder_2_w_q = ops.convert_to_tensor([
    [[0.42484176, -0.8048097, 0.43847495, -0.33867747],
     [0.83786476, -0.065247, -0.3006925, 0.6210288],
     [-0.20213571, 0.00014699156, 0.22918394, -0.16590363],
     [0.012739014, 0.19940852, -0.62165636, 0.26639572]]], dtype="float64")
# Q: X·W_Q, 2×5×2
encoder_2_q = ops.swapaxes(ops.reshape(ops.matmul(encoder_2_norm1, encoder_2_w_q), (5, 2, 2)), 0, 1)
# W_K: given, 4×4
encoder_2_w_k = ops.convert_to_tensor([
    [[0.5027868, 0.08492291, 0.30035216, -0.5903088],
     [0.12554918, -0.19670111, 0.045712635, -0.74279016],
     [0.2096455, -0.42275986, -0.40335435, 0.056924276],
     [0.4238091, -0.08919735, -0.07496085, 0.15705222]]], dtype="float64")
# K: X·W_K, 2×5×2
encoder_2_k = ops.swapaxes(ops.reshape(ops.matmul(encoder_2_norm1, encoder_2_w_k), (5, 2, 2)), 0, 1)
# W_V: given, 4×4
encoder_2_w_v = ops.convert_to_tensor([
    [[-0.031075714, 0.30196482, 0.95451725, -0.51369864],
     [0.41072878, 0.042973008, 0.006067419, -0.041769322],
     [0.28189206, -0.102135964, 0.8708899, -0.025360554],
     [-0.42490637, -0.41150928, 0.2275316, 0.44431052]]], dtype="float64")
# V: X·W_V, 2×5×2
encoder_2_v = ops.swapaxes(ops.reshape(ops.matmul(encoder_2_norm1, encoder_2_w_v), (5, 2, 2)), 0, 1)
# scores: QKᵀ, 2×5×5
encoder_2_scores = ops.matmul(encoder_2_q, ops.swapaxes(encoder_2_k, -1, -2))
# scaled: ÷ √2, 2×5×5
encoder_2_scaled = encoder_2_scores * 0.7071067811865475
# row max: max over keys, 2×5×1
encoder_2_row_max = ops.max(encoder_2_scaled, axis=-1, keepdims=True)
# exp: exp(scaled − row max), 2×5×5
encoder_2_exp = ops.exp(encoder_2_scaled - ops.where(encoder_2_row_max == -float("inf"), 0.0, encoder_2_row_max))
# row sum: Σ over keys, 2×5×1
encoder_2_row_sum = ops.sum(encoder_2_exp, axis=-1, keepdims=True)
# weights: softmax by row, 2×5×5
encoder_2_weights = ops.where(encoder_2_row_sum == 0.0, 0.0, encoder_2_exp / encoder_2_row_sum)
# head output: weights · V, 2×5×2
encoder_2_head_output = ops.matmul(encoder_2_weights, encoder_2_v)
# concat: heads side by side, 5×4
encoder_2_concat = ops.reshape(ops.swapaxes(encoder_2_head_output, 0, 1), (1, 5, 4))
# W_O: given, 4×4
encoder_2_w_o = ops.convert_to_tensor([
    [[-0.15714589, 0.15809809, -0.8171938, -0.2031957],
     [-0.3624326, 0.23120238, -0.3177775, 0.20063649],
     [0.15433261, 0.3245903, 0.087666444, -0.15321493],
     [0.06401222, -0.033761274, -0.13809836, 0.3965101]]], dtype="float64")
# output: concat · W_O, 5×4
encoder_2_output = ops.matmul(encoder_2_concat, encoder_2_w_o)
# stream: stream + attention, 5×4
encoder_2_stream1 = encoder_1_stream + encoder_2_output
# γ: given, 1×4
encoder_2_norm2_weight = ops.convert_to_tensor([
    [[1.0, 1.0, 1.0, 1.0]]], dtype="float64")
# RMSNorm: x ÷ √(mean x² + ε) · gain, 5×4
encoder_2_norm2 = encoder_2_stream1 / ops.sqrt(ops.sum(encoder_2_stream1 * encoder_2_stream1, axis=-1, keepdims=True) / 4.0 + 1e-05) * encoder_2_norm2_weight
# W₁: given, 4×16
encoder_2_linear1_weight = ops.convert_to_tensor([
    [[0.2942393, -0.21522966, -0.59453356, -0.1718154, 0.17299266, -0.26334837, -0.1558208, -0.47398812, 0.09434072, 0.5896113, 0.0787819, -0.10934829, 0.12985633, -0.5860724, 0.6319041, 0.83869976],
     [-0.49790242, -0.57182086, -1.0398827, 0.05930807, 0.18369414, -0.19982247, 0.293361, -0.3730662, -0.1218504, -0.101882175, 0.550718, 0.48973793, 0.5786196, 0.19922821, 0.27303687, -0.39337707],
     [0.25841516, 0.6261709, -0.366648, -0.2974231, 0.62556326, -0.1201215, -0.057228472, 0.102423504, 0.25266644, 0.14611733, -0.11427882, -0.17405571, -0.540971, -0.5964845, 1.039665, -0.968569],
     [-0.051011026, 0.2789842, -0.46592164, 0.10956423, -0.16042769, -0.15351692, -0.053856157, 0.5391724, -0.55771947, -0.120888054, -0.08921396, 0.30141175, -0.2573511, -0.00020800057, -0.0026094702, 0.1084134]]], dtype="float64")
# b: given, 1×16
encoder_2_linear1_bias = ops.convert_to_tensor([
    [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]], dtype="float64")
# inner: x·W₁ + b, 5×16
encoder_2_inner = ops.matmul(encoder_2_norm2, encoder_2_linear1_weight) + encoder_2_linear1_bias
# activated: GELU(x), 5×16
encoder_2_activated = encoder_2_inner * (0.5 * (1.0 + ops.erf(encoder_2_inner / 1.4142135623730951)))
# W₂: given, 16×4
encoder_2_linear2_weight = ops.convert_to_tensor([
    [[-0.011273827, -0.08683233, 0.17944692, -0.17343089],
     [-0.20608355, -0.12900394, 0.1450964, -0.31568894],
     [-0.04463081, -0.2827524, 0.0041857, 0.17261441],
     [-0.21981373, -0.041171733, -0.08586711, 0.1541693],
     [0.1844316, -0.014835053, 0.007977096, 0.0068529574],
     [-0.16285616, 0.2729277, -0.21300744, 0.32080096],
     [0.22237161, -0.004565211, 0.11415377, -0.20140646],
     [-0.20028317, -0.21350479, 0.26437685, -0.23380406],
     [0.03158725, -0.16829602, -0.4430253, 0.058816604],
     [-0.20214069, 0.18291897, 0.33695456, 0.08457727],
     [-0.09398417, 0.26095715, 0.023603797, -0.17907646],
     [0.13624121, -0.08835893, -0.1016502, 0.03720261],
     [0.0025504036, 0.00097564945, -0.014150983, 0.02395184],
     [0.06254715, -0.19345494, -0.23800007, 0.2909053],
     [-0.117379315, -0.17389882, -0.020998713, -0.48536536],
     [-0.10236142, -0.067089915, -0.40638334, -0.20277694]]], dtype="float64")
# b: given, 1×4
encoder_2_linear2_bias = ops.convert_to_tensor([
    [[0.0, 0.0, 0.0, 0.0]]], dtype="float64")
# feed-forward: x·W₂ + b, 5×4
encoder_2_feed_forward = ops.matmul(encoder_2_activated, encoder_2_linear2_weight) + encoder_2_linear2_bias
# stream: stream + feed-forward, 5×4
encoder_2_stream = encoder_2_stream1 + encoder_2_feed_forward
# γ: given, 1×4
encoder_3_norm1_weight = ops.convert_to_tensor([
    [[1.0, 1.0, 1.0, 1.0]]], dtype="float64")
# RMSNorm: x ÷ √(mean x² + ε) · gain, 5×4
encoder_3_norm1 = encoder_2_stream / ops.sqrt(ops.sum(encoder_2_stream * encoder_2_stream, axis=-1, keepdims=True) / 4.0 + 1e-05) * encoder_3_norm1_weight
# W_Q: given, 4×4
encoder_3_w_q = ops.convert_to_tensor([
    [[0.5254492, -0.116129614, -0.35072008, -0.34469926],
     [-0.76026964, 0.36085898, -0.014760681, -0.3538581],
     [-0.0065706177, -0.055719238, -0.40617162, -0.43279213],
     [-0.6303388, 0.090128675, -0.15938433, 0.22832295]]], dtype="float64")
# Q: X·W_Q, 2×5×2
encoder_3_q = ops.swapaxes(ops.reshape(ops.matmul(encoder_3_norm1, encoder_3_w_q), (5, 2, 2)), 0, 1)
# W_K: given, 4×4
encoder_3_w_k = ops.convert_to_tensor([
    [[0.7331033, 0.21847337, -0.9423488, -0.18700518],
     [0.31777054, -0.32719538, -0.38854143, -0.15056507],
     [-0.18795155, 0.4402316, 0.94970506, 0.17361052],
     [-0.47251308, 1.1526405, 0.63315886, -0.5614601]]], dtype="float64")
# K: X·W_K, 2×5×2
encoder_3_k = ops.swapaxes(ops.reshape(ops.matmul(encoder_3_norm1, encoder_3_w_k), (5, 2, 2)), 0, 1)
# W_V: given, 4×4
encoder_3_w_v = ops.convert_to_tensor([
    [[0.84262633, 0.15339974, -0.61489373, -0.30900773],
     [-0.36191636, 0.58174664, -0.035155173, -0.12285552],
     [0.03151388, -0.43508613, 0.31441018, 0.8280664],
     [-0.22978196, 0.2835485, 0.6337229, -0.073469944]]], dtype="float64")
# V: X·W_V, 2×5×2
encoder_3_v = ops.swapaxes(ops.reshape(ops.matmul(encoder_3_norm1, encoder_3_w_v), (5, 2, 2)), 0, 1)
# scores: QKᵀ, 2×5×5
encoder_3_scores = ops.matmul(encoder_3_q, ops.swapaxes(encoder_3_k, -1, -2))
# scaled: ÷ √2, 2×5×5
encoder_3_scaled = encoder_3_scores * 0.7071067811865475
# row max: max over keys, 2×5×1
encoder_3_row_max = ops.max(encoder_3_scaled, axis=-1, keepdims=True)
# exp: exp(scaled − row max), 2×5×5
encoder_3_exp = ops.exp(encoder_3_scaled - ops.where(encoder_3_row_max == -float("inf"), 0.0, encoder_3_row_max))
# row sum: Σ over keys, 2×5×1
encoder_3_row_sum = ops.sum(encoder_3_exp, axis=-1, keepdims=True)
# weights: softmax by row, 2×5×5
weights = ops.where(encoder_3_row_sum == 0.0, 0.0, encoder_3_exp / encoder_3_row_sum)
# head output: weights · V, 2×5×2
encoder_3_head_output = ops.matmul(weights, encoder_3_v)
# concat: heads side by side, 5×4
encoder_3_concat = ops.reshape(ops.swapaxes(encoder_3_head_output, 0, 1), (1, 5, 4))
# W_O: given, 4×4
encoder_3_w_o = ops.convert_to_tensor([
    [[-0.38449094, -0.76625705, 0.032214507, -0.90820396],
     [-0.710791, -0.0403298, -0.10789361, -0.23663597],
     [0.15831341, -0.21854742, 0.2974023, -0.048260946],
     [0.73339975, 0.19133063, 0.44748753, 0.7815713]]], dtype="float64")
# output: concat · W_O, 5×4
encoder_3_output = ops.matmul(encoder_3_concat, encoder_3_w_o)
# stream: stream + attention, 5×4
encoder_3_stream1 = encoder_2_stream + encoder_3_output
# γ: given, 1×4
encoder_3_norm2_weight = ops.convert_to_tensor([
    [[1.0, 1.0, 1.0, 1.0]]], dtype="float64")
# RMSNorm: x ÷ √(mean x² + ε) · gain, 5×4
encoder_3_norm2 = encoder_3_stream1 / ops.sqrt(ops.sum(encoder_3_stream1 * encoder_3_stream1, axis=-1, keepdims=True) / 4.0 + 1e-05) * encoder_3_norm2_weight
# W₁: given, 4×16
encoder_3_linear1_weight = ops.convert_to_tensor([
    [[-0.637296, 0.083595596, 0.53846616, 1.145188, -0.41596878, -0.0033323464, -0.31247777, -0.9358776, -0.057174813, 0.026168069, -0.23234731, -0.0030387533, 0.5135695, -0.06791807, -0.119364545, -0.0693566],
     [0.529708, -0.6134609, 0.83901477, -0.016813282, -0.53863263, -0.5563974, 0.53408223, -0.7918324, -0.28528523, 0.68373746, 0.5871265, -0.40899038, -0.1345067, 0.025391044, -0.5778108, 0.26804918],
     [0.075164944, 0.67055005, 0.49444377, -1.2114964, -0.28539938, 0.9527992, -0.6990546, 0.14472187, 0.23608725, 0.08198314, -0.5602183, 0.9224186, 0.08336866, -0.34511805, -1.2286112, 0.054735016],
     [0.06720768, -0.32599968, -0.42233416, -0.39259928, -0.5097014, 0.006249301, -0.112459555, 0.18193848, 0.12030296, 0.20849335, -0.0154018, -0.38011602, -0.34579948, 0.091074966, 0.25260004, 1.1151836]]], dtype="float64")
# b: given, 1×16
encoder_3_linear1_bias = ops.convert_to_tensor([
    [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]], dtype="float64")
# inner: x·W₁ + b, 5×16
encoder_3_inner = ops.matmul(encoder_3_norm2, encoder_3_linear1_weight) + encoder_3_linear1_bias
# activated: GELU(x), 5×16
encoder_3_activated = encoder_3_inner * (0.5 * (1.0 + ops.erf(encoder_3_inner / 1.4142135623730951)))
# W₂: given, 16×4
encoder_3_linear2_weight = ops.convert_to_tensor([
    [[-0.09432258, -0.47005174, -0.16926862, 0.22535601],
     [-0.37326714, -0.32792613, -0.098692976, -0.19693467],
     [-0.01647124, 0.23780827, 0.22286889, -0.07345827],
     [0.094313905, 0.1591798, 0.026871404, 0.11766527],
     [-0.129107, -0.16935533, -0.48326942, 0.07263538],
     [0.107440196, 0.024259968, -0.0036338747, 0.005943476],
     [0.14748426, -0.23594739, 0.23221298, 0.06324775],
     [0.07667744, 0.1341433, 0.22167164, 0.19706845],
     [0.121329896, -0.0069893524, -0.2354661, 0.3640024],
     [-0.082142144, 0.0007962356, -0.36282587, 0.42998603],
     [-0.026972106, 0.2888369, -0.055848785, 0.20306247],
     [-0.053701412, -0.2804186, 0.12854521, -0.06329049],
     [0.097033076, -0.7968348, -0.060901884, -0.2611042],
     [-0.029579094, 0.14335285, 0.039873224, -0.14658256],
     [-0.34522957, -0.052896857, -0.26136312, 0.040759858],
     [-0.09148223, 0.14078158, 0.3808607, 0.10813535]]], dtype="float64")
# b: given, 1×4
encoder_3_linear2_bias = ops.convert_to_tensor([
    [[0.0, 0.0, 0.0, 0.0]]], dtype="float64")
# feed-forward: x·W₂ + b, 5×4
encoder_3_feed_forward = ops.matmul(encoder_3_activated, encoder_3_linear2_weight) + encoder_3_linear2_bias
# stream: stream + feed-forward, 5×4
encoder_3_stream = encoder_3_stream1 + encoder_3_feed_forward
# γ: given, 1×4
encoder_norm_weight = ops.convert_to_tensor([
    [[1.0, 1.0, 1.0, 1.0]]], dtype="float64")
# output: x ÷ √(mean x² + ε) · gain, 5×4
output = encoder_3_stream / ops.sqrt(ops.sum(encoder_3_stream * encoder_3_stream, axis=-1, keepdims=True) / 4.0 + 1e-05) * encoder_norm_weight
# self_: , 5×5
rollout_self_0 = ops.convert_to_tensor([
    [[1.0, 0.0, 0.0, 0.0, 0.0],
     [0.0, 1.0, 0.0, 0.0, 0.0],
     [0.0, 0.0, 1.0, 0.0, 0.0],
     [0.0, 0.0, 0.0, 1.0, 0.0],
     [0.0, 0.0, 0.0, 0.0, 1.0]]], dtype="float64")
# mean_: , 5×5
rollout_mean_1 = ops.sum(encoder_0_weights, axis=0, keepdims=True) / 2.0
# both_: , 5×5
rollout_both_2 = rollout_mean_1 + rollout_self_0
# total_: , 5×1
rollout_total_3 = ops.sum(rollout_both_2, axis=-1, keepdims=True)
# mixed_: , 5×5
rollout_mixed_4 = ops.where(rollout_total_3 == 0.0, 0.0, rollout_both_2 / rollout_total_3)
# mean_: , 5×5
rollout_mean_5 = ops.sum(encoder_1_weights, axis=0, keepdims=True) / 2.0
# both_: , 5×5
rollout_both_6 = rollout_mean_5 + rollout_self_0
# total_: , 5×1
rollout_total_7 = ops.sum(rollout_both_6, axis=-1, keepdims=True)
# mixed_: , 5×5
rollout_mixed_8 = ops.where(rollout_total_7 == 0.0, 0.0, rollout_both_6 / rollout_total_7)
# product_: , 5×5
rollout_product_9 = ops.matmul(rollout_mixed_8, rollout_mixed_4)
# mean_: , 5×5
rollout_mean_10 = ops.sum(encoder_2_weights, axis=0, keepdims=True) / 2.0
# both_: , 5×5
rollout_both_11 = rollout_mean_10 + rollout_self_0
# total_: , 5×1
rollout_total_12 = ops.sum(rollout_both_11, axis=-1, keepdims=True)
# mixed_: , 5×5
rollout_mixed_13 = ops.where(rollout_total_12 == 0.0, 0.0, rollout_both_11 / rollout_total_12)
# product_: , 5×5
rollout_product_14 = ops.matmul(rollout_mixed_13, rollout_product_9)
# mean_: , 5×5
rollout_mean_15 = ops.sum(weights, axis=0, keepdims=True) / 2.0
# both_: , 5×5
rollout_both_16 = rollout_mean_15 + rollout_self_0
# total_: , 5×1
rollout_total_17 = ops.sum(rollout_both_16, axis=-1, keepdims=True)
# mixed_: , 5×5
rollout_mixed_18 = ops.where(rollout_total_17 == 0.0, 0.0, rollout_both_16 / rollout_total_17)
# product_: , 5×5
rollout_product_19 = ops.matmul(rollout_mixed_18, rollout_product_14)
# A_L ··· A₁, each ½ A + ½ I, 5×5
rollout = rollout_product_19
output = output[0]
