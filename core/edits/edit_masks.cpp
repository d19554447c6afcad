// Each rule's numbers, led after the tokens that they count or name.
#include "core/edits/edit_masks.h"

#include <algorithm>
#include <utility>

#include "core/document/limits.h"
#include "core/document/stack_edit.h"
#include "core/operations/matmul.h"
#include "core/system/error.h"

namespace attn {
namespace {

// A valid length after its keys went through `order`: as many old keys stay valid; a new one is valid when it
// stands among them, or when no key was padding.
std::size_t followed(std::size_t length, const Order& order, std::size_t old_keys) {
  if (length == old_keys) return order.size();
  std::size_t valid = 0, fresh = 0;
  for (const auto& old : order) {
    if (!old) ++fresh;
    if (old && *old < length) valid += 1 + std::exchange(fresh, 0);
    if (old && *old >= length) fresh = 0;
  }
  return valid;
}

struct Follower {
  const Order& order;
  TouchedAxes touched;
  std::size_t old_queries, old_keys;

  bool resizes_keys() const { return touched.keys && order.size() != old_keys; }
  bool resizes_queries() const { return touched.queries && order.size() != old_queries; }
  // Tokens that a number may name afterwards.
  std::size_t places() const {
    return std::max(touched.queries ? order.size() : old_queries, touched.keys ? order.size() : old_keys);
  }

  void operator()(PaddingRule& rule) const {
    std::vector<std::size_t>& lengths = rule.lengths;
    if (resizes_keys())
      for (std::size_t& length : lengths) length = followed(length, order, old_keys);
    if (!touched.queries || lengths.size() < 2) return;
    const std::size_t all = touched.keys ? order.size() : old_keys;
    std::vector<std::size_t> moved;
    for (const auto& old : order) moved.push_back(old ? lengths[*old] : all);
    lengths = std::move(moved);
  }
  void operator()(PrefixRule& rule) const {
    if (resizes_keys()) rule.length = followed(std::min(rule.length, old_keys), order, old_keys);
  }
  void operator()(GlobalRule& rule) const {
    if (touched.queries && touched.keys) {
      const Order places = places_of(order, old_keys);
      std::vector<std::size_t> moved;
      for (const std::size_t token : rule.tokens)
        if (token < places.size() && places[token]) moved.push_back(*places[token]);
      rule.tokens = std::move(moved);
    }
    std::erase_if(rule.tokens, [&](std::size_t token) { return token >= places(); });
  }
  // A token that comes belongs to the document of the one before it.
  void operator()(BlocksRule& rule) const {
    if (!resizes_keys() && !resizes_queries()) return;
    if (touched.queries && touched.keys) {
      std::vector<std::size_t> lengths(rule.lengths.size() + 1);
      std::size_t block = 0;
      for (const auto& old : order) ++lengths[block = old ? block_of(rule, *old) : block];
      lengths.pop_back();  // what is left needs no length
      rule.lengths = std::move(lengths);
    }
    std::size_t room = places();
    for (std::size_t& length : rule.lengths) room -= length = std::min(length, room);
    std::erase(rule.lengths, 0);
  }
  void operator()(auto&) const {}
};

bool is_spent(const MaskTerm& term) {
  const auto* global = std::get_if<GlobalRule>(&term.rule);
  const auto* blocks = std::get_if<BlocksRule>(&term.rule);
  return (global && global->tokens.empty()) || (blocks && blocks->lengths.empty());
}

}  // namespace

bool is_painted(const LayerSpec& layer, Cell cell) {
  if (layer.mask.empty()) return false;
  const std::size_t matrix = shared_matrix(cell.head, layer.mask.stack(), head_count(layer));
  return layer.mask[{matrix, cell.row, cell.column}] != 0;
}

void paint_mask(LayerAt in, std::span<const Cell> cells, bool hide, bool all_heads) {
  const LayerSpec& layer = in.layer();
  const auto [queries, keys] = pair_counts(in.document, in.address);
  const std::size_t heads = head_count(layer);
  for (const Cell& c : cells)
    if (c.head >= heads || c.row >= queries || c.column >= keys)
      throw Error("there is no query " + std::to_string(c.row) + " with a key " + std::to_string(c.column) +
                  " in head " + std::to_string(c.head) + ": nothing was painted");
  const std::size_t old = layer.mask.empty() ? 1 : layer.mask.stack();
  const Shape shape{all_heads ? old : heads, queries, keys};
  check_number_count(shape.size());
  std::vector<float> values(shape.size());
  if (!layer.mask.empty())
    for (std::size_t i = 0; i < values.size(); ++i) {
      Cell from = cell_at(shape, i);
      from.head = shared_matrix(from.head, old, shape.stack);
      values[i] = layer.mask[from];
    }
  for (const Cell& c : cells)
    for (std::size_t s = all_heads ? 0 : c.head; s < (all_heads ? shape.stack : c.head + 1); ++s)
      values[(s * queries + c.row) * keys + c.column] = hide ? 1.0f : 0.0f;
  Document changed = in.document;
  const bool some = std::ranges::any_of(values, [](float v) { return v != 0; });
  if (Tensor mask = some ? Tensor(shape, std::move(values)) : Tensor(); !(mask == layer.mask))
    changed.layer(in.address).mask = std::move(mask);
  settle(in, std::move(changed));
}

void follow_rules(LayerSpec& layer, const Order& order, TouchedAxes touched) {
  const Follower follow{order, touched, query_count(layer), key_count(layer)};
  for (MaskTerm& term : layer.masks) std::visit(follow, term.rule);
  std::erase_if(layer.masks, is_spent);
}

}  // namespace attn
