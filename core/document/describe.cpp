// The names of undo steps, from what is said about each field.
#include <algorithm>

#include "core/document/describe_stack.h"
#include "core/document/document_fields.h"
#include "core/document/edit.h"
#include "core/document/history.h"
#include "core/text/text.h"

namespace attn {
namespace {

std::string number(double value) {
  return brief(value);
}

std::string cell_name(const Tensor& tensor, Cell c) {
  std::string text = "[" + std::to_string(c.row) + ", " + std::to_string(c.column) + "]";
  return tensor.stack() > 1 ? in_brackets(c.head) + text : text;
}

// "mask 3 cells": of a mask that was painted on.
std::optional<std::string> painted(const Tensor& before, const Tensor& after) {
  std::size_t hidden = 0, freed = 0;
  const Shape shape = after.empty() ? before.shape() : after.shape();
  const auto hides = [&](const Tensor& mask, Cell cell) {
    if (mask.empty()) return false;
    if (mask.stack() == 1) cell.head = 0;
    return mask[cell] != 0;
  };
  if (!before.empty() && !after.empty() &&
      (before.rows() != after.rows() || before.columns() != after.columns() ||
       (before.stack() != 1 && before.stack() != after.stack())))
    return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Cell cell = cell_at(shape, i);
    const bool was = hides(before, cell), is = hides(after, cell);
    hidden += !was && is, freed += was && !is;
  }
  if ((hidden == 0) == (freed == 0)) return std::nullopt;
  const std::size_t count = hidden + freed;
  return std::string(hidden > 0 ? "mask " : "unmask ") + std::to_string(count) +
         (count == 1 ? " cell" : " cells");
}

std::string change_of(const TensorField& field, const Tensor& before, const Tensor& after) {
  if (field.role == Role::mask && !after.empty())
    if (auto words = painted(before, after)) return *words;
  const std::string title(field.text.title.empty() ? field.text.key : field.text.title);
  if (before.empty()) return "add " + title;
  if (after.empty()) return "remove " + title;
  if (before.shape() != after.shape()) return "resize " + title + " to " + to_string(after.shape());
  std::size_t count = 0, where = 0;
  for (std::size_t i = 0; i < after.values().size(); ++i)
    if (std::memcmp(&before.values()[i], &after.values()[i], sizeof(float)) != 0) {
      ++count;
      where = i;
    }
  if (count > 1) return "edit " + std::to_string(count) + " numbers of " + title;
  const Cell cell = cell_at(after.shape(), where);
  return title + cell_name(after, cell) + " = " + shortest(after[cell]);
}

std::string change_of(const LabelsField& field, const Labels& before, const Labels& after) {
  const std::string one(field.one);
  if (after.size() > before.size()) return "add " + one;
  if (after.size() < before.size()) return "remove " + one;
  Labels a = before, b = after;
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b ? "reorder " + one + "s" : "rename " + one;
}

std::string change_of(const SwitchField& field, bool, bool after) {
  return std::string(after ? field.on : field.off);
}

std::string change_of(const NumberField& field, double, double after) {
  return std::string(field.text.change) + number(after);
}

std::string change_of(const SeededNumberField<LayerSpec>& field, double before, double after) {
  return change_of(field.number, before, after);
}

std::string change_of(const CountField& field, std::size_t, std::size_t after) {
  return std::string(field.text.change) + std::to_string(after);
}

std::string change_of(const SetField& field, const auto&, const auto&) {
  return std::string(field.text.change);
}

template <class Choice, std::size_t N>
std::string change_of(const ChoiceField<Choice, N>& field, Choice, Choice after) {
  return std::string(field.text.change) + std::string(field.word_of(after));
}

// Which is new, or has gone.
template <class Choice, std::size_t N>
std::string change_of(const ChoicesField<Choice, N>& field, const std::vector<Choice>& before,
                      const std::vector<Choice>& after) {
  for (const Choice choice : after)
    if (std::ranges::count(before, choice) == 0) return "add " + std::string(field.each.word_of(choice));
  for (const Choice choice : before)
    if (std::ranges::count(after, choice) == 0) return "remove " + std::string(field.each.word_of(choice));
  return std::string(field.text.change) + "in another order";
}

std::string change_of(const NumbersField& field, const std::vector<double>&,
                      const std::vector<double>& after) {
  std::string text;
  for (const double value : after) text += (text.empty() ? "" : ", ") + number(value);
  return std::string(field.text.change) + text;
}

std::string change_of(const layer_field::ScaleField& field, const Scaling&, const Scaling& after) {
  const std::string scale(field.text.change);
  if (after.mode == ScaleMode::number) return scale + number(after.number);
  return scale + (after.mode == ScaleMode::sqrt ? "1/√d_k" : "off");
}

// The kind, or what changed of the same one: "RoPE base 500".
std::string change_of(const layer_field::PositionField& field, const Position& before,
                      const Position& after) {
  if (std::holds_alternative<NoPosition>(after)) return std::string(field.text.change) + "off";
  const std::string title(position_text(after).title);
  if (before.index() != after.index()) return std::string(field.text.change) + title;
  std::string text;
  std::visit(
      [&]<class Choice>(const Choice& now) {
        const Choice& old = std::get<Choice>(before);
        visit_fields(of<Choice>, [&](const auto& part, auto member) {
          if (text.empty() && old.*member != now.*member)
            text = title + " " + change_of(part, old.*member, now.*member);
        });
      },
      after);
  return text;
}

// Which is shown, came or went; else what changed of one.
std::string change_of(const EncodingsField& field, const std::vector<Position>& before,
                      const std::vector<Position>& after) {
  const std::string show(field.text.change);
  if (after.empty() || before.empty() || before[0].index() != after[0].index())
    return show + std::string(after.empty() ? "nothing" : position_text(after[0]).title);
  for (const Position& position : after)
    if (std::ranges::count(before, position.index(), &Position::index) == 0)
      return "compare with " + std::string(position_text(position).title);
  for (const Position& position : before)
    if (std::ranges::count(after, position.index(), &Position::index) == 0)
      return "compare no more with " + std::string(position_text(position).title);
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    if (before[i] != after[i]) return change_of(layer_field::position, before[i], after[i]);
  return show + "others";
}

std::string change_of(const CountsField&, const std::vector<std::size_t>&,
                      const std::vector<std::size_t>& after) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, after.size()); ++i)
    text += (i == 0 ? "" : " ") + std::to_string(after[i]);
  return after.size() > kMost ? text + " …" : text;
}

// "and not window mask, 2": a rule by its name, and what it is now. A field that is as in a new rule, and
// that other programs do not have, goes without saying.
std::string rule_words(const MaskTerm& term, const std::string& behind = {}) {
  std::string text = term.join == Join::all ? "and " : "";
  text += std::string(term.negated ? "not " : "") + name(term.rule);
  if (!behind.empty()) return text + " mask " + behind;
  text += " mask";
  std::visit(
      [&]<class Rule>(const Rule& rule) {
        visit_fields(of<Rule>, [&](const auto& field, auto member) {
          constexpr bool our_own = std::is_same_v<Rule, CausalRule> &&
                                   std::is_same_v<std::remove_cvref_t<decltype(field)>, CountField>;
          if (our_own && rule.*member == Rule().*member) return;
          text += ", " + change_of(field, Rule().*member, rule.*member);
        });
      },
      term.rule);
  return text;
}

// The first rule that came, went or changed.
std::string change_of(const layer_field::MasksField&, const std::vector<MaskTerm>& before,
                      const std::vector<MaskTerm>& after) {
  for (const MaskTerm& term : after)
    if (std::ranges::count(before, term) == 0) return rule_words(term);
  for (const MaskTerm& term : before)
    if (std::ranges::count(after, term) == 0) return rule_words(term, "off");
  return "masks in another order";
}

Naming naming_of(const TensorField& field) {
  return field.role == Role::mask ? Naming::choices : Naming::matrices;
}
Naming naming_of(const LabelsField&) {
  return Naming::whole;
}
Naming naming_of(const SwitchField&) {
  return Naming::whole;
}
Naming naming_of(const SetField&) {
  return Naming::whole;
}
Naming naming_of(const CountField& field) {
  return field.naming;
}
template <class Choice, std::size_t N>
Naming naming_of(const ChoiceField<Choice, N>& field) {
  return field.naming;
}
Naming naming_of(const auto&) {
  return Naming::choices;
}
// Labels that come or go come and go with their matrix.
template <class Field>
Naming naming_of(const Field& field, const auto& before, const auto& after) {
  if constexpr (std::is_same_v<Field, LabelsField>)
    if (before.empty() != after.empty()) return Naming::choices;
  return naming_of(field);
}

// "B: ", nothing of A.
std::string whose(Address layer) {
  return layer == kLayerA ? "" : std::string(text_of(layer).name) + ": ";
}

std::string change_of(const std::vector<StageOverride>& before, const std::vector<StageOverride>& after) {
  if (after.size() > before.size()) {
    const StageOverride& last = after.back();
    return whose(last.layer) + "override " + last.stage;
  }
  return after.size() < before.size() ? "remove override" : "change override";
}

// Of the fields of all layers and parts the one that changed most.
class LargestChange {
 public:
  template <class Part>
  void see(const std::string& beginning, const Part& before, const Part& after) {
    visit_fields(of<Part>, [&](const auto& field, auto member) {
      const int naming = static_cast<int>(naming_of(field, before.*member, after.*member));
      if (naming >= best_ || before.*member == after.*member) return;
      text_ = beginning + change_of(field, before.*member, after.*member);
      best_ = naming;
    });
  }
  const std::string& text() const { return text_; }

 private:
  int best_ = static_cast<int>(Naming::choices) + 1;
  std::string text_;
};

// Empty when no field changed. Whole-layer changes first: they bring changed tensors with them.
std::string change_of(const Document& before, const Document& after) {
  const std::size_t layers = after.layers.size();
  if (layers != before.layers.size()) return "layers compared with A: " + std::to_string(layers - 1);
  LargestChange largest;
  for (Address at; after.has(at); ++at.layer) largest.see(whose(at), before.layer(at), after.layer(at));
  visit_parts([&](std::string_view, auto part) { largest.see("", before.*part, after.*part); });
  if (!largest.text().empty()) return largest.text();
  if (before.transformer.empty() != after.transformer.empty())
    return after.transformer.empty() ? "a stack over A" : "a stack";
  if (std::string text = stack_change(before.transformer, after.transformer); !text.empty()) return text;
  visit_stacks([&](const std::string& key, const auto& a,
                   const auto& b) { largest.see(beginning_of_part(key), a, b); },
               before.transformer, after.transformer);
  return largest.text();
}

}  // namespace

std::vector<std::string> change_words(const LayerSpec& a, const LayerSpec& b) {
  std::vector<std::string> words;
  visit_fields(of<LayerSpec>, [&](const auto& field, auto member) {
    if (!(a.*member == b.*member)) words.push_back(change_of(field, a.*member, b.*member));
  });
  return words;
}

std::string describe(const Document& before, const Document& after) {
  // A first edit of what is A as it is makes it a layer of its own.
  if (before.layers.size() == 1 && after.layers.size() == 2) {
    Document copied = before;
    begin_layer(copied, kLayerB);
    if (!(copied == after)) return describe(copied, after);
  }
  if (const auto own = with_own_stack(before, after)) return describe(*own, after);
  if (std::string text = change_of(before, after); !text.empty()) return text;
  return before.overrides == after.overrides ? "edit" : change_of(before.overrides, after.overrides);
}

}  // namespace attn
