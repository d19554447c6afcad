// What is done to a stage to make the next one of it, in a few words: "÷ 2", "+ mask", "softmax", "· V".
#pragma once

#include <string>

#include "core/graph/graph.h"

namespace attn {

struct ArrowWords {
  std::string above, beneath;  // what is done, and how that is known: "÷ 2" and "√d_k = √4"
};

// From `from` to `to`, which is made of it; `step`: the title of the step in which it is.
ArrowWords arrow_words(const Graph& graph, StageIndex from, StageIndex to, const std::string& step);

// The stages of `shown` that a stage is made of, looked through all others.
std::vector<StageIndex> made_of(const Graph& graph, StageIndex stage, const std::vector<StageIndex>& shown);

}  // namespace attn
