// Two matrices of one shape, number by number: what of a second layer is other than of the first.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Inputs A and B of one shape: Y = B − A, B ÷ A or |B − A|. Equal numbers, equal infinities and two NaN among
// them, differ by 0 and have the ratio 1: what is masked in both layers is no difference.
struct Compared {
  enum Figure { difference, ratio, distance };
  static constexpr const char* kName = "compared";
  Figure figure = difference;
  bool operator==(const Compared&) const = default;
};

// The arithmetic in double, shared by the reference and the explanations.
double compared_value(Compared::Figure figure, double a, double b);

}  // namespace attn
