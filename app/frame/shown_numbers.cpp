// The document's numbers, or what was computed of them.
#include "app/frame/shown_numbers.h"

#include "core/graph/rounding.h"

namespace attn {

Tensor shown_numbers(const Graph& graph, StageIndex stage, const Document& now, const Results* results) {
  const std::string& field = graph.stages[stage].field;
  const Tensor* given = field.empty() ? nullptr : tensor_of(now, field);
  const bool computed = results && results->outputs[stage].here();
  if (!given) return computed ? results->outputs[stage].whole() : Tensor();
  if (!computed || !rounding_of(graph, stage)) return *given;
  const Tensor* computed_of = tensor_of(results->document, field);
  return computed_of && computed_of->id() == given->id() ? results->outputs[stage].whole() : *given;
}

}  // namespace attn
