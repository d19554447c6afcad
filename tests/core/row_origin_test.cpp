// Where a printed row comes from: worked by hand, with mistakes planted, from other rows.
#include "core/lesson/row_origin.h"

#include <doctest/doctest.h>

#include "core/document/layer_plan.h"
#include "core/io/session.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Worked example: scores [1 1 2], [1 1 0], [2 0 1], divided by 2.
Document worked_example() {
  return parse_session(R"({"format": "attention-lab session", "version": 2, "layer": {"direct": true,
    "q": [[1,0,1,0],[0,1,0,1],[1,1,0,0]], "k": [[1,1,0,0],[0,0,1,1],[1,0,1,0]],
    "v": [[1,2,3,4],[5,6,7,8],[9,10,11,12]]}})");
}

const LessonCells kFirst{.stage = "weights", .head = 0, .row = 0};
const PrintedRow kPrinted{.of = kFirst, .numbers = {0.2312, 0.2312, 0.5376}};

struct Origin {
  Results now = evaluated(worked_example());
  RowOrigin operator()(const std::string& text, const LessonCells& of = kFirst) const {
    const OwnRow row = read_own_row(text);
    REQUIRE(row.error == "");
    return origin_of(row, of, {&kPrinted, 1}, now);
  }
};

}  // namespace

TEST_CASE("a row of one's own is read as pasted numbers are, with what may be rounded away") {
  const OwnRow row = read_own_row(".2312, .2312, .5376");
  REQUIRE(row.numbers.size() == 3);
  CHECK(row.numbers[2] == doctest::Approx(0.5376));
  CHECK(row.rounding == doctest::Approx(0.00005));
  CHECK(read_own_row("[0.23 0.23 0.54]").rounding == doctest::Approx(0.005));
  CHECK(read_own_row("0.5\n0.25\n0.25").numbers.size() == 3);
  CHECK(read_own_row("0.5 x 0.25").error != "");
  CHECK(read_own_row("1 2\n3 4").error == "2 rows: one row is compared");
}

TEST_CASE("what is computed is the same as far as it is rounded, and no further") {
  const Origin origin;
  CHECK(origin("0.27 0.27 0.45").kind == RowOrigin::same);
  CHECK(origin("0.2741 0.2741 0.4519").kind == RowOrigin::same);
  CHECK(origin("0.2741 0.2741 0.4529").kind != RowOrigin::same);
}

TEST_CASE("a known mistake that makes the row is named, with the first stage that differs") {
  const Origin origin;
  // softmax([1 1 2]): exp(1) = 2.7183 ÷ 4.7183.
  const RowOrigin unscaled = origin("0.2119 0.2119 0.5761");
  CHECK(unscaled.kind == RowOrigin::mistake);
  REQUIRE_FALSE(unscaled.mistakes.empty());
  CHECK(unscaled.mistakes.front()->word == "no-scale");
  CHECK(unscaled.stage == "scaled");
  // Down the columns [0.5 0.5 1], [0.5 0.5 0], [1 0 0.5]: exp(0.5) ÷ (2·exp(0.5) + e) and so on.
  const RowOrigin down = origin("0.2741 0.3837 0.5065");
  CHECK(down.kind == RowOrigin::mistake);
  REQUIRE_FALSE(down.mistakes.empty());
  CHECK(down.mistakes.front()->word == "softmax-over-queries");
  CHECK(down.stage == "weights");
}

TEST_CASE("a row that another printed row makes follows from that") {
  const Origin origin;
  // 0.2312·[1 2 3 4] + 0.2312·[5 6 7 8] + 0.5376·[9 10 11 12]
  const RowOrigin found = origin("6.2256 7.2256 8.2256 9.2256", {.stage = "output", .head = 0, .row = 0});
  CHECK(found.kind == RowOrigin::follows);
  CHECK(found.stage == "weights");
  CHECK(found.cells.row == 0);
}

TEST_CASE("a row with the numbers of other cells is found there") {
  const Origin origin;
  const RowOrigin other = origin("0.3837 0.3837 0.2327");
  CHECK(other.kind == RowOrigin::elsewhere);
  CHECK(other.cells.stage == "weights");
  CHECK(other.cells.row == 1);
  const RowOrigin scores = origin("0.5 0.5 1");
  CHECK(scores.kind == RowOrigin::elsewhere);
  CHECK(scores.cells.stage == "scaled");
}

TEST_CASE("of weights that nothing known makes the sum, or the gap that they need, says why") {
  const Origin origin;
  const RowOrigin printed = origin("0.2312 0.2312 0.5376");
  CHECK(printed.kind == RowOrigin::apart);
  CHECK(printed.stage == "weights");
  CHECK(printed.mistakes_were_tried);
  CHECK_FALSE(printed.sum);
  REQUIRE(printed.gap);
  CHECK(printed.gap->larger == 2);
  CHECK(printed.gap->ratio == doctest::Approx(2.3253).epsilon(0.0001));
  CHECK(printed.gap->needed == doctest::Approx(0.844).epsilon(0.001));
  CHECK(printed.gap->there == doctest::Approx(0.5));
  const RowOrigin column = origin("0.2 0.2 0.4", {.stage = "weights", .head = 0, .column = 1});
  CHECK_FALSE(column.sum);
  CHECK_FALSE(column.gap);
  const RowOrigin short_of_one = origin("0.2 0.2 0.4");
  REQUIRE(short_of_one.sum);
  CHECK(*short_of_one.sum == doctest::Approx(0.8));
}
