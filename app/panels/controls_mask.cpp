#include <algorithm>
#include <array>
#include <charconv>

#include "app/panels/controls_sections.h"
#include "app/widgets/chips.h"
#include "core/attention/words.h"
#include "core/text.h"

namespace attn {
namespace {

void chips(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  const std::size_t keys = key_count(layer);
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "causal",
               .text = "causal",
               .tooltip = "a query sees no key behind its own position",
               .on = layer.causal.has_value()}))
    layer.causal = layer.causal ? std::nullopt : std::optional(CausalAlign::lower_right);
  if (row.add({.id = "padding",
               .text = "padding",
               .tooltip = "the last keys are filling, no tokens: nobody sees them",
               .on = !layer.padding.empty()}))
    layer.padding =
        layer.padding.empty() ? std::vector{keys > 1 ? keys - 1 : keys} : std::vector<std::size_t>();
  if (!layer.mask.empty() && row.add({.id = "painted",
                                      .text = "painted",
                                      .tooltip = "a mask that came with the file: click removes it",
                                      .on = true}))
    layer.mask = {};
}

std::string words(const std::vector<std::size_t>& lengths) {
  std::string text;
  for (const std::size_t n : lengths) text += (text.empty() ? "" : " ") + std::to_string(n);
  return text;
}

// "3", or "3 4 4 5 5": one for all queries, or one for each.
std::vector<std::size_t> lengths_of(const std::string& text) {
  std::vector<std::size_t> lengths;
  const char *at = text.data(), *end = at + text.size();
  while (at < end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::size_t n = 0;
    const auto [next, error] = std::from_chars(at, end, n);
    if (error != std::errc()) return {};
    lengths.push_back(n);
    at = next;
  }
  return lengths;
}

void padding_row(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  const std::size_t keys = key_count(layer), queries = query_count(layer);
  const Row row{"lengths", layer.padding.size() > 1 ? "lengths" : "length",
                "valid keys: one number for all queries, or one for each, with spaces between"};
  if (const auto text = text_row(frame, column, row, words(layer.padding))) {
    const std::vector<std::size_t> lengths = lengths_of(*text);
    const bool counts = lengths.size() == 1 || lengths.size() == queries;
    const bool in_range = std::ranges::all_of(lengths, [&](std::size_t n) { return n <= keys; });
    if (counts && in_range)
      layer.padding = lengths;
    else
      refuse(frame.view, row.id,
             "“" + *text + "”: give one length from 0 to " + std::to_string(keys) + ", or " +
                 std::to_string(queries) + " of them");
  }
  refusal(frame, column, row.id);
}

template <std::size_t N>
std::size_t index_of(const auto& words, auto choice, const std::array<std::string, N>&) {
  for (std::size_t i = 0; i < N; ++i)
    if (words[i].choice == choice) return i;
  return 0;
}

}  // namespace

void draw_mask_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  section(frame, column, "Mask");
  chips(frame, column);
  if (layer.causal && query_count(layer) != key_count(layer)) {
    const std::array<std::string, 2> names{"lower right", "top left"};
    const Row row{"align", "diagonal",
                  "where the causal diagonal ends: at the last key, or begins: at the first"};
    if (const auto choice =
            choice_row(frame, column, row, names, index_of(kAlignWords, *layer.causal, names)))
      layer.causal = kAlignWords[*choice].choice;
  }
  if (!layer.padding.empty()) padding_row(frame, column);
  const std::array<std::string, 4> fills{"−∞", "−1e9", "−1e6", "add −1e9"};
  const Row fill{"fill", "fill", "what a masked score becomes"};
  if (const auto choice = choice_row(frame, column, fill, fills, index_of(kFillWords, layer.fill, fills)))
    layer.fill = kFillWords[*choice].choice;
  const std::array<std::string, 3> rows{"zeros", "NaN", "uniform"};
  const Row empty{"empty_row", "row with no key", "the weights of a query to which the mask leaves no key"};
  if (const auto choice =
          choice_row(frame, column, empty, rows, index_of(kEmptyRowWords, layer.empty_row, rows)))
    layer.empty_row = kEmptyRowWords[*choice].choice;
}

void draw_position_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  if (layer.direct) return;  // it is added to X
  section(frame, column, "Position");
  const bool even = layer.x.columns() % 2 == 0;
  {
    ChipRow row(frame.theme, column.left, column.right);
    if (row.add({.id = "sinusoidal",
                 .text = "sinusoidal",
                 .tooltip = "sines and cosines of the position are added to X",
                 .on = layer.sinusoidal_base.has_value()})) {
      if (layer.sinusoidal_base)
        layer.sinusoidal_base.reset();
      else if (even)
        layer.sinusoidal_base = 10000;
      else
        refuse(frame.view, "sinusoidal",
               "sines and cosines come in pairs: the width d must be even, it is " +
                   std::to_string(layer.x.columns()));
    }
  }
  refusal(frame, column, "sinusoidal");
  if (!layer.sinusoidal_base) return;
  const Row row{"base", "base", "wavelengths grow up to 2π times this"};
  if (const auto wanted =
          number_row(frame, column, row, {.value = *layer.sinusoidal_base, .least = 1, .most = 1e9}))
    layer.sinusoidal_base = wanted->value;
  refusal(frame, column, row.id);
}

void draw_dropout_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  section(frame, column, "Dropout");
  const Row row{"dropout", "p", "the share of weights set to 0, as in training; 0 is off"};
  if (const auto wanted =
          number_row(frame, column, row, {.value = layer.dropout, .least = 0, .most = 1, .per_pixel = 0.005}))
    layer.dropout = wanted->value;
  refusal(frame, column, row.id);
  if (layer.dropout == 0) return;
  const Row seed{"seed", "seed", "another seed drops others"};
  if (const auto wanted = number_row(
          frame, column, seed,
          {.value = static_cast<double>(layer.dropout_seed), .least = 0, .most = 1e9, .whole = true}))
    layer.dropout_seed = wanted->whole();
  refusal(frame, column, seed.id);
}

}  // namespace attn
