// Lays the options over a layer.
#include "app/cli/options.h"
#include "core/error.h"

namespace attn {
namespace {

// Heads of a matrix whose columns hold them side by side: S×rows×columns from 1×rows×(S·columns).
Tensor split_heads(const Tensor& matrix, std::size_t heads, const char* name) {
  const Shape shape = matrix.shape();
  if (shape.stack == heads || heads == 0) return matrix;
  const std::string problem =
      std::string(name) + " (" + to_string(shape) + ") cannot be " + std::to_string(heads);
  if (shape.stack != 1)
    throw Error(problem + " heads: it holds " + std::to_string(shape.stack) + " already", Fault::option);
  if (shape.columns % heads != 0)
    throw Error(problem + " heads side by side: " + nearest_heads(shape.columns, heads), Fault::option);
  const std::size_t width = shape.columns / heads;
  std::vector<float> values;
  values.reserve(shape.size());
  for (std::size_t head = 0; head < heads; ++head)
    for (std::size_t row = 0; row < shape.rows; ++row)
      for (std::size_t column = 0; column < width; ++column)
        values.push_back(matrix[{0, row, head * width + column}]);
  return Tensor({heads, shape.rows, width}, std::move(values));
}

// Key/value heads when only the heads are given: keys are as wide as queries, so the widths tell.
std::size_t kv_heads_from_widths(std::size_t q_columns, std::size_t k_columns, std::size_t heads) {
  if (q_columns % heads != 0) return heads;  // build_graph says what does not divide
  const std::size_t width = q_columns / heads;
  return width > 0 && k_columns % width == 0 && k_columns > 0 ? k_columns / width : heads;
}

void change_heads(LayerSpec& layer, const LayerChanges& changes) {
  const std::size_t heads = changes.heads.value_or(layer.direct ? layer.q.stack() : layer.heads);
  if (layer.direct) {
    const Tensor &q = layer.q, &k = layer.k;
    const bool stacked = k.stack() != 1 || !changes.heads;
    const std::size_t kv_heads = changes.kv_heads.value_or(
        stacked ? k.stack() : kv_heads_from_widths(q.columns() * q.stack(), k.columns(), heads));
    layer.q = split_heads(q, heads, "q");
    layer.k = split_heads(k, kv_heads, "k");
    layer.v = split_heads(layer.v, kv_heads, "v");
  } else {
    layer.heads = heads;
    if (changes.kv_heads)
      layer.kv_heads = *changes.kv_heads;
    else if (changes.heads)
      layer.kv_heads = kv_heads_from_widths(layer.w_q.columns(), layer.w_k.columns(), heads);
  }
}

}  // namespace

LayerSpec changed(LayerSpec layer, const LayerChanges& changes) {
  if (changes.heads || changes.kv_heads) change_heads(layer, changes);
  if (changes.scale) {
    layer.scale_mode = changes.scale->mode;
    layer.scale_number = changes.scale->number;
  }
  if (changes.temperature) layer.temperature = *changes.temperature;
  if (changes.masks) {
    const CausalAlign align = layer.causal.value_or(CausalAlign::lower_right);
    layer.causal = changes.masks->causal ? std::optional(align) : std::nullopt;
    layer.padding = changes.masks->padding;
  }
  if (changes.causal_align) {
    if (!layer.causal)
      throw Error("--causal-align: there is no causal mask to align; add --mask causal", Fault::option);
    layer.causal = changes.causal_align;
  }
  if (changes.fill) layer.fill = *changes.fill;
  if (changes.empty_row) layer.empty_row = *changes.empty_row;
  if (changes.position) {
    if (layer.direct && changes.position->base)
      throw Error("--position: the file gives q, k and v, so there is no x to add an encoding to",
                  Fault::option);
    layer.sinusoidal_base = changes.position->base;
  }
  if (changes.dropout) {
    layer.dropout = changes.dropout->p;
    layer.dropout_seed = changes.dropout->seed;
  }
  return layer;
}

}  // namespace attn
