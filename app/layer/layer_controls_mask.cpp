// The rules of the mask, the user's own, and what becomes of masked scores.
#include <algorithm>

#include "app/fields/field_states.h"
#include "app/frame/workspace.h"
#include "app/layer/layer_controls.h"
#include "app/widgets/chips.h"
#include "core/attention/layer_fields.h"
#include "core/operations/mask_words.h"
#include "core/system/error.h"

namespace attn {
namespace {

bool is_of(const MaskTerm& term, std::size_t kind) {
  return term.rule.index() == kind;
}

// Putting rules in and taking them out.
void rule_chips(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  ChipRow row(frame.theme, column.left, column.right);
  for (const MaskRule& rule : new_mask_rules()) {
    const bool on = std::ranges::any_of(layer.masks, [&](const auto& t) { return is_of(t, rule.index()); });
    const std::string tooltip(mask_rule_text(rule).sentence);
    if (row.add({.id = name(rule), .text = name(rule), .tooltip = tooltip, .on = on}))
      toggle_rule(layer, rule.index(), pair_counts(frame.draft, frame.address));
  }
}

void painting_chip(ChipRow& row, LayerView& view, LayerView::Painting painting, Chip chip) {
  chip.on = view.painting == painting;
  if (row.add(chip)) view.painting = chip.on ? LayerView::nothing : painting;
}

// The brush, and taking the painted mask away.
void paint_chips(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  ChipRow row(frame.theme, column.left, column.right);
  constexpr const char* kBrush =
      "drag over scores or weights to hide cells, or to free them; with Shift a rectangle";
  painting_chip(row, frame.view.layer, LayerView::all_heads,
                {.id = "paint", .text = "paint", .tooltip = kBrush});
  if (head_count(layer) > 1)
    painting_chip(row, frame.view.layer, LayerView::one_head,
                  {.id = "paint one", .text = "paint this head", .tooltip = kBrush});
  if (!layer.mask.empty() &&
      row.add({.id = "painted",
               .text = "painted",
               .tooltip = "the mask that was painted, or came with the file: click removes it",
               .on = true}))
    layer.mask = {};
}

// How a rule is joined to those before it, and its negation.
void join_chips(Frame& frame, Column column, const std::string& id, std::size_t place) {
  MaskTerm& term = frame.layer().masks[place];
  ChipRow row(frame.theme, column.left, column.right);
  const bool all = term.join == Join::all;
  if (place > 0 && row.add({.id = id + ".join",
                            .text = all ? "and" : "or",
                            .tooltip = all ? "masked where this and all before it mask: click for or"
                                           : "masked where this or what is before it masks: click for and",
                            .on = all}))
    term.join = all ? Join::any : Join::all;
  if (row.add(
          {.id = id + ".not", .text = "not", .tooltip = "masks what the rule would not", .on = term.negated}))
    term.negated = !term.negated;
}

// Takes the rule that a row asked for, or refuses it with the reason.
void take(Frame& frame, const std::string& row, std::size_t place, MaskTerm wanted) {
  LayerSpec& layer = frame.layer();
  std::string wrong = wrong_with(wanted);
  if (!wrong.empty()) wrong = name(wanted.rule) + (" " + wrong);
  const auto [queries, keys] = pair_counts(frame.draft, frame.address);
  if (wrong.empty()) wrong = misfit_of(wanted.rule, queries, keys, first_place(layer.masks, queries, keys));
  if (wrong.empty())
    layer.masks[place] = std::move(wanted);
  else
    refuse(frame.view, row, wrong);
}

// One row for each field of a rule; the first carries the rule's name.
struct FieldRows {
  Frame& frame;
  Column column;
  std::string id;
  std::size_t place;
  std::string label;  // of the next row

  template <class Rule>
  void draw() {
    visit_fields(of<Rule>, [&](const auto& field, auto member) {
      const MaskTerm term = frame.layer().masks[place];
      // Without an alignment to choose, the offset stands in the line of the rule's name.
      const auto [queries, keys] = pair_counts(frame.draft, frame.address);
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, ChoiceField<CausalAlign, 2>>)
        if (queries == keys) return;
      // A mistake has a row while it is made.
      if (field.text.key == mask_field::ahead.text.key && std::get<Rule>(term.rule).*member == Rule().*member)
        return;
      FieldRow row = row_of(field.text);
      row.id = id + "." + row.id;
      const bool offset = row.label == mask_field::offset.text.title;
      if (!label.empty()) row.label = std::exchange(label, "") + (offset ? " " + row.label : "");
      auto value = std::get<Rule>(term.rule).*member;
      if (edit(row, field, value)) {
        MaskTerm wanted = term;
        std::get<Rule>(wanted.rule).*member = std::move(value);
        take(frame, row.id, place, std::move(wanted));
      }
      refusal(frame, column, row.id);
    });
  }

  bool edit(const FieldRow& row, const CountField& field, std::size_t& value) {
    const CountBox box{.value = value, .least = field.least, .most = field.most};
    const auto wanted = count_row(frame, column, row, box);
    if (wanted) value = wanted->value;
    return wanted.has_value();
  }
  bool edit(const FieldRow& row, const CountsField& field, std::vector<std::size_t>& values) {
    const auto text = text_row(frame, column, row, count_words(values, " "));
    if (!text) return false;
    const auto counts = read_counts(*text);
    if (!counts) refuse(frame.view, row.id, "“" + *text + "”: " + std::string(field.text.sentence));
    if (counts) values = *counts;
    return counts.has_value();
  }
  template <class Choice, std::size_t N>
  bool edit(const FieldRow& row, const ChoiceField<Choice, N>& field, Choice& value) {
    const auto chosen = choice_row(frame, column, row, field.titles(), field.index_of(value));
    if (chosen) value = field.words[*chosen].choice;
    return chosen.has_value();
  }
};

void rule_rows(Frame& frame, Column column, std::size_t place) {
  const MaskRule rule = frame.layer().masks[place].rule;
  const std::string id = "mask" + std::to_string(place);
  if (!std::holds_alternative<GlobalRule>(rule)) join_chips(frame, column, id, place);
  FieldRows rows{frame, column, id, place, name(rule)};
  std::visit([&]<class Rule>(const Rule&) { rows.draw<Rule>(); }, rule);
}

// "causal + window · −1e9".
std::string mask_state(const LayerSpec& layer) {
  std::string state;
  const auto add = [&](const std::string& word) { state += (state.empty() ? "" : " + ") + word; };
  for (const MaskTerm& term : layer.masks) add((term.negated ? "not " : "") + title_of(term.rule));
  if (!layer.mask.empty()) add("painted");
  if (state.empty()) return "none";
  return states({state, layer.fill == LayerSpec().fill ? "" : state_of(layer_field::fill, layer.fill),
                 layer.mask_at == MaskAt::before ? "" : state_of(layer_field::mask_at, layer.mask_at)});
}

}  // namespace

void toggle_rule(LayerSpec& layer, std::size_t kind) {
  toggle_rule(layer, kind, {query_count(layer), key_count(layer)});
}

void toggle_rule(LayerSpec& layer, std::size_t kind, PairCounts pairs) {
  if (std::erase_if(layer.masks, [&](const MaskTerm& term) { return is_of(term, kind); }) > 0) return;
  const std::size_t keys = pairs.keys, half = std::max<std::size_t>(1, pairs.queries / 2);
  MaskTerm fresh{.rule = new_mask_rules()[kind]};
  if (auto* padding = std::get_if<PaddingRule>(&fresh.rule)) padding->lengths = {keys > 1 ? keys - 1 : keys};
  if (auto* global = std::get_if<GlobalRule>(&fresh.rule)) global->tokens = {0};
  if (auto* blocks = std::get_if<BlocksRule>(&fresh.rule)) blocks->lengths = {half};
  layer.masks.push_back(std::move(fresh));
}

void draw_mask_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  if (!layer_section(frame, column, "Mask", mask_state)) return;
  rule_chips(frame, column);
  for (std::size_t place = 0; place < layer.masks.size(); ++place) rule_rows(frame, column, place);
  paint_chips(frame, column);
  field_row(frame, column, "", layer_field::fill, layer.fill);
  if (weighting_text(weighting_of(layer)).undefined)
    field_row(frame, column, "", layer_field::empty_row, layer.empty_row);
  // A mistake has a row while it is made.
  if (layer.mask_at != MaskAt::before) field_row(frame, column, "", layer_field::mask_at, layer.mask_at);
}

}  // namespace attn
