// Results: a finished computation, immutable, carrying the document and the plan it came from.
#pragma once

#include <string>
#include <vector>

#include "core/document/plan.h"
#include "core/evaluate/stage_result.h"
#include "core/evaluate/summary.h"

namespace attn {

// What of a graph is made some rows at a time (core/evaluate/bands.h), by stage.
struct Bands {
  std::vector<bool> passing;  // a number for each query and key, not kept
  std::vector<bool> kept;     // put together of what the bands make of those
  std::vector<bool> first;    // of both, weights and what comes of them
  std::size_t rows = 0;       // of a band
  // What makes weights, and what comes of them, of more rows at once, by the same ids; null: the graph does.
  std::shared_ptr<const Graph> fused = {};
  bool has(StageIndex stage) const { return passing[stage] || kept[stage]; }
};

struct Results {
  Document document;
  const Plan* plan = nullptr;
  Graph graph;
  Places places = {};                       // of the graph's stages, as its builder knew them
  std::vector<StageResult> outputs = {};    // one per stage
  std::vector<Summary> summaries = {};      // of the outputs
  std::shared_ptr<const Bands> bands = {};  // null: every stage is computed at once
  std::vector<double> seconds_of = {};      // that each stage took when it was computed; 0 where it was not
  std::string device = {};                  // the backend's name
  double seconds = 0;                       // wall time of the evaluation
  std::size_t recomputed = 0;               // operations that ran; the rest were remembered
  std::vector<bool> ran = {};               // by stage, which

  // Of the stage with this id; not kept where there is none.
  StageResult result(std::string_view id) const;
  // Of the traced one of that role (Graph::find), of that layer where the graph has several.
  StageResult result(Role role, Address layer = kLayerA) const;
  // All of its numbers. Throws std::logic_error unless they are here.
  Tensor output(std::string_view id) const { return result(id).whole(); }
  Tensor output(Role role, Address layer = kLayerA) const { return result(role, layer).whole(); }
};

// Whether the numbers that this one was made from are here; and it as well.
bool can_explain(const Results& results, StageIndex stage, Cell cell);
bool is_known(const Results& results, StageIndex stage, Cell cell);

// The terms behind one number. Operands' `input` counts the stage's own inputs.
Explanation explain(const Results& results, StageIndex stage, Cell cell);

}  // namespace attn
