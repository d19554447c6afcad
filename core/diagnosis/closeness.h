// How near a stage of yours is to ours.
#pragma once

#include <optional>
#include <string>

#include "core/diagnosis/given.h"
#include "core/operations/precision.h"

namespace attn {

// What counts as the same number.
struct Nearness {
  Tolerance tolerance = {};
  bool can_be_masked = false;                       // −∞, or a fill, stands for no number
  NumberFormat rounded_to = NumberFormat::float32;  // ours: libraries round at other places
};

struct Closeness {
  bool same_shape = true, equal = true;
  double distance = 0;             // ‖yours − ours‖ ÷ ‖yours‖; ∞ where shapes differ
  double largest = 0;              // |yours − ours| of cells that are numbers in both
  std::size_t at = 0;              // where; of masks that differ the first such cell
  bool same_masked = true;         // the same cells are masked
  std::optional<float> fill = {};  // of yours, in place of −∞, the first
};

// Cells that both mask, and cells that are NaN in both, are left out. One that is masked, NaN or infinite in
// one alone counts as differing by the largest number of yours.
Closeness closeness_of(const Tensor& yours, const Tensor& ours, const Nearness& nearness);

// A masked score: −∞, or a fill that leaves no weight.
bool is_fill(float score);
// Where a NaN comes first.
std::optional<std::size_t> first_nan(const Tensor& numbers);
// Whether each number is one of the format, but for fills.
bool is_of_format(const Tensor& numbers, NumberFormat format);

}  // namespace attn
