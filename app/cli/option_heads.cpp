// Heads of a layer that a file gives side by side.
#include "app/cli/options.h"
#include "core/attention/heads.h"
#include "core/system/error.h"

namespace attn {
namespace {

// `matrix` as so many heads: split where they lie side by side in it, left as it is where it holds them.
Tensor with_heads(const Tensor& matrix, std::size_t heads, const char* name) {
  const Shape shape = matrix.shape();
  if (shape.stack == heads) return matrix;
  const std::string problem =
      std::string(name) + " (" + to_string(shape) + ") cannot be " + std::to_string(heads);
  if (shape.stack != 1)
    throw Error(problem + " heads: it holds " + std::to_string(shape.stack) + " already", Fault::option);
  if (shape.columns % heads != 0)
    throw Error(problem + " heads side by side: " + nearest_heads(shape.columns, heads), Fault::option);
  return split_heads(matrix, heads);
}

// How many heads of this width lie side by side; `otherwise` where they don't fill the columns, which
// build_graph says.
std::size_t heads_in(std::size_t columns, std::size_t width, std::size_t otherwise) {
  return width > 0 && columns > 0 && columns % width == 0 ? columns / width : otherwise;
}

// The width of one of so many heads; 0 where they don't divide the columns.
std::size_t head_width(std::size_t columns, std::size_t heads) {
  return columns % heads == 0 ? columns / heads : 0;
}

// Keys are as wide as queries, so that either number of heads tells the other. A stack tells its own.
void split_direct(LayerSpec& layer, std::size_t wanted, std::size_t wanted_kv) {
  const Shape q = layer.q.shape(), k = layer.k.shape();
  const std::size_t q_columns = q.stack * q.columns, k_columns = k.stack * k.columns;
  std::size_t heads = wanted, kv_heads = wanted_kv;
  if (heads == 0) heads = q.stack > 1 ? q.stack : heads_in(q_columns, head_width(k_columns, kv_heads), 1);
  if (kv_heads == 0)
    kv_heads = k.stack > 1 ? k.stack : heads_in(k_columns, head_width(q_columns, heads), heads);
  layer.q = with_heads(layer.q, heads, "q");
  layer.k = with_heads(layer.k, kv_heads, "k");
  layer.v = with_heads(layer.v, kv_heads, "v");
}

}  // namespace

void change_heads(LayerSpec& layer, std::size_t wanted, std::size_t wanted_kv) {
  if (layer.direct) return split_direct(layer, wanted, wanted_kv);
  if (wanted != 0)
    layer.heads = wanted;
  else
    layer.heads = heads_in(layer.w_q.columns(), head_width(layer.w_k.columns(), wanted_kv), layer.heads);
  if (wanted_kv != 0)
    layer.kv_heads = wanted_kv;
  else
    layer.kv_heads = heads_in(layer.w_k.columns(), head_width(layer.w_q.columns(), layer.heads), layer.heads);
}

}  // namespace attn
