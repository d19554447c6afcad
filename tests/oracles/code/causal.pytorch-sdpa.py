import torch

torch.set_default_dtype(torch.float64)

# X: tokens, 5×4
x = torch.tensor([
    [[1.43, 0.45, 0.34, 1.19],
     [-0.08, -1.96, 1.57, -0.48],
     [0.74, 0.0, -0.75, 1.32],
     [-1.76, -0.27, 0.31, -1.13],
     [-0.07, 1.56, -1.43, -0.93]]], dtype=torch.float64)
# W_Q: given, 4×4
w_q = torch.tensor([
    [[0.06, 0.3, -0.35, 0.24],
     [-0.34, 0.02, 0.04, -0.37],
     [0.76, -0.16, -0.27, 0.12],
     [-0.66, 0.25, 0.1, 1.25]]], dtype=torch.float64)
# Q: X·W_Q, 5×4
q = x @ w_q
# W_K: given, 4×4
w_k = torch.tensor([
    [[-0.41, -0.42, -0.14, 0.37],
     [0.78, 0.01, 0.44, 0.48],
     [-0.11, -0.29, 0.02, 0.54],
     [-0.09, -0.41, 0.39, -0.63]]], dtype=torch.float64)
# K: X·W_K, 5×4
k = x @ w_k
# W_V: given, 4×4
w_v = torch.tensor([
    [[0.2, 1.57, 0.77, 0.94],
     [-0.02, 1.48, 0.19, 0.24],
     [-1.59, -0.22, -1.33, -0.48],
     [-1.03, -0.34, 0.06, 0.53]]], dtype=torch.float64)
# V: X·W_V, 5×4
v = x @ w_v
# causal, 5×5
mask = torch.arange(5) > torch.arange(5)[:, None]
attn_mask = ~mask
# PyTorch 2.5 or newer; a query without a key gets 0
head_output = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=attn_mask, scale=0.5)
# It returns no weights: they are what it makes of the identity.
identity = torch.eye(5).expand(1, -1, -1)
weights = torch.nn.functional.scaled_dot_product_attention(q, k, identity, attn_mask=attn_mask, scale=0.5)
# the heads' outputs, 5×4
output = head_output
output = output[0]
