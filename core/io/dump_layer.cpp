// The layer of a dump: sizes that its arrays agree on, and the tensors that go in.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/io/dump_parts.h"
#include "core/text/text.h"

namespace attn::dump {
namespace {

constexpr std::array kPairStages{"weights", "masked_weights", "dropped", "masked",
                                 "scaled",  "scores",         "biased",  "capped"};

// The last two axes of a number for each query and key are queries and keys.
void learn_pairs(Reading& reading) {
  for (const char* meaning : kPairStages) {
    const Item* item = reading.find(meaning);
    if (!item || item->array.shape.size() < 2) continue;
    const std::vector<std::size_t>& shape = item->array.shape;
    const std::size_t rank = shape.size();
    reading.queries = shape[rank - 2], reading.keys = shape[rank - 1];
    if (rank > 3) reading.heads = shape[rank - 3], reading.batches = shape[rank - 4];
    return;
  }
  for (const Item& item : reading.items)
    if (item.is("mask") && item.array.shape.size() > 1 && item.array.shape[item.array.shape.size() - 2] > 1)
      reading.queries = item.array.shape[item.array.shape.size() - 2], reading.keys = item.array.shape.back();
}

void learn_rows(Reading& reading, const char* meaning, std::size_t& rows) {
  const Item* item = reading.find(meaning);
  if (!item) return;
  const std::vector<std::size_t>& shape = item->array.shape;
  const Axes axes = find_axes(shape, row_axes(), {.batch = reading.batches, .rows = rows});
  if (axes.empty()) return;
  rows = size_along(shape, axes, 'n');
  if (const std::size_t batch = size_along(shape, axes, 'b'); batch != 0) reading.batches = batch;
}

// Three axes of weights: the first is the heads, unless it is the batch that the input has.
void learn_heads(Reading& reading) {
  if (const Item* number = reading.find("heads"); number && number->array.numbers().size() == 1)
    if (const float heads = number->array.numbers()[0];
        heads >= 1 && heads < 65536 && heads == std::floor(heads))
      reading.heads = static_cast<std::size_t>(heads);
  if (const Item* number = reading.find("kv_heads"); number && number->array.numbers().size() == 1)
    if (const float heads = number->array.numbers()[0];
        heads >= 1 && heads < 65536 && heads == std::floor(heads))
      reading.kv_heads = static_cast<std::size_t>(heads);
  for (const char* meaning : kPairStages) {
    const Item* item = reading.find(meaning);
    if (!item || reading.heads != 0 || item->array.shape.size() != 3) continue;
    const std::size_t first = item->array.shape[0];
    if (first > 1 && first != reading.batches) reading.heads = first;
  }
}

// Queries, keys and values that are given in place of projections, or beside them: their heads.
void learn_qkv(Reading& reading) {
  for (const char* meaning : {"q", "k", "v"}) {
    const Item* item = reading.find(meaning);
    if (!item || item->array.shape.size() < 3) continue;
    const bool query = meaning[0] == 'q';
    std::size_t &rows = query ? reading.queries : reading.keys,
                &heads = query ? reading.heads : reading.kv_heads;
    const std::vector<std::size_t>& shape = item->array.shape;
    const Axes axes = find_axes(
        shape, head_axes(),
        {.batch = reading.batches, .heads = heads, .rows = rows, .width = reading.width_of(meaning[0])},
        item->meaning.layout.empty() ? reading.liked : Axes(item->meaning.layout));
    if (axes.empty()) continue;
    if (rows != 0 && axes.ends_with("nhd")) reading.liked = "nhd";
    rows = size_along(shape, axes, 'n');
    if (heads == 0) heads = size_along(shape, axes, 'h');
    if (const std::size_t batch = size_along(shape, axes, 'b'); batch != 0) reading.batches = batch;
  }
}

// Of the widths of projections, where neither the file nor anything else says how many.
void heads_from_widths(Reading& reading, LayerSpec& layer) {
  const std::size_t queries = layer.w_q.columns(), keys = layer.w_k.columns();
  if (reading.heads != 0 && queries % reading.heads == 0) layer.heads = reading.heads;
  const std::size_t width = queries / layer.heads;
  if (layer.heads > 1 && keys % width == 0) {
    layer.kv_heads = keys / width;
  } else if (layer.heads == 1 && keys < queries && queries % keys == 0) {
    layer.heads = queries / keys;
    reading.guessed = true;
  }
}

Expected expected_of(Reading& reading, char letter) {
  const bool query = letter == 'q';
  return {.batch = reading.batches,
          .heads = query ? reading.heads : reading.kv_heads,
          .rows = query ? reading.queries : reading.keys};
}

// Queries, keys and values as the inputs that they are where nothing projects them.
void take_direct(Reading& reading, NamedArrays& plain) {
  for (const char* meaning : {"q", "k", "v"}) {
    Item* item = reading.find(meaning);
    if (!item) continue;
    Array array = take(reading, *item, head_axes(), expected_of(reading, meaning[0]));
    if (item->meaning.refused.empty()) plain.emplace(meaning, std::move(array));
  }
  for (Item& item : reading.items)
    if (item.part || is_weight(item.meaning.meaning) || is_column_bias(item.meaning.meaning))
      if (item.meaning.refused.empty())
        item.refuse("is not used: x and the other projections are not all there");
}

void take_projected(Reading& reading, NamedArrays& plain) {
  for (const char* meaning : {"x", "memory"}) {
    Item* item = reading.find(meaning);
    if (!item) continue;
    const std::size_t rows = meaning[0] == 'x' ? reading.queries : reading.keys;
    Array array = take(reading, *item, row_axes(), {.batch = reading.batches, .rows = rows});
    if (item->meaning.refused.empty()) plain.emplace(meaning, std::move(array));
  }
  for (Item& item : reading.items)
    if (item.meaning.refused.empty() &&
        (is_weight(item.meaning.meaning) || is_column_bias(item.meaning.meaning)))
      plain.emplace(item.meaning.meaning, std::move(item.array));
  if (!plain.contains("w_o")) plain.erase("b_o");
}

}  // namespace

std::size_t Reading::width_of(char letter) {
  const Item* weight = find(std::string("w_") + letter);
  return weight && projects() ? weight->array.shape.back() : 0;
}

Array take(Reading& reading, Item& item, std::span<const Axes> tried, const Expected& expected) {
  const std::vector<std::size_t>& shape = item.array.shape;
  const Axes forced = item.forced ? Axes(item.meaning.layout) : Axes();
  std::vector<Axes> possible(tried.begin(), tried.end());
  if (!forced.empty()) std::erase_if(possible, [&](Axes axes) { return !axes.ends_with(forced); });
  const Axes axes = find_axes(shape, possible, expected, reading.liked);
  if (axes.empty()) {
    std::string sizes;
    for (const auto& [what, size] : {std::pair("rows", expected.rows), std::pair("heads", expected.heads),
                                     std::pair("columns", expected.columns)})
      if (size != 0) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size) + " " + what;
    item.refuse("is " + shape_text(item.meaning.shape) + ": expected " +
                (sizes.empty() ? "rows and columns" : sizes));
    return {};
  }
  if (axes.front() == 'l') reading.note(printable(item.meaning.name) + ": of the layers the first is read");
  if (forced.empty() && (axes.ends_with("nhd") || axes == "nbd")) item.meaning.layout = axes;
  if (const std::size_t batch = size_along(shape, axes, 'b'); batch != 0)
    reading.batches = std::max(reading.batches, batch);
  return in_our_order(item.array, axes, reading.batch);
}

void learn_sizes(Reading& reading) {
  learn_pairs(reading);
  learn_rows(reading, "x", reading.queries);
  if (reading.has("memory")) {
    learn_rows(reading, "memory", reading.keys);
  } else if (reading.keys == 0 && reading.has("x")) {
    reading.keys = reading.queries;
  }
  learn_heads(reading);
}

LayerSpec layer_of(Reading& reading, const std::optional<LayerSpec>& instead) {
  NamedArrays plain;
  learn_qkv(reading);
  if (instead && !reading.holds_inputs()) {
    reading.note("the file has no inputs: its numbers are held against the layer that is open");
    return *instead;
  }
  reading.projects() ? take_projected(reading, plain) : take_direct(reading, plain);
  for (Item& item : reading.items)
    if (is_read_with_qkv(item.meaning.meaning) && item.meaning.refused.empty() &&
        item.meaning.meaning != "user_bias")
      plain.emplace(item.meaning.meaning, std::move(item.array));
  LayerSpec layer = layer_from_arrays(std::move(plain));
  if (!layer.direct) heads_from_widths(reading, layer);
  return layer;
}

}  // namespace attn::dump
