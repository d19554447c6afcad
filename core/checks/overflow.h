// Numbers that a format cannot hold: finite as they were computed, ∞ as they were rounded.
#pragma once

#include <optional>
#include <string>

#include "core/evaluate/results.h"

namespace attn {

struct Overflow {
  StageIndex stage = 0;  // that is rounded, with what was typed over it
  Cell cell;
  double number = 0;  // before rounding
  NumberFormat format = NumberFormat::float32;
};

// The first of a stage, in the numbers that it was made from and has; none where it does not round.
std::optional<Overflow> first_overflow(const Graph& graph, StageIndex stage, Inputs inputs,
                                       const Tensor& output);
// Whether a number of a stage is one.
std::optional<Overflow> overflow_at(const Results& results, StageIndex stage, Cell cell);

// "scores: 71234 > 65504".
std::string short_words(const Graph& graph, const Overflow& overflow);
// "float16 overflows in scores: 71234 > 65504 at query 3, key 0 of head 1".
std::string words_of(const Graph& graph, const Overflow& overflow);

}  // namespace attn
