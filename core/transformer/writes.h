// What a number of the stream is the sum of: all that was written to it.
#pragma once

#include <string>
#include <vector>

#include "core/transformer/graph.h"

namespace attn {

// A stage of the stream's shape that was added to it, in words: "position", "layer 0 attention".
struct StreamWrite {
  StageIndex stage = 0;
  std::string words;
  bool operator==(const StreamWrite&) const = default;
};

// The stages whose sum a stage of the stream is, in the order of the computation: of a side's input, of what
// is behind a box, or of the sum that a norm behind a box reads. With norms after the boxes the sum begins
// anew at each, without residuals at each box, and where numbers were typed over a stage at that. Of a stage
// that is none of the stream: itself.
std::vector<StreamWrite> writes_of(const Graph& graph, const StackStages& stages, bool decoder,
                                   StageIndex stream);

}  // namespace attn
