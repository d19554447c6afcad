// Edits of the row.
#include "core/softmax/part.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/softmax/fields.h"
#include "core/softmax/row.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

void check_key(std::size_t count, std::size_t key) {
  if (key >= count)
    throw Error("there is no key " + std::to_string(key) + " in this row: it has " + std::to_string(count),
                Fault::option);
}

// The number of the layer that a key of its row is.
StageOverride number_of(const Document& document, std::size_t key, const std::optional<LayerRow>& shown) {
  const LayerRow from = shown ? *shown : layer_row(document);
  check_key(from.count, key);
  return {.workspace = std::string(kLayerPlan.name),
          .stage = from.stage,
          .value = {{from.head, from.query, key}, kHidden}};
}

void check_own(const SoftmaxSpec& spec) {
  if (spec.source != RowSource::own)
    throw Error("the row is the layer's, whose keys are its tokens: take the scores as your own first",
                Fault::option);
}

// A label for each, so that one of them can be another.
Labels all_labels(const SoftmaxSpec& spec) {
  Labels labels = spec.keys;
  for (std::size_t key = labels.size(); key < spec.scores.columns(); ++key)
    labels.push_back(std::to_string(key));
  return labels;
}

std::vector<float> values_of(const Tensor& scores) {
  return {scores.values().begin(), scores.values().end()};
}

Tensor row(std::vector<float> scores) {
  const std::size_t m = scores.size();
  return m == 0 ? Tensor() : Tensor({1, 1, m}, std::move(scores));
}

}  // namespace

bool SoftmaxSpec::operator==(const SoftmaxSpec& other) const {
  return equal_fields(*this, other);
}

void set_score(Document& document, std::size_t key, float score, const std::optional<LayerRow>& shown) {
  SoftmaxSpec& spec = document.softmax;
  if (spec.source == RowSource::layer) {
    const StageOverride typed = number_of(document, key, shown);
    const CellValue cell{typed.value.cell, score};
    return set_overrides(document, typed, {&cell, 1});
  }
  check_key(spec.scores.columns(), key);
  if (std::bit_cast<std::uint32_t>(spec.scores[{0, 0, key}]) != std::bit_cast<std::uint32_t>(kept(score)))
    spec.scores = with_value(spec.scores, {0, 0, key}, kept(score));
}

void mask_key(Document& document, std::size_t key, bool masked, const std::optional<LayerRow>& shown) {
  SoftmaxSpec& spec = document.softmax;
  if (spec.source == RowSource::layer) {
    const StageOverride hidden = number_of(document, key, shown);
    if (masked) return set_overrides(document, hidden, {&hidden.value, 1});
    std::erase(document.overrides, hidden);
    return;
  }
  check_key(spec.scores.columns(), key);
  std::erase(spec.masked, key);
  if (masked) spec.masked.insert(std::ranges::lower_bound(spec.masked, key), key);
}

void add_key(SoftmaxSpec& spec, std::string label, float score) {
  check_own(spec);
  if (spec.scores.columns() >= softmax_field::kMostKeys)
    throw Error("the row has " + std::to_string(spec.scores.columns()) +
                    " keys, and no more are kept: remove some first",
                Fault::option);
  Labels labels = all_labels(spec);
  labels.push_back(std::move(label));
  std::vector<float> scores = values_of(spec.scores);
  scores.push_back(kept(score));
  spec.scores = row(std::move(scores));
  spec.keys = std::move(labels);
}

void remove_key(SoftmaxSpec& spec, std::size_t key) {
  check_own(spec);
  check_key(spec.scores.columns(), key);
  const auto at = static_cast<std::ptrdiff_t>(key);
  if (key < spec.keys.size()) spec.keys.erase(spec.keys.begin() + at);
  std::vector<float> scores = values_of(spec.scores);
  scores.erase(scores.begin() + at);
  spec.scores = row(std::move(scores));
  std::erase(spec.masked, key);
  for (std::size_t& masked : spec.masked) masked -= masked > key ? 1 : 0;
}

void rename_key(SoftmaxSpec& spec, std::size_t key, std::string label) {
  check_own(spec);
  check_key(spec.scores.columns(), key);
  spec.keys = all_labels(spec);
  spec.keys[key] = std::move(label);
}

void own_row(SoftmaxSpec& spec, std::span<const float> scores, Labels labels) {
  spec.source = RowSource::own;
  spec.keys = labels.size() == scores.size() ? std::move(labels) : Labels();
  spec.masked.clear();
  std::vector<float> values;
  for (const float score : scores) {
    if (score == kHidden) spec.masked.push_back(values.size());
    values.push_back(score == kHidden ? 0 : kept(score));
  }
  spec.scores = row(std::move(values));
}

void toggle_weighting(SoftmaxSpec& spec, Weighting weighting) {
  const auto found = std::ranges::find(spec.weightings, weighting);
  if (found == spec.weightings.end())
    spec.weightings.push_back(weighting);
  else if (spec.weightings.size() > 1)
    spec.weightings.erase(found);
}

}  // namespace attn
