// The rules of the mask and what becomes of masked scores; dropout.
#include <algorithm>
#include <charconv>

#include "app/widgets/chips.h"
#include "app/workspaces/layer_controls.h"
#include "app/workspaces/workspaces.h"
#include "core/attention/layer_fields.h"
#include "core/error.h"

namespace attn {
namespace {

// Putting a rule in and taking it out.
template <class Rule>
void rule_chip(ChipRow& row, LayerSpec& layer, const char* tooltip, const Rule& fresh) {
  const bool on = find_rule<Rule>(layer) != nullptr;
  const std::string kind = name(MaskRule(fresh));
  if (row.add({.id = kind, .text = kind, .tooltip = tooltip, .on = on}))
    set_rule<Rule>(layer, on ? std::nullopt : std::optional(fresh));
}

void chips(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  const std::size_t keys = key_count(layer);
  ChipRow row(frame.theme, column.left, column.right);
  rule_chip(row, layer, "a query sees no key behind its own position", CausalRule{});
  rule_chip(row, layer, "the last keys are filling, no tokens: nobody sees them",
            PaddingRule{{keys > 1 ? keys - 1 : keys}});
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

void padding_row(Frame& frame, Column column, const PaddingRule& rule) {
  LayerSpec& layer = frame.draft.layer;
  const std::size_t keys = key_count(layer), queries = query_count(layer);
  const FieldRow row{"lengths", rule.lengths.size() > 1 ? "lengths" : "length",
                     "valid keys: one number for all queries, or one for each, with spaces between"};
  if (const auto text = text_row(frame, column, row, words(rule.lengths))) {
    const std::vector<std::size_t> lengths = lengths_of(*text);
    const bool counts = lengths.size() == 1 || lengths.size() == queries;
    const bool in_range = std::ranges::all_of(lengths, [&](std::size_t n) { return n <= keys; });
    if (counts && in_range)
      set_rule<PaddingRule>(layer, PaddingRule{lengths});
    else
      refuse(frame.view, row.id,
             "“" + *text + "”: give one length from 0 to " + std::to_string(keys) + ", or " +
                 std::to_string(queries) + " of them");
  }
  refusal(frame, column, row.id);
}

}  // namespace

void draw_mask_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  section(frame, column, "Mask");
  chips(frame, column);
  if (const auto* causal = find_rule<CausalRule>(layer); causal && query_count(layer) != key_count(layer)) {
    CausalRule changed = *causal;
    choice_field(frame, column, layer_field::causal_align, changed.align);
    if (!(changed == *causal)) set_rule<CausalRule>(layer, changed);
  }
  if (const auto* padding = find_rule<PaddingRule>(layer)) padding_row(frame, column, PaddingRule(*padding));
  choice_field(frame, column, layer_field::fill, layer.fill);
  choice_field(frame, column, layer_field::empty_row, layer.empty_row);
}

void draw_dropout_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  section(frame, column, "Dropout");
  number_field(frame, column, layer_field::dropout.number, layer.dropout);
  if (layer.dropout == 0) return;
  const CountField& field = layer_field::dropout_seed;
  FieldRow seed = row_of(field.text);
  seed.id = seed.label;
  const CountBox box{.value = layer.dropout_seed, .least = field.least, .most = field.most};
  if (const auto wanted = count_row(frame, column, seed, box)) layer.dropout_seed = wanted->value;
  refusal(frame, column, seed.id);
}

}  // namespace attn
