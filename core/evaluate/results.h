// Results: a finished computation, immutable, carrying the document and the plan it came from.
#pragma once

#include <string>
#include <vector>

#include "core/document/plan.h"
#include "core/evaluate/summary.h"

namespace attn {

struct Results {
  Document document;
  const Plan* plan = nullptr;
  Graph graph;
  Places places = {};                   // of the graph's stages, as its builder knew them
  std::vector<Tensor> outputs = {};     // one per stage; empty where nobody asked for the stage
  std::vector<Summary> summaries = {};  // of the outputs
  std::vector<double> seconds_of = {};  // that each stage took when it was computed; 0 of given ones
  std::string device = {};              // the backend's name
  double seconds = 0;                   // wall time of the evaluation
  std::size_t recomputed = 0;           // operations that ran; the rest were remembered

  // The output of the stage with this id; empty when there is none.
  Tensor output(std::string_view id) const;
  // The traced one of that role (Graph::find), of that layer where the graph has several; empty when there is
  // none.
  Tensor output(Role role, Address layer = kLayerA) const;
};

// The terms behind one number. Operands' `input` counts the stage's own inputs.
Explanation explain(const Results& results, StageIndex stage, Cell cell);

}  // namespace attn
