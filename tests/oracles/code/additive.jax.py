import jax

jax.config.update("jax_enable_x64", True)  # before any array
import jax.numpy as jnp
from jax.scipy.special import erf

# Q: given, 3×4
q = jnp.array([
    [[1.0, 0.0, 1.0, 0.0],
     [0.0, 1.0, 0.0, 1.0],
     [1.0, 1.0, 0.0, 0.0]]], dtype=jnp.float64)
# K: given, 3×4
k = jnp.array([
    [[1.0, 1.0, 0.0, 0.0],
     [0.0, 0.0, 1.0, 1.0],
     [1.0, 0.0, 1.0, 0.0]]], dtype=jnp.float64)
# V: given, 3×4
v = jnp.array([
    [[1.0, 2.0, 3.0, 4.0],
     [5.0, 6.0, 7.0, 8.0],
     [9.0, 10.0, 11.0, 12.0]]], dtype=jnp.float64)
# score W_q: made: seed 22, 4×4
score_w_q_numbers = jnp.array([
    [[0.32306885719299316, -0.5307698249816895, 0.0703478455543518, -0.6187353134155273],
     [0.41461992263793945, -0.29150286316871643, 0.0821857899427414, 0.5166026949882507],
     [0.28508949279785156, 0.281696617603302, 0.25233322381973267, -0.2207745909690857],
     [-0.053264468908309937, 0.004909415263682604, 0.2601107954978943, -0.23019368946552277]]], dtype=jnp.float64)
score_w_q = score_w_q_numbers
# score W_k: made: seed 23, 4×4
score_w_k_numbers = jnp.array([
    [[-0.17733588814735413, 1.2691692113876343, -0.36362266540527344, 0.08792059123516083],
     [-0.21195733547210693, -0.2812487483024597, 0.06863567978143692, 0.6205101609230042],
     [-0.5450295209884644, 0.8885084986686707, -0.052310094237327576, -1.2932937145233154],
     [0.23271538317203522, 0.5782169699668884, 0.6498484015464783, -0.5136111378669739]]], dtype=jnp.float64)
score_w_k = score_w_k_numbers
# score v: made: seed 24, 1×4
score_v_numbers = jnp.array([
    [[-0.27314382791519165, -1.2246813774108887, -0.2892773151397705, 0.08163097500801086]]], dtype=jnp.float64)
score_v = score_v_numbers
# W_q q: rows times W transposed, 3×4
q_hidden = q @ score_w_q.swapaxes(-1, -2)
# W_k k: rows times W transposed, 3×4
k_hidden = k @ score_w_k.swapaxes(-1, -2)
# pairs: W_q q + W_k k, 9×4
pair_sum = (q_hidden.reshape(3, 1, 4) + k_hidden).reshape(1, 9, 4)
# tanh: tanh(W_q q + W_k k), 9×4
pair_tanh = jnp.tanh(pair_sum)
# v·tanh(W_q q + W_k k), 3×3
scores = (pair_tanh @ score_v.swapaxes(-1, -2)).reshape(1, 3, 3)
# ÷ √4, 3×3
scaled = scores * 0.5
# 2·tanh(scaled ÷ 2), 3×3
capped = 2.0 * jnp.tanh(scaled / 2.0)
# row max: max over keys, 3×1
row_max = capped.max(-1, keepdims=True)
# exp(capped − row max), 3×3
exp = jnp.exp(capped - jnp.where(row_max == -jnp.inf, 0.0, row_max))
# row sum: Σ over keys, 3×1
row_sum = exp.sum(-1, keepdims=True)
# softmax by row, 3×3
weights = jnp.where(row_sum == 0.0, 0.0, exp / row_sum)
# output: weights · V, 3×4
head_output = weights @ v
# heads side by side, 3×4
concat = head_output
# the heads' outputs, 3×4
output = head_output
output = output[0]
