// What another program's numbers say by themselves, without a search.
#pragma once

#include <string>
#include <vector>

#include "core/attention/layer.h"
#include "core/diagnosis/given.h"

namespace attn {

struct Fact {
  std::string what;      // "rows of the weights add up to"
  std::string value;     // "1.000000", "0.45: a scale"
  bool good = true;      // as it should be
  std::string why = {};  // a sentence, for tooltips
};

// Row sums of weights, weight on masked keys, zeros that dropout would leave, spread of yours ÷ ours, ratio
// cell by cell, numbers that are all of half precision: those that the given stages can tell.
std::vector<Fact> facts_of(const GivenNumbers& numbers, const LayerSpec& ours);

}  // namespace attn
