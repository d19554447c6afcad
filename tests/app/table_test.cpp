// Tables of stages: numbers, alignment, abbreviation.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "app/words/table.h"
#include "core/text/numbers.h"

using namespace attn;

namespace {

Stage stage_of(Shape shape, Labels labels = {}) {
  return {.id = "scores",
          .title = "scores",
          .formula = "QKᵀ",
          .operation = Scale{},
          .inputs = {},
          .rows = {"query", std::make_shared<const Labels>(std::move(labels))},
          .columns = {"key", {}},
          .shape = shape};
}

std::string printed(const Stage& stage, const Tensor& values) {
  std::ostringstream out;
  print_stage(out, stage, values);
  return out.str();
}

Tensor counting(Shape shape) {
  std::vector<float> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return {shape, std::move(values)};
}

}  // namespace

TEST_CASE("numbers are short and special numbers have their signs") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  CHECK(short_number(0) == "0");
  CHECK(short_number(-2) == "-2");
  CHECK(short_number(0.27406862f) == "0.2741");
  CHECK(short_number(-12.5f) == "-12.5000");
  CHECK(short_number(1e-7f) == "1.000e-07");
  CHECK(short_number(3e8f) == "3.000e+08");
  CHECK(short_number(-kInfinity) == "−∞");
  CHECK(short_number(kInfinity) == "∞");
  CHECK(short_number(std::nanf("")) == "NaN");
}

TEST_CASE("a number of the command line is the whole word in any of its spellings") {
  CHECK(parse_number<double>("1.5") == 1.5);
  CHECK(parse_number<double>("+1.5") == 1.5);
  CHECK(parse_number<double>("−1.5") == -1.5);
  CHECK(parse_number<double>("1e-3") == 1e-3);
  CHECK(parse_number<std::size_t>("+7") == 7u);
  for (const char* word : {"", "+", "−", "1,5", "1.5 ", "1.5x", "+-1", "0x10"})
    CHECK_FALSE(parse_number<double>(word).has_value());
  CHECK_FALSE(parse_number<std::size_t>("−7").has_value());
  CHECK_FALSE(parse_number<std::size_t>("-7").has_value());
}

TEST_CASE("a stage shows its name formula shape axes and every number") {
  const std::string text = printed(stage_of({1, 2, 2}, {"the", "cat"}), Tensor({1, 2, 2}, {1, 0.5f, -3, 4}));
  CHECK(text ==
        "scores · QKᵀ · 2×2\n"
        "  query\\key   0       1\n"
        "  the         1  0.5000\n"
        "  cat        -3       4\n\n");
}

TEST_CASE("each head has a table of its own") {
  const std::string text = printed(stage_of({2, 1, 1}), counting({2, 1, 1}));
  CHECK(text.find("head 0") < text.find("head 1"));
  CHECK(text.find("head 1") != std::string::npos);
}

TEST_CASE("long sides are abbreviated and the title says how") {
  const std::string text = printed(stage_of({9, 13, 40}), counting({9, 13, 40}));
  CHECK(text.find(
            "showing the first 2 and last 1 of 9 heads, first 7 and last 4 of 13 rows, first 7 and last 4 "
            "of 40 columns; -o writes all") != std::string::npos);
  CHECK(text.find("head 8\n") != std::string::npos);
  CHECK(text.find("head 7\n") == std::string::npos);
  CHECK(text.find(" 4679\n") != std::string::npos);  // the very last number, 9·13·40 − 1
  const std::string whole = printed(stage_of({8, 12, 12}), counting({8, 12, 12}));
  CHECK(whole.find("…") == std::string::npos);
}

TEST_CASE("columns align by what a terminal shows") {
  CHECK(display_width("cat") == 3);
  CHECK(display_width("Σ∂√") == 3);
  CHECK(display_width("注意") == 4);
  CHECK(display_width("e\u0301") == 1);
  const std::string text = printed(stage_of({1, 2, 1}, {"注意", "a"}), counting({1, 2, 1}));
  CHECK(text.find("  注意       0\n  a          1\n") != std::string::npos);
}

TEST_CASE("labels of a file cannot command the terminal or break the table") {
  const std::string text =
      printed(stage_of({1, 2, 1}, {"\x1b[2Jx\n\u009b", std::string(100, 'w')}), counting({1, 2, 1}));
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("\u009b") == std::string::npos);
  CHECK(text.find("·[2Jx··") != std::string::npos);
  CHECK(text.find(std::string(17, 'w')) == std::string::npos);
}
