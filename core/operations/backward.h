// What flows back through an operation, said in terms of operations: its vector–Jacobian product.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/operations/operation.h"

namespace attn {

// A matrix on the way back: an input of the forward operation, its result, the gradient of its result, or
// what an earlier line of the way back makes.
struct BackwardValue {
  enum Kind { input, result, gradient, line };
  Kind kind = gradient;
  std::size_t number = 0;  // of the input, or of the line
};

// One operation on the way back. In its formula %g stands for the gradient of the result, %y for the result,
// %0, %1, … for the inputs.
struct BackwardLine {
  Operation operation;
  std::vector<BackwardValue> reads;
  std::string formula;
};

// What flows to one input: a value; or exactly 0, and why.
struct BackwardFlow {
  std::size_t input = 0;
  BackwardValue value = {};
  std::string zero = {};
};

// Inputs without a flow need none: they hold no numbers that a loss could ask for (a mask, answers).
struct Backward {
  std::vector<BackwardLine> lines = {};
  std::vector<BackwardFlow> flows = {};
  // What flows to the operation's own number, where it has one: a factor, a cap, the gain of a norm; 1×1×1.
  std::optional<BackwardValue> number = {};
  std::string missing = {};  // why there is no way back; empty: there is one

  BackwardValue add(Operation operation, std::initializer_list<BackwardValue> reads, std::string formula) {
    lines.push_back({std::move(operation), reads, std::move(formula)});
    return {BackwardValue::line, lines.size() - 1};
  }
  void flow(std::size_t input, BackwardValue value) { flows.push_back({input, value}); }
  void zero(std::size_t input, std::string why) { flows.push_back({input, {}, std::move(why)}); }
};

// For the families.
inline BackwardValue input_of(std::size_t number) {
  return {BackwardValue::input, number};
}
inline constexpr BackwardValue kResult{BackwardValue::result}, kGradient{BackwardValue::gradient};
inline Backward no_way_back(std::string why) {
  return {.missing = std::move(why)};
}
// What flows to a row's sum goes to each of its numbers.
BackwardValue spread_over_columns(Backward& back, std::size_t columns);
Tensor ones_of(const Shape& shape);
inline constexpr const char* kIsGradient = "it is a gradient itself, and second derivatives are not made";
inline constexpr const char* kFitsNothing =
    "kernel regression takes its points as they are: nothing is learnt";
inline constexpr const char* kSteps = "rounding moves in steps: between them nothing changes";
inline constexpr const char* kIsMeasure = "it says something of numbers, and nothing is computed from it";

// The way back through an operation on inputs of these shapes.
Backward backward(const Operation& operation, Shapes inputs, const Shape& result);

}  // namespace attn
