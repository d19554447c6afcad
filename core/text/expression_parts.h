// What expressions of any values are made of (core/text/expression_parser.h).
#pragma once

#include <array>
#include <numbers>
#include <optional>
#include <string_view>

#include "core/text/expression.h"
#include "core/text/special.h"

namespace attn::expression {

enum class Operator {
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  more,
  more_equal,
  equal,
  unequal,
  both,
  either
};

// Of single numbers; a comparison is 1 or 0.
double single_operation(Operator what, double a, double b);
// sin, cos, tan, exp, log, sqrt, abs; none: there is no such function of one number.
std::optional<double> single_function(std::string_view name, double x);

// What stands between brackets: one value, some from `first` on, or all.
template <class Value>
struct Slice {
  std::optional<Value> first = {}, end = {};
  bool range = false;
};

inline constexpr std::array kConstants{Variable{"pi", std::numbers::pi},
                                       Variable{"π", std::numbers::pi},
                                       Variable{"e", std::numbers::e},
                                       Variable{"inf", kInfinity},
                                       Variable{"infinity", kInfinity},
                                       Variable{"∞", kInfinity},
                                       Variable{"nan", kNan}};

}  // namespace attn::expression
