// Every field held against its own description, and the sums over all of them against the limits.
#include "core/document/limits.h"

#include <algorithm>
#include <cmath>

#include "core/document/document_fields.h"
#include "core/graph/field_words.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

// A session of all that fits into a file: a number takes at most 26 characters with what stands before it, a
// byte of text 6, an override 200.
static_assert(26 * limits::kMostNumbers + 6 * limits::kMostTextBytes + 200 * limits::kMostOverrides +
                  26 * 2 * limits::kMostListed <
              kMostFileBytes);

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(path + " " + why);
}

// What all parts hold together.
struct Sums {
  std::size_t numbers = 0, text = 0;
};

void check_range(const std::string& path, const NumberField& field, double value) {
  if (!std::isfinite(value)) fail(path, "must be a finite number");
  if (value < field.least || value > field.most) fail(path, "must be " + std::string(field.takes));
}

void check_listed(const std::string& path, std::size_t count) {
  if (count > limits::kMostListed)
    fail(path, "has " + std::to_string(count) + " entries: at most " + std::to_string(limits::kMostListed) +
                   " are kept");
}

// One check for each type of field.
struct FieldCheck {
  const std::string& path;
  Sums& sums;

  void operator()(const NumberField& field, double value) const { check_range(path, field, value); }
  template <class Part>
  void operator()(const SeededNumberField<Part>& field, double value) const {
    check_range(path, field.number, value);
  }
  void operator()(const layer_field::PositionField&, const Position& position) const {
    std::visit(
        [&]<class Choice>(const Choice& choice) {
          visit_fields(of<Choice>, [&](const auto& field, auto member) {
            const std::string place = path + "." + std::string(field.text.key);
            FieldCheck{place, sums}(field, choice.*member);
          });
        },
        position);
  }
  void operator()(const CountField& field, std::size_t value) const {
    if (value < field.least || value > field.most)
      fail(path, "is " + std::to_string(value) + ", but must be " + taken_by(field));
  }
  void operator()(const SetField&, const std::vector<std::size_t>& set) const {
    check_listed(path, set.size());
    if (std::ranges::adjacent_find(set, std::greater_equal<>()) != set.end())
      fail(path, "must be in ascending order, each number once");
  }
  void operator()(const EncodingsField&, const std::vector<Position>& positions) const {
    if (positions.empty()) fail(path, "must name at least one encoding");
    check_listed(path, positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::string place = path + " entry " + std::to_string(i);
      FieldCheck{place, sums}(layer_field::position, positions[i]);
    }
  }
  template <class Choice, std::size_t N>
  void operator()(const ChoicesField<Choice, N>& field, const std::vector<Choice>& choices) const {
    check_few(choices.size(), field.most);
    for (const Choice choice : choices)
      if (std::ranges::count(choices, choice) > 1)
        fail(path, "names " + std::string(field.each.word_of(choice)) + " twice: name each once");
  }
  void operator()(const NumbersField& field, const std::vector<double>& numbers) const {
    check_few(numbers.size(), field.most);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      check_range(path + " entry " + std::to_string(i), field.each, numbers[i]);
  }
  void operator()(const LabelsField&, const Labels& labels) const {
    check_label_count(path, labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i].size() > limits::kMostLabelBytes)
        check_text(path + " entry " + std::to_string(i), labels[i]);
      sums.text += labels[i].size();
    }
  }
  void operator()(const TensorField&, const Tensor& tensor) const { sums.numbers += tensor.shape().size(); }
  void operator()(const layer_field::ScaleField& field, const Scaling& scale) const {
    const std::size_t part = path.rfind('.') + 1;
    if (!std::isfinite(scale.number))
      fail(path.substr(0, part) + std::string(field.number_key), "must be a finite number");
  }
  void operator()(const layer_field::MasksField&, const std::vector<MaskTerm>& terms) const {
    if (terms.size() > limits::kMostRules)
      fail(path, "has " + std::to_string(terms.size()) + " rules: at most " +
                     std::to_string(limits::kMostRules) + " are kept");
    std::size_t entries = terms.size();
    for (const MaskTerm& term : terms) {
      const std::string place = path + " entry " + std::to_string(&term - terms.data());
      if (const std::string wrong = wrong_with(term); !wrong.empty()) fail(place, wrong);
      std::visit(
          [&]<class Rule>(const Rule& rule) {
            visit_fields(of<Rule>, [&](const auto&, auto member) {
              if constexpr (std::is_same_v<decltype(member), std::vector<std::size_t> Rule::*>)
                entries += (rule.*member).size();
            });
          },
          term.rule);
    }
    check_listed(path, entries);
  }
  void operator()(const auto&, const auto&) const {}  // switches and choices

 private:
  void check_few(std::size_t count, std::size_t most) const {
    if (count == 0 || count > most)
      fail(path,
           "has " + std::to_string(count) + " entries, but must have from 1 to " + std::to_string(most));
  }
};

// What no field alone tells.
void check_together(std::string_view key, const LayerSpec& layer) {
  const auto& muted = layer.muted_heads;
  const std::size_t heads = head_count(layer);
  if (!muted.empty() && heads > 0 && muted.back() >= heads)
    fail(std::string(key) + ".muted_heads", "names head " + std::to_string(muted.back()) +
                                                ", but heads count from 0 to " + std::to_string(heads - 1));
}

void check_together(std::string_view key, const StackBlock& block) {
  if (!block.off.empty() && block.off.back() >= kBoxes)
    fail(std::string(key) + ".off", "names box " + std::to_string(block.off.back()) +
                                        ", but boxes count from 0 to " + std::to_string(kBoxes - 1));
}

void check_together(std::string_view, const auto&) {}

void check_layer_counts(const Document& document) {
  if (document.layers.size() > kAddresses.size())
    throw Error("a document has at most " + std::to_string(kAddresses.size()) + " layers");
  for (const StackSide* side : {&document.transformer.encoder, &document.transformer.decoder})
    if (side->blocks.size() > kMostBlocks)
      throw Error("a stack has at most " + std::to_string(kMostBlocks) + " layers on a side");
}

}  // namespace

void check_limits(const Document& document) {
  Sums sums;
  check_layer_counts(document);
  visit_all(document, [&](std::string_view key, const auto& fields) {
    visit_fields(of<std::remove_cvref_t<decltype(fields)>>, [&](const auto& field, auto member) {
      const std::string path = std::string(key) + "." + std::string(text_of(field).key);
      FieldCheck{path, sums}(field, fields.*member);
    });
    check_together(key, fields);
  });
  check_override_count(document.overrides.size());
  for (const StageOverride& o : document.overrides) {
    if (o.workspace.size() > limits::kMostLabelBytes) check_text("the workspace of an override", o.workspace);
    const std::size_t stage = text_of(o.layer).prefix.size() + o.stage.size();  // as a session says it
    if (stage > limits::kMostLabelBytes) check_text("the stage of an override", id_of(o));
    sums.text += o.workspace.size() + stage;
  }
  check_number_count(sums.numbers);
  check_text_bytes(sums.text);
}

}  // namespace attn
