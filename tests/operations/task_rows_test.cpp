// Rows of tasks: that each is what its task says, whatever is drawn; by counter; and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/operations/backward.h"
#include "core/operations/task_rows.h"
#include "core/tensor/philox.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr std::size_t kDrawn = 200;

TaskRows task_of(TaskKind kind, std::size_t length, std::size_t symbols) {
  return {.kind = kind, .seed = 11, .rows = 4, .length = length, .answers = length, .symbols = symbols};
}

template <class Check>
void for_rows(const TaskRows& op, Check check) {
  for (std::size_t step = 0; step < kDrawn; ++step) {
    const TaskRow row = task_row(op, step, step % 3, {});
    CAPTURE(step);
    for (const std::int32_t symbol : row.input) {
      CHECK(symbol >= 0);
      CHECK(symbol < static_cast<std::int32_t>(op.symbols));
    }
    check(row);
  }
}

}  // namespace

TEST_CASE("copied, reversed and sorted rows are what they are called") {
  for_rows(task_of(TaskKind::copy, 7, 5), [](const TaskRow& row) { CHECK(row.target == row.input); });
  for_rows(task_of(TaskKind::reverse, 7, 5), [](const TaskRow& row) {
    CHECK(std::ranges::equal(row.target, std::vector(row.input.rbegin(), row.input.rend())));
  });
  for_rows(task_of(TaskKind::sort, 7, 5), [](const TaskRow& row) {
    CHECK(std::ranges::is_sorted(row.target));
    CHECK(std::ranges::is_permutation(row.target, row.input));
  });
}

TEST_CASE("of recall each key that comes again is asked for its value, and nothing else is") {
  for_rows(task_of(TaskKind::recall, 16, 13), [](const TaskRow& row) {
    std::map<std::int32_t, std::int32_t> values;
    for (std::size_t i = 0; i < 10; i += 2) {
      CHECK(row.input[i] < 6);
      CHECK(row.input[i + 1] >= 6);
      values[row.input[i]] = row.input[i + 1];
      CHECK(row.target[i] == -1);
      CHECK(row.target[i + 1] == -1);
    }
    CHECK(values.size() == 5);
    for (std::size_t i = 10; i < 16; ++i) CHECK(row.target[i] == values.at(row.input[i]));
  });
}

TEST_CASE("of induction a run of different symbols repeats, and is asked for from its second time on") {
  std::set<std::size_t> periods;
  for_rows(task_of(TaskKind::induction, 32, 20), [&](const TaskRow& row) {
    std::size_t period = 1;
    while (row.input[period] != row.input[0]) ++period;
    periods.insert(period);
    CHECK(std::set(row.input.begin(), row.input.begin() + static_cast<std::ptrdiff_t>(period)).size() ==
          period);
    for (std::size_t i = 0; i < 32; ++i) {
      CHECK(row.input[i] == row.input[i % period]);
      CHECK(row.target[i] == (i < period ? -1 : row.input[(i + 1) % period]));
    }
  });
  CHECK(*periods.begin() == 6);
  CHECK(*periods.rbegin() == 16);
}

TEST_CASE("dates in three orders are asked for in one") {
  const std::u32string months = U"jan feb mar apr may jun jul aug sep oct nov dec";
  std::set<std::size_t> month_at;
  std::set<std::u32string> drawn;
  TaskRows op = task_of(TaskKind::dates, kDateLength, kDateSymbols);
  op.answers = kDateAnswers;
  for_rows(op, [&](const TaskRow& row) {
    std::u32string in, out;
    for (const std::int32_t symbol : row.input) in += kDateLetters[static_cast<std::size_t>(symbol)];
    for (const std::int32_t symbol : row.target) out += kDateLetters[static_cast<std::size_t>(symbol)];
    const std::size_t first = in.find(U'·'), second = in.find(U'·', first + 1);
    std::vector<std::u32string> parts{in.substr(0, first), in.substr(first + 1, second - first - 1),
                                      in.substr(second + 1)};
    const std::size_t at = parts[0].size() == 3 ? 0 : 1;
    month_at.insert(10 * at + parts[0].size());
    const std::size_t month = months.find(parts[at]) / 4 + 1;
    drawn.insert(parts[at]);
    if (at == 0) std::swap(parts[0], parts[1]);               // mar·12·1987
    if (parts[0].size() == 4) std::swap(parts[0], parts[2]);  // 1987·mar·12
    const std::u32string number{U'0' + static_cast<char32_t>(month / 10),
                                U'0' + static_cast<char32_t>(month % 10)};
    CHECK((out == parts[2] + U"-" + number + U"-" + parts[0]));
    CHECK((out >= U"1000-01-01" && out <= U"9999-12-31"));
  });
  CHECK(month_at == std::set<std::size_t>{3, 12, 14});
  CHECK(drawn.size() == 12);
}

// Word 0 of the row, by the generator itself: its upper half of word times n.
TEST_CASE("any row of any step is drawn by its counter alone") {
  const TaskRows op = task_of(TaskKind::copy, 6, 10);
  const TaskRow row = task_row(op, 12345, 3, {});
  for (std::size_t i = 0; i < 6; ++i) {
    const std::uint64_t word = philox({static_cast<std::uint32_t>(i / 4), 3, 12345, 0}, {11, 0})[i % 4];
    CHECK(row.input[i] == static_cast<std::int32_t>(word * 10 >> 32));
  }
  CHECK(task_row(op, 12346, 3, {}).input != row.input);
  CHECK(task_row(op, 12345, 2, {}).input != row.input);
}

TEST_CASE("rows of a table are those that are trained on, held out ones the others") {
  TaskRows op = task_of(TaskKind::table, 1, 9);
  op.trained = 3;
  const std::vector<float> table{0, 1, 2, 3, 4, 5, 6, -1, 8, 2};  // five rows
  std::set<std::int32_t> trained, others;
  for (std::size_t step = 0; step < 50; ++step) {
    trained.insert(task_row(op, step, 0, table).input[0]);
    const TaskRow held_out = task_row(op, TaskRows::kHeldOut + step, 0, table);
    others.insert(held_out.input[0]);
    CHECK(held_out.target[0] == (held_out.input[0] == 6 ? -1 : 2));
  }
  CHECK(trained == std::set<std::int32_t>{0, 2, 4});
  CHECK(others == std::set<std::int32_t>{6, 8});
}

TEST_CASE("a batch is its rows below each other, and every symbol is opened") {
  TaskRows op = task_of(TaskKind::reverse, 3, 4);
  const Tensor step({1, 1, 1}, {5});
  const Tensor input = reference_of(op, {step});
  CHECK(input.shape() == Shape{1, 12, 1});
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(input.values()[3 * row + i] == static_cast<float>(task_row(op, 5, row, {}).input[i]));
  check_opened(op, {step});
  op.part = TaskRows::target;
  check_opened(op, {step});
  const std::vector<Shape> shapes{{1, 1, 1}};
  CHECK(backward(op, shapes, input.shape()).missing == "symbols are drawn, and a loss cannot move them");
}

TEST_CASE("tasks that cannot be drawn are refused") {
  CHECK(why_refused(task_of(TaskKind::copy, 4, 257), {{1, 1, 1}}) == "at most 256 symbols are drawn");
  CHECK(why_refused(task_of(TaskKind::recall, 2, 9), {{1, 1, 1}}) ==
        "recall needs 3 places and 4 symbols at least: a key, its value, and the key again");
  CHECK(why_refused(task_of(TaskKind::dates, 9, 14), {{1, 1, 1}}) ==
        "dates are 11 of 31 symbols, and have 10 answers");
  CHECK(why_refused(task_of(TaskKind::copy, 4, 9), {{1, 2, 1}}) == "a step of 2×1 is not one number");
  CHECK(why_refused(task_of(TaskKind::table, 1, 9), {{1, 1, 1}, {1, 5, 3}}) ==
        "a table of 5×3 has no 0 rows of 1 symbols and 1 answers");
}
