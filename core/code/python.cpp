// Libraries of arrays in Python. Their own softmax is not used: each of its steps stands there.
#include "core/code/language.h"

namespace attn::code {
namespace {

using enum Binding;

// What the four have in common.
const Spellings kArrays{
    {Fn::product, operation("%0 @ %1", factor)},
    {Fn::columns, of("%0[:, :, %F:%E]")},
    {Fn::rows, of("%0[:, %F:%E]")},
    {Fn::matrices, of("%0[%F:%E]")},
};

// NumPy's, and JAX's: %P is the module.
const Spellings kNumpySpellings{
    {Fn::place, of("%P.arange(%N)[:, None]")},
    {Fn::column, call("%P.arange(%M)")},
    {Fn::larger, call("%P.maximum(%0, %1)")},
    {Fn::where, call("%P.where(%0, %1, %2)")},
    {Fn::exp, call("%P.exp(%0)")},
    {Fn::log, call("%P.log(%0)")},
    {Fn::root, call("%P.sqrt(%0)")},
    {Fn::tanh, call("%P.tanh(%0)")},
    {Fn::sine, call("%P.sin(%0)")},
    {Fn::cosine, call("%P.cos(%0)")},
    {Fn::size, call("%P.abs(%0)")},
    {Fn::row_max, of("%0.max(-1, keepdims=True)")},
    {Fn::row_sum, of("%0.sum(-1, keepdims=True)")},
    {Fn::column_sum, of("%0.sum(-2, keepdims=True)")},
    {Fn::stack_sum, of("%0.sum(0, keepdims=True)")},
    {Fn::running_sum, call("%P.cumsum(%0, -1)")},
    {Fn::descending, call("-%P.sort(-(%0), -1)")},
    {Fn::transposed, of("%0.swapaxes(-1, -2)")},
    {Fn::exchanged, of("%0.swapaxes(0, 1)")},
    {Fn::reshaped, of("%0.reshape(%S, %N, %M)")},
    {Fn::picked, of("%0[:, :, %P.array(%L)]")},
    {Fn::by_index, of("%0[:, %P.arange(%N)[:, None], %I]")},
    {Fn::by_one_index, of("%0[:, 0, %I]")},
    {Fn::beside, call("%P.concatenate([%0, %1], axis=-1)")},
    {Fn::repeated, call("%P.repeat(%0, %F, axis=0)")},
    {Fn::tiled, call("%P.tile(%0, (%F, 1, 1))")},
};

const Spellings kTorchSpellings{
    {Fn::place, of("torch.arange(%N)[:, None]")},
    {Fn::column, call("torch.arange(%M)")},
    {Fn::larger, call("larger(%0, %1)")},
    {Fn::where, call("torch.where(%0, %1, %2)")},
    {Fn::exp, call("torch.exp(%0)")},
    {Fn::log, call("torch.log(%0)")},
    {Fn::root, call("torch.sqrt(%0)")},
    {Fn::tanh, call("torch.tanh(%0)")},
    {Fn::sine, call("torch.sin(%0)")},
    {Fn::cosine, call("torch.cos(%0)")},
    {Fn::size, call("torch.abs(%0)")},
    {Fn::erf, call("torch.erf(%0)")},
    {Fn::row_max, of("%0.amax(-1, keepdim=True)")},
    {Fn::row_sum, of("%0.sum(-1, keepdim=True)")},
    {Fn::column_sum, of("%0.sum(-2, keepdim=True)")},
    {Fn::stack_sum, of("%0.sum(0, keepdim=True)")},
    {Fn::running_sum, call("torch.cumsum(%0, -1)")},
    {Fn::descending, call("torch.sort(%0, -1, descending=True).values")},
    {Fn::transposed, of("%0.transpose(-1, -2)")},
    {Fn::exchanged, of("%0.transpose(0, 1)")},
    {Fn::reshaped, of("%0.reshape(%S, %N, %M)")},
    {Fn::picked, of("%0[:, :, torch.tensor(%L)]")},
    {Fn::by_index, of("%0[:, torch.arange(%N)[:, None], %I]")},
    {Fn::by_one_index, of("%0[:, 0, %I]")},
    {Fn::beside, call("torch.cat([%0, %1], dim=-1)")},
    {Fn::repeated, of("%0.repeat_interleave(%F, dim=0)")},
    {Fn::tiled, of("%0.repeat(%F, 1, 1)")},
};

const Spellings kKerasSpellings{
    {Fn::place, of("ops.arange(%N, dtype=\"float64\")[:, None]")},
    {Fn::column, call("ops.arange(%M, dtype=\"float64\")")},
    {Fn::both, call("ops.logical_and(%0, %1)")},
    {Fn::either, call("ops.logical_or(%0, %1)")},
    {Fn::larger, call("ops.maximum(%0, %1)")},
    {Fn::where, call("ops.where(%0, %1, %2)")},
    {Fn::exp, call("ops.exp(%0)")},
    {Fn::log, call("ops.log(%0)")},
    {Fn::root, call("ops.sqrt(%0)")},
    {Fn::tanh, call("ops.tanh(%0)")},
    {Fn::sine, call("ops.sin(%0)")},
    {Fn::cosine, call("ops.cos(%0)")},
    {Fn::size, call("ops.abs(%0)")},
    {Fn::erf, call("ops.erf(%0)")},
    {Fn::row_max, call("ops.max(%0, axis=-1, keepdims=True)")},
    {Fn::row_sum, call("ops.sum(%0, axis=-1, keepdims=True)")},
    {Fn::column_sum, call("ops.sum(%0, axis=-2, keepdims=True)")},
    {Fn::stack_sum, call("ops.sum(%0, axis=0, keepdims=True)")},
    {Fn::running_sum, call("ops.cumsum(%0, axis=-1)")},
    {Fn::descending, call("-ops.sort(-(%0), axis=-1)")},
    {Fn::product, call("ops.matmul(%0, %1)")},
    {Fn::transposed, call("ops.swapaxes(%0, -1, -2)")},
    {Fn::exchanged, call("ops.swapaxes(%0, 0, 1)")},
    {Fn::reshaped, call("ops.reshape(%0, (%S, %N, %M))")},
    {Fn::picked, call("ops.take(%0, %L, axis=-1)")},
    {Fn::by_index, call("by_index(%0, %I)")},
    {Fn::by_one_index, call("by_index(%0, %I)")},
    {Fn::beside, call("ops.concatenate([%0, %1], axis=-1)")},
    {Fn::repeated, call("ops.repeat(%0, %F, axis=0)")},
    {Fn::tiled, call("ops.tile(%0, (%F, 1, 1))")},
};

const std::vector<std::string_view> kTaken{
    "np",  "torch",  "jnp",    "jax",      "math",      "ops",       "keras", "erf",  "larger", "by_index",
    "and", "as",     "assert", "class",    "def",       "del",       "for",   "from", "if",     "in",
    "is",  "lambda", "not",    "or",       "pass",      "print",     "max",   "with", "sum",    "F",
    "mha", "module", "keep",   "identity", "attn_mask", "attention", "empty"};

// What the four have in common.
Language python(Language own, const Spellings& spellings) {
  own.comment = "# ";
  own.assign = " = ";
  own.ends = "\n";
  own.list_begin = own.matrix_begin = own.row_begin = "[";
  own.list_end = own.row_end = own.matrix_end = "]";
  own.next_row = ",\n     ";
  own.next_matrix = ",\n    ";
  own.indices_end = "])";
  own.output = "output = output[0]\n";
  own.taken = kTaken;
  own.spellings = spellings;
  own.spellings.insert(kArrays.begin(), kArrays.end());  // what it has not
  own.spellings = with_operators(std::move(own.spellings));
  return own;
}

}  // namespace

const Language kNumpy =
    python({.name = "numpy",
            .title = "NumPy",
            .module = "np",
            .begin = "import math\n\nimport numpy as np\n\n"
                     "np.seterr(all=\"ignore\")  # what np.where leaves out may be ∞ − ∞ or 0 ÷ 0\n",
            .nan = "np.nan",
            .infinity = "np.inf",
            .stack_begin = "np.array([\n    ",
            .stack_end = "], dtype=np.float64)",
            .indices_begin = "np.array([",
            .helpers = {{"erf", "erf = np.vectorize(math.erf)\n"}}},
           kNumpySpellings);

const Language kPytorch = python(
    {.name = "pytorch",
     .title = "PyTorch",
     .module = "torch",
     .begin = "import torch\n\ntorch.set_default_dtype(torch.float64)\n",
     .nan = "float(\"nan\")",
     .infinity = "float(\"inf\")",
     .stack_begin = "torch.tensor([\n    ",
     .stack_end = "], dtype=torch.float64)",
     .indices_begin = "torch.tensor([",
     .point = true,
     .helpers = {{"larger",
                  "def larger(a, b):\n    return torch.maximum(a, torch.as_tensor(b, dtype=a.dtype))\n"}}},
    kTorchSpellings);

const Language kJax =
    python({.name = "jax",
            .title = "JAX",
            .module = "jnp",
            .begin = "import jax\n\njax.config.update(\"jax_enable_x64\", True)  # before any array\n"
                     "import jax.numpy as jnp\nfrom jax.scipy.special import erf\n",
            .nan = "jnp.nan",
            .infinity = "jnp.inf",
            .stack_begin = "jnp.array([\n    ",
            .stack_end = "], dtype=jnp.float64)",
            .indices_begin = "jnp.array([",
            .point = true},
           kNumpySpellings);

const Language kKeras =
    python({.name = "keras",
            .title = "Keras",
            .module = "ops",
            .begin = "import keras\nfrom keras import ops\n\nkeras.config.set_floatx(\"float64\")\n",
            .nan = "float(\"nan\")",
            .infinity = "float(\"inf\")",
            .stack_begin = "ops.convert_to_tensor([\n    ",
            .stack_end = "], dtype=\"float64\")",
            .indices_begin = "ops.convert_to_tensor([",
            .point = true,
            .helpers = {{"by_index",
                         "def by_index(x, index):\n"
                         "    index = ops.broadcast_to(index, (x.shape[0],) + tuple(index.shape))\n"
                         "    x = ops.broadcast_to(x, tuple(index.shape[:2]) + (x.shape[2],))\n"
                         "    return ops.take_along_axis(x, index, axis=-1)\n"}}},
           kKerasSpellings);

}  // namespace attn::code
