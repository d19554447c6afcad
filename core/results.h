// Results: a finished computation, immutable, carrying the document it came from.
#pragma once

#include <string>
#include <vector>

#include "core/document.h"
#include "core/graph.h"

namespace attn {

struct Results {
  Document document;
  Graph graph;
  std::vector<Tensor> outputs;  // one per stage; empty where nobody asked for the stage
  std::string device;           // the backend's name
  double seconds = 0;           // wall time of the evaluation
  std::size_t recomputed = 0;   // operations that ran; the rest were remembered

  // The output of the stage with this id; empty when there is none.
  Tensor output(std::string_view id) const;
};

// The terms behind one number. Operands' `input` counts the stage's own inputs.
Explanation explain(const Results& results, StageIndex stage, Cell cell);

}  // namespace attn
