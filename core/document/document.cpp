// Equality of documents, part by part, and the graphs that plans make of them.
#include "core/document/document.h"

#include "core/document/document_fields.h"
#include "core/document/plan.h"
#include "core/system/error.h"

namespace attn {

bool Document::operator==(const Document& other) const {
  bool equal = layers == other.layers && transformer == other.transformer && overrides == other.overrides;
  visit_parts([&](std::string_view, auto part) { equal = equal && this->*part == other.*part; });
  return equal;
}

Graph graph_of(const Plan& plan, const Document& document) {
  try {
    return plan.build(document, kLayerA).graph;
  } catch (const Error&) {  // the engine says what is wrong
    return plan.given ? plan.given(document) : Graph();
  }
}

bool belongs_to(const StageOverride& typed, const Plan& plan) {
  return typed.workspace == plan.name || (plan.base && belongs_to(typed, *plan.base));
}

std::vector<StageOverride> overrides_of(const Document& document, const Plan& plan, Address address) {
  std::vector<StageOverride> found;
  for (const StageOverride& typed : document.overrides)
    if (belongs_to(typed, plan) && typed.layer == address) found.push_back(typed);
  return found;
}

}  // namespace attn
