// Gradients that are exactly 0, and why: behind a mask, in rows of scores where nothing can move, of tokens
// that the loss does not hear of.
#pragma once

#include <string>
#include <vector>

#include "core/evaluate/results.h"
#include "core/gradients/graph.h"

namespace attn {

struct ExactZeros {
  std::string what;      // "masked scores", "row “the”", "dS, dQ, dK"
  std::string why;       // "one key: its weight stays 1"; of counted ones empty
  StageIndex stage = 0;  // of the first of them
  Cell cell;
  std::size_t zeros = 0, of = 0;  // of those that are counted
  bool counted() const { return of > 0; }
};

// In the order: whole stages, masked scores, rows of dX and else of dS, by token. Of stages whose numbers are
// not all here nothing is said. Rows of heads that are 0 in some heads alone say so.
std::vector<ExactZeros> exact_zeros(const Results& results, const GradientsPlaces& places);

}  // namespace attn
