// Heads of a layer that a file gives side by side.
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

}  // namespace

void change_heads(LayerSpec& layer, std::size_t wanted, std::size_t wanted_kv) {
  const std::size_t heads = wanted != 0 ? wanted : layer.direct ? layer.q.stack() : layer.heads;
  if (layer.direct) {
    const Tensor &q = layer.q, &k = layer.k;
    const bool stacked = k.stack() != 1 || wanted == 0;
    const std::size_t kv_heads = wanted_kv != 0 ? wanted_kv
                                 : stacked
                                     ? k.stack()
                                     : kv_heads_from_widths(q.columns() * q.stack(), k.columns(), heads);
    layer.q = split_heads(q, heads, "q");
    layer.k = split_heads(k, kv_heads, "k");
    layer.v = split_heads(layer.v, kv_heads, "v");
    return;
  }
  layer.heads = heads;
  if (wanted_kv != 0)
    layer.kv_heads = wanted_kv;
  else if (wanted != 0)
    layer.kv_heads = kv_heads_from_widths(layer.w_q.columns(), layer.w_k.columns(), heads);
}

}  // namespace attn
