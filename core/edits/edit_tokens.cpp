// Adding, removing, carrying and renaming tokens; what belongs to them goes along.
#include <algorithm>

#include "core/document/layer_plan.h"
#include "core/document/limits.h"
#include "core/edits/edit_masks.h"
#include "core/edits/edit_shapes.h"
#include "core/edits/edit_sides.h"
#include "core/text/text.h"

namespace attn {
namespace {

TouchedAxes touched_by(const LayerSpec& layer, TokenSide side) {
  if (!has_own_keys(layer)) return {true, true};
  return {side == TokenSide::query, side == TokenSide::key};
}

Labels reordered(const Labels& labels, const Order& order, const std::string& label) {
  if (labels.empty() && label.empty()) return labels;
  Labels result;
  for (const auto& old : order)
    if (!old)
      result.push_back(label.empty() ? std::to_string(result.size()) : valid_utf8(label));
    else
      result.push_back(labels.empty() ? std::to_string(*old) : labels[*old]);
  return result;
}

void follow_overrides(LayerAt in, const Order& order, std::size_t old_count, TouchedAxes touched) {
  if (overrides_of(in.document, kLayerPlan, in.address).empty()) return;
  const Order places = places_of(order, old_count);
  const Graph graph = build_layer(in.document, in.address).graph;
  const auto moves = [&](const Axis& axis) {
    return (touched.queries && axis.along == Axis::queries) || (touched.keys && axis.along == Axis::keys);
  };
  std::erase_if(in.document.overrides, [&](StageOverride& o) {
    if (o.workspace != kLayerPlan.name || o.layer != in.address) return false;
    const auto stage = graph.find(o.stage);
    if (!stage) return true;
    Cell& cell = o.value.cell;
    const auto moved = [&](const Axis& axis, std::size_t at) -> std::optional<std::size_t> {
      if (!moves(axis)) return at;
      return at < places.size() ? places[at] : std::nullopt;
    };
    const auto row = moved(graph.stages[*stage].rows, cell.row);
    const auto column = moved(graph.stages[*stage].columns, cell.column);
    if (row && column) cell.row = *row, cell.column = *column;
    return !row || !column;
  });
}

// The rows that one list of labels names. While Q, K and V are given, those of x and memory wait for the way
// back, and follow as long as there is one for each token; what was given stays behind when it is projected.
void rearrange_rows(const LayerSpec& layer, std::initializer_list<Tensor*> tensors, const Order& order,
                    std::size_t old_count) {
  for (Tensor* tensor : tensors) {
    const bool given = tensor != &layer.x && tensor != &layer.memory;
    if (given == layer.direct || (layer.direct && tensor->rows() == old_count))
      *tensor = rearranged(*tensor, {.rows = &order});
  }
}

void rearrange_tokens(LayerAt in, const Order& order, const std::string& label, TokenSide side) {
  Document changed = in.document;
  LayerSpec& layer = changed.layer(in.address);
  const TouchedAxes touched = touched_by(layer, side);
  const bool own_labels = layer.direct || !layer.memory.empty();
  const std::size_t old_queries = query_count(layer), old_keys = key_count(layer);
  // First what needs the layer as it was.
  follow_overrides({changed, in.address}, order, token_count(layer, side), touched);
  follow_rules(layer, order, touched);
  if (touched.queries) {
    layer.tokens = reordered(layer.tokens, order, label);
    rearrange_rows(layer, {&layer.q, &layer.x}, order, old_queries);
  }
  if (touched.keys && own_labels) {
    if (!touched.queries || !layer.memory_tokens.empty())
      layer.memory_tokens = reordered(layer.memory_tokens, order, label);
    rearrange_rows(layer, {&layer.k, &layer.v, &layer.memory}, order, old_keys);
  }
  Rearrangement pairs{.rows = touched.queries ? &order : nullptr, .columns = touched.keys ? &order : nullptr};
  layer.bias = rearranged(layer.bias, pairs);
  layer.mask = rearranged(layer.mask, pairs);
  pairs.fill = 1;  // kept
  layer.dropout_mask = rearranged(layer.dropout_mask, pairs);
  settle(in, std::move(changed));
}

}  // namespace

bool has_own_keys(const LayerSpec& layer) {
  if (!layer.direct) return !layer.memory.empty();
  return layer.q.rows() != layer.k.rows() || !layer.memory_tokens.empty();
}

std::size_t token_count(const LayerSpec& layer, TokenSide side) {
  return side == TokenSide::key ? key_count(layer) : query_count(layer);
}

const Labels& token_labels(const LayerSpec& layer, TokenSide side) {
  return side == TokenSide::key && has_own_keys(layer) ? layer.memory_tokens : layer.tokens;
}

void insert_token(LayerAt in, std::size_t at, const std::string& label, TokenSide side) {
  const std::size_t count = token_count(in.layer(), side);
  Order order = resized(count, count);
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(std::min(at, count)), std::nullopt);
  rearrange_tokens(in, order, label, side);
}

void remove_token(LayerAt in, std::size_t at, TokenSide side) {
  const std::size_t count = token_count(in.layer(), side);
  if (count <= 1 || at >= count) return;
  Order order = resized(count, count);
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(at));
  rearrange_tokens(in, order, {}, side);
}

void set_token_count(LayerAt in, std::size_t count, const std::string& label, TokenSide side) {
  const std::size_t old = token_count(in.layer(), side);
  if (count > 0 && count != old) rearrange_tokens(in, resized(old, count), label, side);
}

void move_token(LayerAt in, std::size_t from, std::size_t to, TokenSide side) {
  const std::size_t count = token_count(in.layer(), side);
  if (from >= count || to >= count || from == to) return;
  Order order = resized(count, count);
  const auto first = order.begin(), a = first + static_cast<std::ptrdiff_t>(from);
  const auto b = first + static_cast<std::ptrdiff_t>(to);
  from < to ? std::rotate(a, a + 1, b + 1) : std::rotate(b, a, a + 1);
  rearrange_tokens(in, order, {}, side);
}

void reorder_tokens(LayerAt in, const std::vector<std::size_t>& order, TokenSide side) {
  rearrange_tokens(in, Order(order.begin(), order.end()), {}, side);
}

void rename_token(LayerAt in, std::size_t at, const std::string& label, TokenSide side) {
  if (at >= token_count(in.layer(), side)) return;
  Document changed = in.document;
  LayerSpec& layer = changed.layer(in.address);
  const bool own = &token_labels(layer, side) == &layer.memory_tokens;
  Labels& labels = own ? layer.memory_tokens : layer.tokens;
  labels = filled_labels(std::move(labels), token_count(layer, side));
  labels[at] = valid_utf8(label);
  check_limits(changed);
  in.document = std::move(changed);
}

}  // namespace attn
