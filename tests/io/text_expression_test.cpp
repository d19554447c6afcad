// Typed expressions against C++'s own arithmetic: how operators bind, what has a name, and where errors are.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/text/expression.h"

using namespace attn;

namespace {

double value_of(std::string_view text, const std::vector<Variable>& variables = {}) {
  const NumberOrError result = parse_number_expression(text, variables);
  const TextError* error = std::get_if<TextError>(&result);
  INFO(text << (error ? ": " + error->message : ""));
  CHECK(!error);
  return error ? 0 : std::get<double>(result);
}

TextError error_of(std::string_view text) {
  const NumberOrError result = parse_number_expression(text);
  INFO(text);
  CHECK(std::holds_alternative<TextError>(result));
  const TextError* error = std::get_if<TextError>(&result);
  return error ? *error : TextError{};
}

}  // namespace

TEST_CASE("numbers are read as written") {
  CHECK(value_of("1") == 1);
  CHECK(value_of("-0.25") == -0.25);
  CHECK(value_of("1e-3") == 1e-3);
  CHECK(value_of("1.5E+10") == 1.5e10);
  CHECK(value_of(".5") == 0.5);
  CHECK(value_of("2.") == 2);
  CHECK(value_of("  +3\t") == 3);
  CHECK(value_of("−4") == -4);
}

TEST_CASE("special numbers and constants have names") {
  CHECK(value_of("inf") == INFINITY);
  CHECK(value_of("-inf") == -INFINITY);
  CHECK(value_of("−∞") == -INFINITY);
  CHECK(value_of("+Infinity") == INFINITY);
  CHECK(std::isnan(value_of("nan")));
  CHECK(std::isnan(value_of("NaN")));
  CHECK(value_of("pi") == std::numbers::pi);
  CHECK(value_of("π") == std::numbers::pi);
  CHECK(value_of("e") == std::numbers::e);
}

TEST_CASE("arithmetic binds as in mathematics") {
  CHECK(value_of("1 + 2*3") == 7);
  CHECK(value_of("(1 + 2)*3") == 9);
  CHECK(value_of("7 - 2 - 1") == 4);
  CHECK(value_of("8/4/2") == 1);
  CHECK(value_of("-2^2") == -4);
  CHECK(value_of("2^3^2") == 512);
  CHECK(value_of("2**3") == 8);
  CHECK(value_of("2^-1") == 0.5);
  CHECK(value_of("2 × 3 ÷ 4 − 1") == 0.5);
  CHECK(value_of("pi×2") == 2 * std::numbers::pi);
  CHECK(value_of("--1") == 1);
}

TEST_CASE("functions take their arguments in brackets") {
  CHECK(value_of("sqrt(2)/2") == std::sqrt(2.0) / 2);
  CHECK(value_of("√2/2") == std::sqrt(2.0) / 2);
  CHECK(value_of("sin(pi/2)") == 1);
  CHECK(value_of("cos(0)") == 1);
  CHECK(value_of("tan(0)") == 0);
  CHECK(value_of("exp(1)") == std::exp(1.0));
  CHECK(value_of("log(exp(2))") == doctest::Approx(2));
  CHECK(value_of("abs(-3)") == 3);
  CHECK(value_of("min(3, 1, 2)") == 1);
  CHECK(value_of("max(3, 1, 2)") == 3);
  CHECK(std::isnan(value_of("max(1, nan)")));
  CHECK(std::isnan(value_of("sqrt(-1)")));
  CHECK(value_of("1/0") == INFINITY);
}

TEST_CASE("a formula knows its variables and nothing else does") {
  CHECK(value_of("i*10 + j", {{"i", 2}, {"j", 3}}) == 23);
  CHECK(error_of("i*10 + j").message == "\"i\" is no number");
}

TEST_CASE("an error says what is wrong and where") {
  CHECK(error_of("").message == "type a number");
  CHECK(error_of("  ").position == 2);
  CHECK(error_of("1 +").message == "a number is missing");
  CHECK(error_of("1 +").position == 3);
  CHECK(error_of("1,5").message == "write decimals with a point, not a comma");
  CHECK(error_of("2 3").message == "unexpected \"3\"");
  CHECK(error_of("2 3").position == 2);
  CHECK(error_of("(1").message == "a closing bracket ) is missing");
  CHECK(error_of("1)").position == 1);
  CHECK(error_of("foo(1)").message == "no function \"foo\" of 1 number");
  CHECK(error_of("sin(1, 2)").message == "no function \"sin\" of 2 numbers");
  CHECK(error_of("abc").message == "\"abc\" is no number");
  CHECK(error_of("1*/2").message == "a number is missing before \"/2\"");
  CHECK(error_of("1e999").message == "the number is out of range");
  CHECK(error_of("...").position == 0);
  CHECK(error_of("0x10").position == 1);
}

TEST_CASE("no depth of brackets, signs or roots overflows the stack") {
  for (const std::string_view piece : {"(", "-", "√", "sin(", "2^"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += piece;
    CHECK(error_of(text).message == "too many signs or brackets inside each other");
  }
}

TEST_CASE("a float holds what rounds into its range") {
  CHECK(std::get<float>(parse_float_expression("0.1")) == 0.1f);
  CHECK(std::get<float>(parse_float_expression("inf")) == INFINITY);
  CHECK(std::get<float>(parse_float_expression("1e-60")) == 0);
  CHECK(std::get<float>(parse_float_expression("3.4028235e38")) == 3.4028235e38f);
  CHECK(std::get<TextError>(parse_float_expression("1e39")).message ==
        "too large: the largest number is 3.4e38");
}
