// A number that counts what is done with it: the reference's own code runs on it, and plain loops.
#pragma once

// Eigen multiplies coefficient by coefficient, so that what is counted is the product's and not its blocks'.
#define EIGEN_GEMM_TO_COEFFBASED_THRESHOLD 1000000
#include <Eigen/Core>
#include <cmath>
#include <cstdint>

#include "core/reference/family.h"

namespace attn::tests {

struct Tally {
  std::uint64_t add = 0, multiply = 0, divide = 0, function = 0, compare = 0;

  std::uint64_t total() const { return add + multiply + divide + function + compare; }
  Tally operator-(const Tally& b) const {
    return {add - b.add, multiply - b.multiply, divide - b.divide, function - b.function,
            compare - b.compare};
  }
  void operator+=(const Tally& b) {
    add += b.add, multiply += b.multiply, divide += b.divide, function += b.function, compare += b.compare;
  }
};
inline Tally tally;  // of all that was done so far

// + and − are one addition; exp and tanh one function; > and < one comparison. Equality, which asks for
// special values, and NaN are not counted.
struct Counted {
  double value = 0;

  Counted() = default;
  Counted(double number) : value(number) {}

  friend Counted operator+(Counted a, Counted b) { return ++tally.add, a.value + b.value; }
  friend Counted operator-(Counted a, Counted b) { return ++tally.add, a.value - b.value; }
  friend Counted operator*(Counted a, Counted b) { return ++tally.multiply, a.value * b.value; }
  friend Counted operator/(Counted a, Counted b) { return ++tally.divide, a.value / b.value; }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  friend bool operator>(Counted a, Counted b) { return ++tally.compare, a.value > b.value; }
  friend bool operator<(Counted a, Counted b) { return ++tally.compare, a.value < b.value; }
  friend bool operator==(Counted a, Counted b) { return a.value == b.value; }
  friend bool operator!=(Counted a, Counted b) { return a.value != b.value; }
  friend Counted exp(Counted a) { return ++tally.function, std::exp(a.value); }
  friend Counted tanh(Counted a) { return ++tally.function, std::tanh(a.value); }
  friend bool isnan(Counted a) { return std::isnan(a.value); }
};

}  // namespace attn::tests

template <>
struct Eigen::NumTraits<attn::tests::Counted> : Eigen::GenericNumTraits<attn::tests::Counted> {};

template <>
struct attn::reference::ComputedIn<attn::tests::Counted> {
  using type = attn::tests::Counted;
};
