// Layers and documents as tests change them: mask rules and overrides in a word.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/evaluate/evaluator.h"
#include "core/reference/backend.h"
#include "core/system/budget.h"

namespace attn::tests {

inline void set_causal(LayerSpec& layer, std::optional<CausalAlign> align) {
  set_rule<CausalRule>(layer, align ? std::optional(CausalRule{*align}) : std::nullopt);
}
inline std::optional<CausalAlign> causal_of(const LayerSpec& layer) {
  const auto* rule = find_rule<CausalRule>(layer);
  return rule ? std::optional(rule->align) : std::nullopt;
}

inline void set_padding(LayerSpec& layer, std::vector<std::size_t> lengths) {
  set_rule<PaddingRule>(layer,
                        lengths.empty() ? std::nullopt : std::optional(PaddingRule{std::move(lengths)}));
}
inline std::vector<std::size_t> padding_of(const LayerSpec& layer) {
  const auto* rule = find_rule<PaddingRule>(layer);
  return rule ? rule->lengths : std::vector<std::size_t>();
}

// As the builder knew them.
template <class Own>
Own places_in(const Built& built) {
  return *built.places.as<Own>();
}

// A number typed over a computed one in the Pipeline.
inline StageOverride typed(const std::string& stage, Cell cell, float value) {
  return {std::string(kLayerPlan.name), stage, {cell, value}};
}

// Edits in the Pipeline.
inline void set_number(Document& document, const std::string& stage, Cell cell, float value) {
  attn::set_number(document, kLayerPlan, stage, cell, value);
}
inline void set_numbers(Document& document, const std::string& stage, std::span<const CellValue> cells) {
  attn::set_numbers(document, kLayerPlan, stage, cells);
}
inline bool is_overridden(const Document& document, const std::string& stage, Cell cell) {
  return attn::is_overridden(document, kLayerPlan, stage, cell);
}
inline void remove_override(Document& document, const std::string& stage, Cell cell) {
  attn::remove_override(document, kLayerPlan, stage, cell);
}
// The document's own tensor that a stage shows; null where it is computed.
inline const Tensor* input_tensor(const Document& document, const std::string& stage) {
  const Graph graph = graph_of(kLayerPlan, document);
  const auto found = graph.find(stage);
  return found ? tensor_of(document, graph.stages[*found].field) : nullptr;
}

// For an Engine.
inline std::unique_ptr<Backend> reference(std::vector<std::string>&) {
  return make_reference_backend();
}

// A plan's results of a document, on the reference; the Pipeline's.
inline Results evaluated(const Document& document, const Plan& plan = kLayerPlan) {
  Budget budget;
  const auto backend = make_reference_backend();
  Results results = Evaluator(*backend, budget).evaluate(document, plan.build(document, kLayerA));
  results.plan = &plan;
  return results;
}

}  // namespace attn::tests
