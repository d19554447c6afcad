import torch

torch.set_default_dtype(torch.float64)

# X: tokens, 5×4
x = torch.tensor([
    [[1.4342015, 0.45190552, 0.34276807, 1.1944265],
     [-0.07729196, -1.9583665, 1.5724254, -0.48206806],
     [0.73913723, -0.001524259, -0.74673474, 1.3178624],
     [-1.7586048, -0.265336, 0.30664983, -1.1298316],
     [-0.069825225, 1.5632226, -1.4304858, -0.9263514]]], dtype=torch.float64)
# W_Q: given, 4×4
w_q = torch.tensor([
    [[2.2872472, -0.9706733, 1.2729169, -0.9830526],
     [-1.1967717, -0.94727993, 0.18419278, -0.27606395],
     [-0.6942925, 0.7481393, 0.7522799, -0.87085104],
     [-0.41229296, -0.11695523, 0.5917451, 0.71871054]]], dtype=torch.float64)
# Q: X·W_Q, 5×4
q = x @ w_q
# W_K: given, 4×4
w_k = torch.tensor([
    [[0.15265763, 2.281452, 0.11065288, 0.9975135],
     [2.1899781, 0.32402053, -0.078466766, -1.1051301],
     [0.35698622, 1.896067, -0.42049047, -0.14228784],
     [2.7167518, 0.4676805, -0.56212586, 0.3149949]]], dtype=torch.float64)
# K: X·W_K, 5×4
k = x @ w_k
# W_V: given, 4×4
w_v = torch.tensor([
    [[-0.89380074, 0.83975035, 1.2185506, -0.39101243],
     [-0.3073283, 0.7053418, -0.6993171, -0.4015266],
     [-0.0048224223, 1.3059647, -0.28543276, 1.3505176],
     [0.9881641, -1.3879962, -1.3115526, 0.59119004]]], dtype=torch.float64)
# V: X·W_V, 5×4
v = x @ w_v
# Q rotated: pairs turned by p·θ, 5×4
q_rotated_turns = torch.tensor([
    [[1.0, 1.0, 0.01, 0.01]]], dtype=torch.float64)
q_rotated_part = torch.arange(5)[:, None] * q_rotated_turns
q_rotated_signs = torch.tensor([
    [[-1.0, 1.0, -1.0, 1.0]]], dtype=torch.float64)
q_rotated = q * torch.cos(q_rotated_part) + q[:, :, torch.tensor([1, 0, 3, 2])] * (q_rotated_signs * torch.sin(q_rotated_part))
# K rotated: pairs turned by p·θ, 5×4
k_rotated_turns = torch.tensor([
    [[1.0, 1.0, 0.01, 0.01]]], dtype=torch.float64)
k_rotated_part = torch.arange(5)[:, None] * k_rotated_turns
k_rotated_signs = torch.tensor([
    [[-1.0, 1.0, -1.0, 1.0]]], dtype=torch.float64)
k_rotated = k * torch.cos(k_rotated_part) + k[:, :, torch.tensor([1, 0, 3, 2])] * (k_rotated_signs * torch.sin(k_rotated_part))
# causal, 5×5
mask = torch.arange(5) > torch.arange(5)[:, None]
attn_mask = ~mask
# PyTorch 2.5 or newer; a query without a key gets 0
head_output = torch.nn.functional.scaled_dot_product_attention(q_rotated, k_rotated, v, attn_mask=attn_mask, scale=0.5)
# It returns no weights: they are what it makes of the identity.
identity = torch.eye(5).expand(1, -1, -1)
weights = torch.nn.functional.scaled_dot_product_attention(q_rotated, k_rotated, identity, attn_mask=attn_mask, scale=0.5)
# heads side by side, 5×4
concat = head_output
# W_O: given, 4×4
w_o = torch.tensor([
    [[0.10052545, 0.36715302, -1.5678682, 0.076371476],
     [0.931072, 1.7071625, 0.31825027, 0.15915528],
     [-0.26274234, 0.7237403, 0.16599146, 0.5436742],
     [-0.0076681045, 0.48103604, -0.89990765, 0.70480734]]], dtype=torch.float64)
# concat · W_O, 5×4
output = concat @ w_o
output = output[0]
