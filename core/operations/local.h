// Local attention (Luong, Pham, Manning 2015, section 3.2): where a query looks, which keys are too far from
// there, and how weights fall off around it. Places of keys count from 0.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Y = m·σ(X), any shape, m the keys: a place from 0 to m (equation 9).
struct LocalCentre {
  static constexpr const char* kName = "local_centre";
  std::size_t keys = 0;
  bool operator==(const LocalCentre&) const = default;
};

// 1 where key j lies outside [p − reach, p + reach], p the centre of the query. Inputs: centres h×n×1 and
// (optional) a mask h×n×m, or fewer matrices shared by consecutive heads, that hides what it hides besides.
// Result h×n×m, m = `keys`. A centre that is NaN hides nothing.
struct LocalMask {
  static constexpr const char* kName = "local_mask";
  std::size_t reach = 1, keys = 0;
  bool operator==(const LocalMask&) const = default;
};

// Inputs: weights h×n×m and centres h×n×1: Y[i,j] = X[i,j]·exp(−(j − p_i)² ÷ 2(reach/2)²) (equation 10).
struct LocalDecay {
  static constexpr const char* kName = "local_decay";
  std::size_t reach = 1;  // at least 1
  bool operator==(const LocalDecay&) const = default;
};

// What flows back through a LocalCentre: inputs its result Y and G, of one shape: g·y·(1 − y ÷ m).
struct CentreGradient {
  static constexpr const char* kName = "centre_gradient";
  std::size_t keys = 0;
  bool operator==(const CentreGradient&) const = default;
};

// What flows back through a LocalDecay to the centres. Inputs its result Y, h×n×m, the centres p, h×n×1, and
// G, h×n×m: Σ_j g·y·(j − p) ÷ (reach/2)², h×n×1. A pair whose y is 0 adds 0, whatever its g is.
struct DecayGradient {
  static constexpr const char* kName = "decay_gradient";
  std::size_t reach = 1;
  bool operator==(const DecayGradient&) const = default;
};

// The arithmetic of one number, in double. The mask compares the centre with places, which are whole numbers:
// a float of it decides as a double does.
double local_centre(const LocalCentre& op, double x);
bool is_outside(const LocalMask& op, double centre, std::size_t key);
double local_factor(const LocalDecay& op, double centre, std::size_t key);

}  // namespace attn
