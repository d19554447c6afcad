// Weights that are wanted, painted by hand: rows add up to 1, masked keys get nothing.
#include "core/gradients/wanted.h"

#include <doctest/doctest.h>

#include <array>
#include <functional>

#include "core/system/error.h"

using namespace attn;

namespace {

// Three tokens, each sees itself and those before it.
PaintedHead causal_three() {
  const auto words = std::make_shared<const Labels>(Labels{"the", "cat", "sat"});
  return {.queries = 3,
          .keys = 3,
          .mask = Tensor({1, 3, 3}, {0, 1, 1, 0, 0, 1, 0, 0, 0}),
          .rows = {.name = "query", .labels = words},
          .columns = {.name = "key", .labels = words}};
}

std::vector<float> row_of(const Tensor& tensor, std::size_t row) {
  const auto numbers = tensor.values().subspan(row * tensor.columns(), tensor.columns());
  return {numbers.begin(), numbers.end()};
}

std::string painting_refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("painted rows add up to one, and what was painted first is not outweighed") {
  const PaintedHead head = causal_three();
  GradientsSpec spec;
  const std::array<Cell, 2> first{Cell{0, 2, 0}, Cell{0, 2, 1}};
  paint_wanted(spec, head, first, true);
  CHECK(row_of(spec.wanted, 2) == std::vector<float>{0.5f, 0.5f, 0});
  const Cell third{0, 2, 2};
  paint_wanted(spec, head, {&third, 1}, true);
  for (const float share : row_of(spec.wanted, 2)) CHECK(share == doctest::Approx(1.0 / 3));
  paint_wanted(spec, head, first, false);
  CHECK(row_of(spec.wanted, 2) == std::vector<float>{0, 0, 1});
  CHECK(rows_asked(spec.wanted) == 1);
  paint_wanted(spec, head, {&third, 1}, false);
  CHECK(rows_asked(spec.wanted) == 0);
}

TEST_CASE("a masked key is painted by nobody, and a stroke leaves it out") {
  const PaintedHead head = causal_three();
  GradientsSpec spec;
  const Cell masked{0, 0, 2};
  CHECK(painting_refusal([&] {
          paint_wanted(spec, head, {&masked, 1}, true);
        }) == "“sat” is masked from “the”: it can get no weight there");
  CHECK(spec.wanted.empty());
  const std::array<Cell, 3> stroke{masked, Cell{0, 1, 2}, Cell{0, 1, 1}};
  paint_wanted(spec, head, stroke, true);
  CHECK(row_of(spec.wanted, 1) == std::vector<float>{0, 1, 0});
  CHECK(rows_asked(spec.wanted) == 1);
}

TEST_CASE("a share is taken from the other keys of its row, and given back to them") {
  const PaintedHead head = causal_three();
  GradientsSpec spec;
  turn_share(spec, head, {0, 2, 0}, 1);
  CHECK(row_of(spec.wanted, 2) == std::vector<float>{1, 0, 0});
  CHECK_FALSE(painting_refusal([&] { turn_share(spec, head, {0, 2, 0}, -1); }).empty());
  turn_share(spec, head, {0, 2, 1}, 2);
  CHECK(row_of(spec.wanted, 2) == std::vector<float>{0.9f, 0.1f, 0});
  turn_share(spec, head, {0, 2, 0}, -4);
  CHECK(row_of(spec.wanted, 2) == std::vector<float>{0.7f, 0.3f, 0});
  turn_share(spec, head, {0, 2, 1}, -20);
  CHECK(row_of(spec.wanted, 2) == std::vector<float>{1, 0, 0});
}

TEST_CASE("patterns leave masked keys out, and painting begins anew for another size") {
  const PaintedHead head = causal_three();
  GradientsSpec spec;
  paint_pattern(spec, head, WantedPattern::previous);
  CHECK(spec.wanted == Tensor({1, 3, 3}, {1, 0, 0, 1, 0, 0, 0, 1, 0}));
  CHECK(painting_refusal([&] {
          paint_pattern(spec, head, WantedPattern::next);
        }).find("the next token masked") != std::string::npos);
  const PaintedHead open{.queries = 3, .keys = 4};
  CHECK(rows_asked(wanted_of(spec, open)) == 0);
  paint_pattern(spec, open, WantedPattern::next);
  CHECK(spec.wanted == Tensor({1, 3, 4}, {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}));
}

TEST_CASE("weights that a new mask hides, or that are no shares, are refused by the row") {
  const PaintedHead head = causal_three();
  CHECK(wanted_refusal(Tensor({1, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}), head).empty());
  CHECK(wanted_refusal(Tensor({1, 3, 3}, {1, 0, 0, 0, 0, 1, 0, 0, 1}), head) ==
        "“sat” is masked from “cat” now: take its weight away with the right button");
  CHECK(wanted_refusal(Tensor({1, 3, 3}, {1, 0, 0, -3, 0, 0, 0, 0, 1}), head).find("“cat” is -3") !=
        std::string::npos);
}
