// The widths of heads, d_q, d_k and d_v: projections, or Q, K and V where these are given, grow and shrink by
// columns of each head.
#include <algorithm>
#include <cmath>

#include "core/edits/edit.h"
#include "core/edits/edit_shapes.h"
#include "core/system/error.h"

namespace attn {
namespace {

// Which of its columns each head keeps, of heads side by side in one matrix.
Order head_columns(std::size_t heads, std::size_t old_width, std::size_t width) {
  Order order(heads * width);
  for (std::size_t head = 0; head < heads; ++head)
    for (std::size_t column = 0; column < std::min(old_width, width); ++column)
      order[head * width + column] = head * old_width + column;
  return order;
}

void check_width(std::size_t width, const char* what) {
  if (width > 0 && width <= kMaximumWidth) return;
  throw Error(std::string(what) + " must be from 1 to " + std::to_string(kMaximumWidth), Fault::option);
}

// New columns of a projection are normals of variance 1/d, so that tokens of variance 1 have queries and keys
// of variance 1, however wide these are. Biases get zeros.
void widen(Tensor& projection, Tensor& bias, std::size_t heads, std::size_t width, std::uint64_t seed) {
  const Order columns = head_columns(heads, projection.columns() / heads, width);
  const float sd = 1 / std::sqrt(static_cast<float>(projection.rows()));
  projection = rearranged(projection, {.columns = &columns, .sd = sd, .seed = seed});
  bias = rearranged(bias, {.columns = &columns});
}

// New columns of queries, keys and values that are given are normals of variance 1.
void widen(Tensor& given, std::size_t width, std::uint64_t seed) {
  const Order columns = resized(given.columns(), width);
  given = rearranged(given, {.columns = &columns, .sd = 1, .seed = seed});
}

void widen_queries(LayerSpec& layer, std::size_t width) {
  if (layer.direct)
    widen(layer.q, width, kSeedQ);
  else
    widen(layer.w_q, layer.b_q, layer.heads, width, kSeedQ);
}

void widen_keys(LayerSpec& layer, std::size_t width) {
  if (layer.direct)
    widen(layer.k, width, kSeedK);
  else
    widen(layer.w_k, layer.b_k, layer.kv_heads, width, kSeedK);
}

bool has_free_widths(const LayerSpec& layer) {
  return scoring_text(layer.scoring).free_widths;
}

}  // namespace

std::size_t query_width(const LayerSpec& layer) {
  return layer.direct ? layer.q.columns() : layer.w_q.columns() / std::max<std::size_t>(1, layer.heads);
}

std::size_t key_width(const LayerSpec& layer) {
  return layer.direct ? layer.k.columns() : layer.w_k.columns() / std::max<std::size_t>(1, layer.kv_heads);
}

std::size_t value_width(const LayerSpec& layer) {
  return layer.direct ? layer.v.columns() : layer.w_v.columns() / std::max<std::size_t>(1, layer.kv_heads);
}

void set_width_of_queries(LayerAt in, std::size_t width) {
  check_width(width, "d_q");
  Document changed = in.document;
  widen_queries(changed.layer(in.address), width);
  if (!has_free_widths(changed.layer(in.address))) widen_keys(changed.layer(in.address), width);
  settle(in, std::move(changed));
}

void set_width_of_keys(LayerAt in, std::size_t width) {
  check_width(width, "d_k");
  Document changed = in.document;
  widen_keys(changed.layer(in.address), width);
  if (!has_free_widths(changed.layer(in.address))) widen_queries(changed.layer(in.address), width);
  settle(in, std::move(changed));
}

void set_width_of_values(LayerAt in, std::size_t width) {
  check_width(width, "d_v");
  Document changed = in.document;
  LayerSpec& layer = changed.layer(in.address);
  const std::size_t heads = head_count(layer), old = value_width(layer);
  if (layer.direct) {
    widen(layer.v, width, kSeedV);
  } else {
    widen(layer.w_v, layer.b_v, layer.kv_heads, width, kSeedV);
    const Order rows = head_columns(heads, old, width);
    const float sd = 1 / std::sqrt(static_cast<float>(heads * width));
    layer.w_o = rearranged(layer.w_o, {.rows = &rows, .sd = sd, .seed = kSeedO});
  }
  settle(in, std::move(changed));
}

void set_memory_width(LayerAt in, std::size_t width) {
  check_width(width, "the memory's width");
  Document changed = in.document;
  LayerSpec& layer = changed.layer(in.address);
  if (layer.direct || layer.memory.empty())
    throw Error("this layer has no memory whose width could change", Fault::option);
  const Order order = resized(layer.memory.columns(), width);
  const float sd = 1 / std::sqrt(static_cast<float>(width));
  layer.memory = rearranged(layer.memory, {.columns = &order});
  layer.w_k = rearranged(layer.w_k, {.rows = &order, .sd = sd, .seed = kSeedK});
  layer.w_v = rearranged(layer.w_v, {.rows = &order, .sd = sd, .seed = kSeedV});
  settle(in, std::move(changed));
}

void set_output_width(LayerAt in, std::size_t width) {
  check_width(width, "the output's width");
  Document changed = in.document;
  LayerSpec& layer = changed.layer(in.address);
  if (layer.w_o.empty())
    throw Error("without W_O the output is as wide as the heads together: change d_v", Fault::option);
  const Order order = resized(layer.w_o.columns(), width);
  const float sd = 1 / std::sqrt(static_cast<float>(layer.w_o.rows()));
  layer.w_o = rearranged(layer.w_o, {.columns = &order, .sd = sd, .seed = kSeedO});
  layer.b_o = rearranged(layer.b_o, {.columns = &order});
  settle(in, std::move(changed));
}

}  // namespace attn
