// Expressions of single numbers: every number a double.
#include "core/text/expression.h"

#include <array>
#include <cmath>

#include "core/text/expression_parser.h"

namespace attn {
namespace {

struct Function {
  std::string_view name;
  double (*of)(double);
};

constexpr std::array kFunctions{Function{"sin", [](double x) { return std::sin(x); }},
                                Function{"cos", [](double x) { return std::cos(x); }},
                                Function{"tan", [](double x) { return std::tan(x); }},
                                Function{"exp", [](double x) { return std::exp(x); }},
                                Function{"log", [](double x) { return std::log(x); }},
                                Function{"sqrt", [](double x) { return std::sqrt(x); }},
                                Function{"abs", [](double x) { return std::abs(x); }}};

}  // namespace

namespace expression {

double single_operation(Operator what, double a, double b) {
  switch (what) {
    case Operator::add:
      return a + b;
    case Operator::subtract:
      return a - b;
    case Operator::multiply:
      return a * b;
    case Operator::divide:
      return a / b;
    case Operator::power:
      return std::pow(a, b);
    case Operator::less:
      return a < b;
    case Operator::less_equal:
      return a <= b;
    case Operator::more:
      return a > b;
    case Operator::more_equal:
      return a >= b;
    case Operator::equal:
      return a == b;
    case Operator::unequal:
      return a != b;
    case Operator::both:
      return a != 0 && b != 0;
    case Operator::either:
      return a != 0 || b != 0;
  }
  return kNan;
}

std::optional<double> single_function(std::string_view name, double x) {
  for (const Function& f : kFunctions)
    if (f.name == name) return f.of(x);
  return std::nullopt;
}

}  // namespace expression

namespace {

struct SingleNumbers {
  using Value = double;
  static constexpr bool kConditions = false;

  const std::vector<Variable>& variables;
  std::string error = {};

  double number(double x) const { return x; }
  double sign(double x) const { return -x; }
  double root(double x) const { return std::sqrt(x); }
  double operate(expression::Operator what, double a, double b) const {
    return expression::single_operation(what, a, b);
  }
  std::optional<double> named(std::string_view name) const {
    for (const Variable& v : variables)
      if (v.name == name) return v.value;
    return std::nullopt;
  }
  double call(const std::string& name, const std::vector<double>& arguments) {
    if (arguments.size() == 1)
      if (const auto value = expression::single_function(name, arguments[0])) return *value;
    const bool largest = name == "max";
    if (largest || name == "min") {
      double best = arguments[0];
      for (const double a : arguments)
        if (std::isnan(a) || (largest ? a > best : a < best)) best = a;
      return best;
    }
    error = "no function " + in_quotes(name) + " of " + std::to_string(arguments.size()) +
            (arguments.size() == 1 ? " number" : " numbers");
    return 0;
  }
};

}  // namespace

NumberOrError parse_number_expression(std::string_view text, const std::vector<Variable>& variables) {
  SingleNumbers numbers{variables};
  return expression::Parser<SingleNumbers>(text, numbers).parse();
}

std::variant<float, TextError> parse_float_expression(std::string_view text,
                                                      const std::vector<Variable>& variables) {
  const NumberOrError result = parse_number_expression(text, variables);
  if (const TextError* error = std::get_if<TextError>(&result)) return *error;
  const double value = std::get<double>(result);
  // Half a step above the largest float is where rounding reaches infinity.
  if (std::isfinite(value) && !std::isfinite(static_cast<float>(value)))
    return TextError{"too large: the largest number is 3.4e38", 0};
  return static_cast<float>(value);
}

}  // namespace attn
