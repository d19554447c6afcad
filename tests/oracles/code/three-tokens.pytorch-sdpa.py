import torch

torch.set_default_dtype(torch.float64)

# Q: given, 3×4
q = torch.tensor([
    [[1.0, 0.0, 1.0, 0.0],
     [0.0, 1.0, 0.0, 1.0],
     [1.0, 1.0, 0.0, 0.0]]], dtype=torch.float64)
# K: given, 3×4
k = torch.tensor([
    [[1.0, 1.0, 0.0, 0.0],
     [0.0, 0.0, 1.0, 1.0],
     [1.0, 0.0, 1.0, 0.0]]], dtype=torch.float64)
# V: given, 3×4
v = torch.tensor([
    [[1.0, 2.0, 3.0, 4.0],
     [5.0, 6.0, 7.0, 8.0],
     [9.0, 10.0, 11.0, 12.0]]], dtype=torch.float64)
# PyTorch 2.5 or newer; a query without a key gets 0
head_output = torch.nn.functional.scaled_dot_product_attention(q, k, v, scale=0.5)
# It returns no weights: they are what it makes of the identity.
identity = torch.eye(3).expand(1, -1, -1)
weights = torch.nn.functional.scaled_dot_product_attention(q, k, identity, scale=0.5)
# the heads' outputs, 3×4
output = head_output
output = output[0]
