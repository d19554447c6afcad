// The model width and the numbers of heads; projections, masks and biases follow.
#include <algorithm>

#include "core/attention/heads.h"
#include "core/edits/edit.h"
#include "core/edits/edit_shapes.h"
#include "core/graph/limits.h"
#include "core/system/error.h"

namespace attn {
namespace {

void check_divides(std::size_t heads, std::size_t width, const char* what) {
  if (width % heads != 0)
    throw Error(std::to_string(heads) + " heads don't divide the " + std::to_string(width) + " columns of " +
                    what + ": " + nearest_heads(width, heads),
                Fault::option);
}

void check_heads(std::size_t heads, std::size_t kv_heads) {
  if (heads == 0)
    throw Error("a layer has no heads: use from 1 to " + std::to_string(limits::kMostHeads), Fault::option);
  if (kv_heads != 0 && heads % kv_heads == 0) return;
  throw Error(std::to_string(kv_heads) + " key/value heads don't divide " + std::to_string(heads) +
                  " heads: " + nearest_heads(heads, std::max<std::size_t>(kv_heads, 1)),
              Fault::option);
}

// New numbers of a tensor.
struct NewValues {
  float sd = 0;
  std::uint64_t seed = 0;
};
constexpr NewValues kZeros, kNewQ{kNewWeight, kSeedQ}, kNewK{kNewWeight, kSeedK}, kNewV{kNewWeight, kSeedV},
    kNewO{kNewWeight, kSeedO};

Tensor with_columns(const Tensor& tensor, std::size_t columns, NewValues fresh) {
  if (tensor.empty() || tensor.columns() == columns) return tensor;
  const Order order = resized(tensor.columns(), columns);
  return rearranged(tensor, {.columns = &order, .sd = fresh.sd, .seed = fresh.seed});
}

Tensor with_rows(const Tensor& tensor, std::size_t rows, NewValues fresh) {
  if (tensor.empty() || tensor.rows() == rows) return tensor;
  const Order order = resized(tensor.rows(), rows);
  return rearranged(tensor, {.rows = &order, .sd = fresh.sd, .seed = fresh.seed});
}

// A mask or bias of one matrix serves any number of heads; else each head keeps its own, new heads get
// `fill`.
Tensor with_heads(const Tensor& tensor, std::size_t old_heads, std::size_t heads, float fill = 0) {
  if (tensor.empty() || tensor.stack() == 1) return tensor;
  Order order(heads);
  for (std::size_t head = 0; head < std::min(old_heads, heads); ++head)
    order[head] = head / (old_heads / tensor.stack());
  return rearranged(tensor, {.matrices = &order, .fill = fill});
}

// The whole widths stay: of the queries, of the keys as if each head had its own (they may be of another
// width where the score has parameters), and of the heads' outputs, h·d_v.
struct HeadWidths {
  std::size_t queries = 0, keys = 0, values = 0;
};

HeadWidths widths_of(const LayerSpec& layer) {
  if (layer.direct)
    return {layer.q.stack() * layer.q.columns(), layer.q.stack() * layer.k.columns(),
            layer.q.stack() * layer.v.columns()};
  if (layer.kv_heads == 0) return {};
  return {layer.w_q.columns(), layer.w_k.columns() / layer.kv_heads * layer.heads,
          layer.w_v.columns() / layer.kv_heads * layer.heads};
}

void check_divides(std::size_t heads, const HeadWidths& widths, const char* queries) {
  check_divides(heads, widths.queries, queries);
  check_divides(heads, widths.keys, "the heads' keys side by side");
  check_divides(heads, widths.values, "the heads' outputs side by side");
}

void projected_heads(LayerSpec& layer, std::size_t heads, std::size_t kv_heads) {
  const HeadWidths widths = widths_of(layer);
  check_divides(heads, widths, "w_q");
  const std::size_t keys = kv_heads * (widths.keys / heads), values = kv_heads * (widths.values / heads);
  layer.w_k = with_columns(layer.w_k, keys, kNewK);
  layer.b_k = with_columns(layer.b_k, keys, kZeros);
  layer.w_v = with_columns(layer.w_v, values, kNewV);
  layer.b_v = with_columns(layer.b_v, values, kZeros);
  layer.heads = heads, layer.kv_heads = kv_heads;
}

void direct_heads(LayerSpec& layer, std::size_t heads, std::size_t kv_heads) {
  const Tensor q = side_by_side(layer.q), k = side_by_side(layer.k), v = side_by_side(layer.v);
  const HeadWidths widths = widths_of(layer);
  check_divides(heads, widths, "q");
  layer.q = split_heads(q, heads);
  layer.k = split_heads(with_columns(k, kv_heads * (widths.keys / heads), kNewK), kv_heads);
  layer.v = split_heads(with_columns(v, kv_heads * (widths.values / heads), kNewV), kv_heads);
}

}  // namespace

void set_width(LayerAt in, std::size_t width) {
  Document changed = in.document;
  LayerSpec& layer = changed.layer(in.address);
  if (layer.direct)
    throw Error("Q, K and V are given directly: this layer has no model width to change", Fault::option);
  if (width == 0 || width > kMaximumWidth)
    throw Error("the width must be from 1 to " + std::to_string(kMaximumWidth), Fault::option);
  const std::size_t old = layer.x.columns();
  layer.x = with_columns(layer.x, width, kZeros);
  layer.w_q = with_rows(layer.w_q, width, kNewQ);
  if (layer.memory.empty() || layer.memory.columns() == old) {
    layer.memory = with_columns(layer.memory, width, kZeros);
    layer.w_k = with_rows(layer.w_k, width, kNewK);
    layer.w_v = with_rows(layer.w_v, width, kNewV);
  }
  if (layer.w_o.columns() == old) {
    layer.w_o = with_columns(layer.w_o, width, kNewO);
    layer.b_o = with_columns(layer.b_o, width, kZeros);
  }
  settle(in, std::move(changed));
}

void set_heads(LayerAt in, std::size_t heads, std::size_t kv_heads) {
  Document changed = in.document;
  LayerSpec& layer = changed.layer(in.address);
  const std::size_t old = head_count(layer);
  check_heads(heads, kv_heads);
  if (layer.direct)
    direct_heads(layer, heads, kv_heads);
  else
    projected_heads(layer, heads, kv_heads);
  layer.bias = with_heads(layer.bias, old, heads);
  layer.mask = with_heads(layer.mask, old, heads);
  layer.dropout_mask = with_heads(layer.dropout_mask, old, heads, 1);
  std::erase_if(layer.muted_heads, [&](std::size_t head) { return head >= heads; });
  settle(in, std::move(changed));
}

std::size_t kv_heads_for(const LayerSpec& layer, std::size_t heads) {
  return kv_head_count(layer) == head_count(layer) ? heads : kv_head_count(layer);
}

std::vector<std::size_t> possible_heads(const LayerSpec& layer) {
  const HeadWidths widths = widths_of(layer);
  std::vector<std::size_t> all = divisors(widths.queries);
  std::erase_if(all, [&](std::size_t h) {
    return widths.keys % h != 0 || widths.values % h != 0 || h % kv_heads_for(layer, h) != 0;
  });
  return all;
}

std::vector<std::size_t> possible_kv_heads(const LayerSpec& layer) {
  return divisors(head_count(layer));
}

void use_direct(LayerAt in, const Tensor& q, const Tensor& k, const Tensor& v) {
  Document changed = in.document;
  LayerSpec& layer = changed.layer(in.address);
  layer.q = kept(q), layer.k = kept(k), layer.v = kept(v);
  if (layer.memory.empty()) layer.memory_tokens.clear();
  layer.direct = true;
  settle(in, std::move(changed));
}

void use_projected(LayerAt in) {
  Document changed = in.document;
  changed.layer(in.address).direct = false;
  if (changed.layer(in.address).memory.empty()) changed.layer(in.address).memory_tokens.clear();
  settle(in, std::move(changed));
}

}  // namespace attn
