// Masks of a dump: what their numbers mean, as rules of a layer where they are such, and rules that the given
// weights show.
#include <algorithm>
#include <cmath>

#include "core/io/dump_parts.h"
#include "core/text/text.h"

namespace attn::dump {
namespace {

// Query by query and key by key, what is hidden in every head.
struct Hidden {
  std::size_t queries = 0, keys = 0;
  std::vector<char> cells = {};
  bool at(std::size_t i, std::size_t j) const { return cells[i * keys + j] != 0; }
};

// A causal rule's last key and the length of a padding: 0 where there is none.
struct Rules {
  std::optional<CausalAlign> causal = {};
  std::size_t length = 0;
};

bool hides(CausalAlign align, const Hidden& hidden, std::size_t i, std::size_t j) {
  return align == CausalAlign::top_left ? j > i : j + hidden.queries > i + hidden.keys;
}

bool hides_all(const Hidden& hidden, CausalAlign align) {
  bool any = false;
  for (std::size_t i = 0; i < hidden.queries; ++i)
    for (std::size_t j = 0; j < hidden.keys; ++j)
      if (hides(align, hidden, i, j)) {
        if (!hidden.at(i, j)) return false;
        any = true;
      }
  return any;
}

bool hides_column(const Hidden& hidden, std::size_t j) {
  for (std::size_t i = 0; i < hidden.queries; ++i)
    if (!hidden.at(i, j)) return false;
  return true;
}

// Of two triangles the one that hides more, if all of it is hidden.
Rules rules_in(const Hidden& hidden) {
  Rules rules;
  const bool wide = hidden.keys > hidden.queries;
  for (const CausalAlign align : {wide ? CausalAlign::top_left : CausalAlign::lower_right,
                                  wide ? CausalAlign::lower_right : CausalAlign::top_left})
    if (!rules.causal && hides_all(hidden, align)) rules.causal = align;
  std::size_t length = hidden.keys;
  while (length > 0 && hides_column(hidden, length - 1)) --length;
  // Keys behind the last query are hidden from all by the triangle alone.
  const bool by_triangle = rules.causal == CausalAlign::top_left && length >= hidden.queries;
  if (length > 0 && length < hidden.keys && !by_triangle) rules.length = length;
  return rules;
}

bool are_all(const Hidden& hidden, const Rules& rules) {
  for (std::size_t i = 0; i < hidden.queries; ++i)
    for (std::size_t j = 0; j < hidden.keys; ++j)
      if (hidden.at(i, j) !=
          ((rules.causal && hides(*rules.causal, hidden, i, j)) || (rules.length != 0 && j >= rules.length)))
        return false;
  return rules.causal || rules.length != 0;
}

// What no head sees in the numbers of a stage: weights of 0, scores far below.
std::optional<Hidden> hidden_in(Reading& reading, std::size_t queries, std::size_t keys, bool weights_alone) {
  for (const char* meaning : {"weights", "masked_weights", "masked", "scores", "scaled"}) {
    const bool weights = std::string_view(meaning).ends_with("weights");
    Item* item = reading.find(meaning);
    if (!item || (weights_alone && !weights)) continue;
    const std::vector<std::size_t>& shape = item->array.shape;
    if (shape.size() < 2 || shape[shape.size() - 2] != queries || shape.back() != keys) continue;
    const Axes axes =
        find_axes(shape, pair_axes(), {.batch = reading.batches, .rows = queries, .columns = keys});
    if (axes.empty()) continue;
    const Array ours = in_our_order(item->array, axes, reading.batch);
    Hidden hidden{queries, keys, std::vector<char>(queries * keys, 1)};
    const std::span<const float> numbers = ours.numbers();
    for (std::size_t at = 0; at < numbers.size(); ++at) {
      const float value = numbers[at];
      if (weights ? value != 0 : !(value <= kMasked)) hidden.cells[at % hidden.cells.size()] = 0;
    }
    if (std::ranges::find(hidden.cells, 1) != hidden.cells.end()) return hidden;
  }
  return std::nullopt;
}

bool has_rule(const LayerSpec& layer, const MaskRule& rule) {
  return std::ranges::any_of(layer.masks,
                             [&](const MaskTerm& term) { return term.rule.index() == rule.index(); });
}

void add_rules(LayerSpec& layer, const Rules& rules) {
  if (rules.causal && !find_rule<CausalRule>(layer))
    layer.masks.push_back({CausalRule{.align = *rules.causal}});
  if (rules.length != 0 && !find_rule<PaddingRule>(layer))
    layer.masks.push_back({PaddingRule{{rules.length}}});
}

// A mask's numbers for each head or all, query and key: 1×n×m or h×n×m.
struct Grid {
  std::size_t heads = 1;
  std::vector<float> values = {};
};

// n×m, with axes of one before or among them, heads, a batch; or one number for each key.
std::optional<Grid> grid_of(Reading& reading, Item& item, std::size_t queries, std::size_t keys) {
  std::vector<std::size_t> shape = item.array.shape;
  const std::size_t rank = shape.size();
  if (rank == 0 || rank > 4 || shape.back() != keys) return std::nullopt;
  const bool of_keys = rank == 2 && shape[0] != queries;
  if (rank == 1) shape.insert(shape.begin(), 3, 1);
  if (rank == 2) shape.insert(shape.begin() + (of_keys ? 1 : 0), 2, 1);
  if (rank == 3) shape.insert(shape.begin() + (shape[0] == reading.batches && shape[0] != 1 ? 1 : 0), 1, 1);
  if (shape[2] != 1 && shape[2] != queries) return std::nullopt;
  // Heads behind the batch in one axis, as nn.MultiheadAttention takes them.
  if (rank == 3 && reading.batches > 1 && reading.heads > 1 && shape[1] == reading.batches * reading.heads)
    shape[0] = reading.batches, shape[1] = reading.heads;
  if (shape[1] != 1 && reading.heads > 1 && shape[1] != reading.heads) return std::nullopt;
  const Array ours =
      in_our_order({.shape = shape, .values = {item.array.numbers().begin(), item.array.numbers().end()}},
                   "bhnd", reading.batch);
  Grid grid{.heads = shape[1]};
  for (std::size_t h = 0; h < grid.heads; ++h)
    for (std::size_t i = 0; i < queries; ++i)
      for (std::size_t j = 0; j < keys; ++j)
        grid.values.push_back(ours.values[(h * shape[2] + (shape[2] == 1 ? 0 : i)) * keys + j]);
  return grid;
}

enum class Means { drops, keeps };

// Whether the weights are 0 wherever the mask hides.
bool agrees(const Grid& grid, const Hidden& hidden, Means means) {
  for (std::size_t at = 0; at < grid.values.size(); ++at)
    if ((grid.values[at] != 0) == (means == Means::drops) && !hidden.cells[at % hidden.cells.size()])
      return false;
  return true;
}

// A query sees itself: the diagonal is all of one kind, and something is of the other.
std::optional<Means> by_diagonal(const Grid& grid, std::size_t queries, std::size_t keys) {
  if (queries != keys) return std::nullopt;
  const bool first = grid.values[0] != 0;
  for (std::size_t i = 0; i < queries; ++i)
    if ((grid.values[i * keys + i] != 0) != first) return std::nullopt;
  if (std::ranges::all_of(grid.values, [&](float value) { return (value != 0) == first; }))
    return std::nullopt;
  return first ? Means::keeps : Means::drops;
}

struct Convention {
  Means means = Means::drops;
  std::string why = {};
};

Convention convention_of(Reading& reading, const Item& item, const Grid& grid,
                         const std::optional<Hidden>& hidden, std::size_t queries, std::size_t keys) {
  const std::string& word = item.says.word;
  if (item.is("keep")) return {Means::keeps, "as chosen"};
  if (item.forced) return {Means::drops, "as chosen"};
  if (word == "attention_mask") return {Means::keeps, "as Hugging Face has it"};
  if (word.ends_with("padding_mask")) return {Means::drops, "as nn.MultiheadAttention has it"};
  if (hidden && agrees(grid, *hidden, Means::keeps) != agrees(grid, *hidden, Means::drops))
    return {agrees(grid, *hidden, Means::keeps) ? Means::keeps : Means::drops, "as the weights of 0 show"};
  if (word == "mask" && reading.has("scaled")) return {Means::drops, "as trace writes it"};
  if (const auto means = by_diagonal(grid, queries, keys)) return {*means, "as the diagonal shows"};
  if (word == "mask") return {Means::drops, "as trace has it"};
  const bool multihead =
      std::ranges::any_of(reading.items, [](const Item& other) { return other.says.word == "in_proj"; });
  if (multihead) return {Means::drops, "as nn.MultiheadAttention has it"};
  return {Means::keeps, "as scaled_dot_product_attention has it"};
}

void set_mask(LayerSpec& layer, Grid grid, std::size_t queries, std::size_t keys) {
  Hidden hidden{queries, keys, std::vector<char>(grid.values.begin(), grid.values.end())};
  if (grid.heads == 1) {
    const Rules rules = rules_in(hidden);
    if (are_all(hidden, rules)) return add_rules(layer, rules);
  }
  if (std::ranges::find(grid.values, 1.0f) == grid.values.end()) return;
  if (!layer.mask.empty()) {  // either hides
    const Tensor& other = layer.mask;
    const std::size_t size = queries * keys, heads = std::max(other.stack(), grid.heads);
    std::vector<float> both;
    for (std::size_t at = 0; at < heads * size; ++at)
      both.push_back(
          std::max(other.values()[at % other.values().size()], grid.values[at % grid.values.size()]));
    grid = {.heads = heads, .values = std::move(both)};
  }
  layer.mask = Tensor({grid.heads, queries, keys}, std::move(grid.values));
}

// Numbers that are added to the scores: far below 0 they hide, the rest is a bias.
void split_added(LayerSpec& layer, const Grid& grid, std::size_t queries, std::size_t keys) {
  Grid mask{.heads = grid.heads}, bias{.heads = grid.heads};
  for (const float value : grid.values) {
    mask.values.push_back(value <= kMasked ? 1 : 0);
    bias.values.push_back(value <= kMasked ? 0 : value);
  }
  set_mask(layer, std::move(mask), queries, keys);
  if (std::ranges::any_of(bias.values, [](float value) { return value != 0; }))
    layer.bias = Tensor({bias.heads, queries, keys}, std::move(bias.values));
}

void give_mask(Reading& reading, LayerSpec& layer, Item& item, const std::optional<Hidden>& hidden) {
  const std::size_t n = query_count(layer), m = key_count(layer);
  auto grid = grid_of(reading, item, n, m);
  if (!grid)
    return item.refuse("is " + shape_text(item.meaning.shape) + ": expected " + std::to_string(n) +
                       " queries and " + std::to_string(m) + " keys");
  const std::string name = printable(item.meaning.name);
  const bool added = item.meaning.meaning == "bias" ||
                     std::ranges::any_of(grid->values, [](float value) { return value != 0 && value != 1; });
  if (added) {
    if (item.meaning.meaning != "bias") reading.note(name + " is added to the scores, as its numbers show");
    return split_added(layer, *grid, n, m);
  }
  const Convention convention = convention_of(reading, item, *grid, hidden, n, m);
  const bool keeps = convention.means == Means::keeps;
  item.meaning.meaning = keeps ? "keep" : "mask";
  reading.note(name + ": 1 " + (keeps ? "is seen, " : "is hidden, ") + convention.why);
  for (float& value : grid->values) value = (value != 0) != keeps ? 1.0f : 0.0f;
  if (hidden && !agrees(*grid, *hidden, Means::drops))
    reading.note("weights are not 0 everywhere that " + name + " hides");
  set_mask(layer, std::move(*grid), n, m);
}

void give_lengths(Reading& reading, LayerSpec& layer, Item& item) {
  const std::size_t n = query_count(layer), m = key_count(layer), count = item.array.numbers().size();
  std::vector<std::size_t> lengths;
  for (const float length : item.array.numbers()) {
    if (!(length >= 0 && length <= static_cast<float>(m)) || length != std::floor(length))
      return item.refuse("holds no lengths of " + std::to_string(m) + " keys");
    lengths.push_back(static_cast<std::size_t>(length));
  }
  if (count != 1 && count == reading.batches && reading.batch < count) lengths = {lengths[reading.batch]};
  if (lengths.size() != 1 && lengths.size() != n)
    return item.refuse("has " + std::to_string(count) + " numbers: expected one, or one for each of a batch");
  const bool all = std::ranges::all_of(lengths, [&](std::size_t length) { return length == m; });
  if (!all && !has_rule(layer, PaddingRule{})) layer.masks.push_back({PaddingRule{lengths}});
}

}  // namespace

void give_masks(Reading& reading, LayerSpec& layer) {
  const std::size_t n = query_count(layer), m = key_count(layer);
  const std::optional<Hidden> by_weights = hidden_in(reading, n, m, true);
  for (Item& item : reading.items) {
    if (!item.meaning.refused.empty()) continue;
    const std::string& meaning = item.meaning.meaning;
    if (meaning == "lengths") give_lengths(reading, layer, item);
    if (meaning == "mask" || meaning == "keep" || meaning == "bias")
      give_mask(reading, layer, item, by_weights);
  }
  if (const Item* causal = reading.find("causal"); causal && causal->array.numbers()[0] != 0) {
    const bool torch = causal->says.word == "is_causal";  // which begins at the first key
    add_rules(layer, {.causal = torch ? CausalAlign::top_left : CausalAlign::lower_right});
  }
}

void tell_rules(Reading& reading, LayerSpec& layer) {
  const std::optional<Hidden> shown = hidden_in(reading, query_count(layer), key_count(layer), false);
  if (!shown || !layer.mask.empty()) return;
  const Rules rules = rules_in(*shown);
  if (rules.causal && !find_rule<CausalRule>(layer))
    reading.note("causal: no query of yours looks at a later key");
  if (rules.length != 0 && !find_rule<PaddingRule>(layer))
    reading.note("padding: no query of yours looks at a key from " + std::to_string(rules.length) + " on");
  add_rules(layer, rules);
}

}  // namespace attn::dump
