// The graph of two layers: A with the ids of the Pipeline, the layer beside it, and their difference at every
// stage that both have.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/attention/pipeline.h"
#include "core/compare/compare_edit.h"

namespace attn {

// A stage of either layer, or of both: then with its difference, if the shapes are equal.
struct ComparedStage {
  std::optional<StageIndex> a = {}, b = {}, difference = {};
  // Of A where it has the stage.
  StageIndex either() const { return a ? *a : *b; }
};

Graph build_compare(const Document& document);
// Of such a graph: the traced stages in the order of the layers.
std::vector<ComparedStage> compared_stages(const Graph& graph);

inline constexpr Plan kComparePlan{
    .name = "compare", .build = build_compare, .given = given_layer, .base = &kPipelinePlan};

}  // namespace attn
