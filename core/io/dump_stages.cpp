// The stages that a dump gives, in the shapes that the layer has them.
#include <algorithm>

#include "core/io/dump_parts.h"
#include "core/text/text.h"

namespace attn::dump {
namespace {

Tensor tensor_of(Array array) {
  const std::vector<std::size_t>& shape = array.shape;
  const std::size_t rank = shape.size();
  const Shape ours{rank > 2 ? shape[0] : 1, shape[rank - 2], shape[rank - 1]};
  if (array.keeper) return {ours, array.mapped, std::move(array.keeper), std::move(array.origin)};
  return {ours, std::move(array.values), std::move(array.origin)};
}

// Heads side by side, or one for all, as the stack that the layer has; false: it cannot be.
bool fit_heads(Array& array, const Shape& wanted) {
  const std::size_t stack = array.shape.size() > 2 ? array.shape[0] : 1;
  if (stack == wanted.stack && array.shape.back() == wanted.columns) return true;
  if (stack == 1 && array.shape.back() == wanted.stack * wanted.columns) {
    array.shape = {wanted.rows, wanted.stack, wanted.columns};
    array = in_our_order(array, "nhd", 0);
    return true;
  }
  if (wanted.stack == 0 || stack % wanted.stack != 0 || array.shape.back() != wanted.columns) return false;
  // Keys and values that were repeated for the queries of their group: each once, where they are alike.
  const std::size_t size = wanted.rows * wanted.columns, times = stack / wanted.stack;
  const std::span<const float> numbers = array.numbers();
  std::vector<float> once;
  for (std::size_t head = 0; head < stack; ++head) {
    const auto at = [&](std::size_t h) { return numbers.begin() + static_cast<std::ptrdiff_t>(h * size); };
    const std::size_t first = head / times * times;
    if (!std::equal(at(head), at(head + 1), at(first))) return false;
    if (head == first) once.insert(once.end(), at(head), at(head + 1));
  }
  array = {.shape = {wanted.stack, wanted.rows, wanted.columns}, .values = std::move(once)};
  return true;
}

struct LayerSizes {
  std::size_t n = 0, m = 0, h = 0, g = 0, d_k = 0, d_v = 0, d_out = 0;
};

LayerSizes sizes_of(const LayerSpec& layer) {
  LayerSizes sizes{query_count(layer), key_count(layer), head_count(layer), kv_head_count(layer)};
  sizes.d_k = layer.direct ? layer.q.columns() : layer.w_q.columns() / sizes.h;
  sizes.d_v = layer.direct ? layer.v.columns() : layer.w_v.columns() / sizes.g;
  sizes.d_out = layer.direct || layer.w_o.empty() ? sizes.h * sizes.d_v : layer.w_o.columns();
  return sizes;
}

enum class Kind { rows, heads, pairs };
struct Wanted {
  Kind kind = Kind::heads;
  Shape shape = {};
};

Wanted wanted_of(std::string_view id, const LayerSpec& layer) {
  const LayerSizes s = sizes_of(layer);
  if (id == "position") return {Kind::rows, {1, s.n, layer.x.columns()}};
  if (id == "output") return {Kind::rows, {1, s.n, s.d_out}};
  if (id == "concat") return {Kind::rows, {1, s.n, s.h * s.d_v}};
  if (id == "head_output") return {Kind::heads, {s.h, s.n, s.d_v}};
  if (id.starts_with("q")) return {Kind::heads, {s.h, s.n, s.d_k}};
  if (id.starts_with("k")) return {Kind::heads, {s.g, s.m, s.d_k}};
  if (id == "v") return {Kind::heads, {s.g, s.m, s.d_v}};
  return {Kind::pairs, {s.h, s.n, s.m}};
}

// An output of heads apart is what they come to before they are joined; one of all, before W_O, where only
// that is as wide.
void settle_output(Reading& reading, Item& item, const LayerSpec& layer) {
  std::string& meaning = item.meaning.meaning;
  if (item.forced || (meaning != "output" && meaning != "concat")) return;
  const LayerSizes s = sizes_of(layer);
  const std::vector<std::size_t>& shape = item.array.shape;
  const Axes rows =
      find_axes(shape, row_axes(),
                {.batch = reading.batches, .rows = s.n, .columns = wanted_of(meaning, layer).shape.columns});
  if (!rows.empty()) return;
  const Axes heads =
      find_axes(shape, head_axes(), {.batch = reading.batches, .heads = s.h, .rows = s.n, .columns = s.d_v});
  if (heads.find('h') != heads.npos && !reading.has("head_output")) meaning = "head_output";
}

Array take_heads(Reading& reading, Item& item, const Shape& wanted) {
  const std::vector<std::size_t>& shape = item.array.shape;
  Expected expected{.batch = reading.batches,
                    .heads = wanted.stack,
                    .rows = wanted.rows,
                    .width = wanted.stack * wanted.columns};
  if (find_axes(shape, head_axes(), expected).empty())  // repeated for the queries' heads
    expected = {.batch = reading.batches, .rows = wanted.rows, .columns = wanted.columns};
  Array array = take(reading, item, head_axes(), expected);
  if (item.meaning.refused.empty() && !fit_heads(array, wanted))
    item.refuse("is " + shape_text(item.meaning.shape) + ": the layer has " + to_string(wanted));
  return array;
}

Array take_pairs(Reading& reading, Item& item, const Shape& wanted) {
  Array array = take(reading, item, pair_axes(),
                     {.batch = reading.batches, .rows = wanted.rows, .columns = wanted.columns});
  const std::size_t stack = array.shape.size() > 2 ? array.shape[0] : 1;
  if (!item.meaning.refused.empty() || stack == wanted.stack) return array;
  item.refuse(stack == 1 && wanted.stack > 1
                  ? "is " + shape_text(item.meaning.shape) + ", one for " + std::to_string(wanted.stack) +
                        " heads: their average? Give each head's (average_attn_weights=False)"
                  : "is " + shape_text(item.meaning.shape) + ": the layer has " + to_string(wanted));
  return array;
}

// Behind a projection that the layer has not: the numbers cannot be its own.
void refuse_projected(Reading& reading, const LayerSpec& layer) {
  Item* output = reading.find("output");
  if (!layer.direct || !output) return;
  const Item* concat = reading.find("concat");
  const bool given =
      std::ranges::any_of(reading.items, [](const Item& item) { return item.says.meaning == "w_o"; });
  const bool differs = concat && concat->array.shape.size() == output->array.shape.size() &&
                       !std::ranges::equal(concat->array.numbers(), output->array.numbers());
  if (given || differs)
    output->refuse("is not compared: it is behind W_O, which a layer of q, k and v has not");
}

std::optional<Tensor> stage_of(Reading& reading, Item& item, const LayerSpec& layer) {
  settle_output(reading, item, layer);
  const Wanted wanted = wanted_of(item.meaning.meaning, layer);
  Array array =
      wanted.kind == Kind::heads ? take_heads(reading, item, wanted.shape)
      : wanted.kind == Kind::pairs
          ? take_pairs(reading, item, wanted.shape)
          : take(reading, item, row_axes(),
                 {.batch = reading.batches, .rows = wanted.shape.rows, .columns = wanted.shape.columns});
  if (!item.meaning.refused.empty()) return std::nullopt;
  return tensor_of(std::move(array));
}

}  // namespace

void give_stages(Reading& reading) {
  const LayerSpec& layer = reading.dump.layer;
  const std::vector<std::string> ids = stage_meanings();
  refuse_projected(reading, layer);
  std::vector<TakenStage> stages;
  for (Item& item : reading.items) {
    const std::string& id = item.meaning.meaning;
    const bool input = layer.direct && (id == "q" || id == "k" || id == "v" || id == "position");
    if (!item.meaning.refused.empty() || input || std::ranges::find(ids, id) == ids.end()) continue;
    if (auto tensor = stage_of(reading, item, layer))
      stages.push_back({{item.meaning.meaning, std::move(*tensor)}, &item});
    item.array = {};
  }
  tell_stages(stages, layer, reading.dump.notes);
  for (const TakenStage& stage : stages) stage.item->meaning.meaning = stage.id;
  for (const std::string& id : ids) {
    const auto found = std::ranges::find(stages, id, &TakenStage::id);
    if (found != stages.end()) reading.dump.stages.push_back(std::move(*found));
  }
}

}  // namespace attn::dump
