// Rows of tasks: how each is drawn, and what is said of a symbol. shaders/task_rows.cl draws the same.
#include "core/operations/task_rows.h"

#include <algorithm>
#include <numeric>

#include "core/operations/family.h"
#include "core/system/error.h"
#include "core/tensor/philox.h"

namespace attn {
namespace {

constexpr std::int32_t kNothing = -1;  // is asked

// The words of a row, in any order.
struct RowWords {
  std::uint64_t seed;
  std::uint32_t step, row;

  std::uint32_t at(std::size_t k) const {
    return philox({static_cast<std::uint32_t>(k / 4), row, step, 0},
                  {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)})[k % 4];
  }
  std::size_t below(std::size_t k, std::size_t n) const {
    return static_cast<std::size_t>((std::uint64_t{at(k)} * n) >> 32);
  }
};

// The first `count` of the numbers below `n` in an order that the words from `from` on draw.
std::vector<std::int32_t> drawn_without(const RowWords& words, std::size_t from, std::size_t count,
                                        std::size_t n) {
  std::vector<std::int32_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + words.below(from + i, n - i)]);
  all.resize(count);
  return all;
}

void draw_symbols(const TaskRows& op, const RowWords& words, TaskRow& to) {
  for (std::size_t i = 0; i < op.length; ++i)
    to.input[i] = static_cast<std::int32_t>(words.below(i, op.symbols));
  to.target = to.input;
  if (op.kind == TaskKind::reverse) std::ranges::reverse(to.target);
  if (op.kind == TaskKind::sort) std::ranges::sort(to.target);
}

void draw_recall(const TaskRows& op, const RowWords& words, TaskRow& to) {
  const std::size_t pairs = recall_pairs(op.length, op.symbols), keys = op.symbols / 2;
  const auto drawn = drawn_without(words, 0, pairs, keys);
  for (std::size_t i = 0; i < pairs; ++i) {
    to.input[2 * i] = drawn[i];
    to.input[2 * i + 1] = static_cast<std::int32_t>(keys + words.below(pairs + i, op.symbols - keys));
  }
  for (std::size_t i = 2 * pairs; i < op.length; ++i) {
    const std::size_t pair = words.below(i, pairs);
    to.input[i] = to.input[2 * pair], to.target[i] = to.input[2 * pair + 1];
  }
}

void draw_induction(const TaskRows& op, const RowWords& words, TaskRow& to) {
  const Periods of = induction_periods(op.length, op.symbols);
  const std::size_t period = of.least + words.below(0, of.most - of.least + 1);
  const auto run = drawn_without(words, 1, period, op.symbols);
  for (std::size_t i = 0; i < op.length; ++i) {
    to.input[i] = run[i % period];
    if (i >= period) to.target[i] = run[(i + 1) % period];
  }
}

void put_number(std::int32_t* to, std::size_t value, std::size_t digits) {
  for (std::size_t i = digits; i-- > 0; value /= 10) to[i] = static_cast<std::int32_t>(value % 10);
}

// Three written orders: 12·mar·1987, mar·12·1987 and 1987·mar·12.
void draw_date(const RowWords& words, TaskRow& to) {
  const std::size_t year = 1000 + words.below(0, 9000), month = 1 + words.below(1, 12);
  const std::size_t day = 1 + words.below(2, days_of_month(month, year));
  const DatePlaces& places = kDateOrders[words.below(3, kDateOrders.size())];
  std::int32_t* in = to.input.data();
  put_number(in + places.day, day, 2), put_number(in + places.year, year, 4);
  for (std::size_t i = 0; i < kMonthLetters; ++i)
    in[places.month + i] = date_symbol(kMonthNames[kMonthLetters * (month - 1) + i]);
  for (const std::size_t place : places.between) in[place] = date_symbol(U'·');
  std::int32_t* out = to.target.data();
  put_number(out, year, 4), put_number(out + 5, month, 2), put_number(out + 8, day, 2);
  out[4] = out[7] = date_symbol(U'-');
}

void take_row(const TaskRows& op, const RowWords& words, bool held_out, std::span<const float> table,
              TaskRow& to) {
  const std::size_t width = op.length + op.answers, all = table.size() / width;
  const bool others = held_out && op.trained < all;
  const std::size_t first = others ? op.trained : 0, count = others ? all - op.trained : op.trained;
  const auto row = table.subspan((first + words.below(0, count)) * width, width);
  for (std::size_t i = 0; i < op.length; ++i) to.input[i] = static_cast<std::int32_t>(row[i]);
  for (std::size_t i = 0; i < op.answers; ++i) to.target[i] = static_cast<std::int32_t>(row[op.length + i]);
}

std::string why_impossible(const TaskRows& op) {
  const bool dates = op.kind == TaskKind::dates;
  const bool one_for_one = op.kind != TaskKind::table && !dates;
  if (op.rows == 0 || op.length == 0 || op.answers == 0 || op.symbols == 0)
    return "a batch needs rows, and rows need symbols";
  if (one_for_one && op.answers != op.length) return "each symbol has one answer";
  if (one_for_one && op.symbols > TaskRows::kMostSymbols)
    return "at most " + std::to_string(TaskRows::kMostSymbols) + " symbols are drawn";
  if (dates && (op.length != kDateLength || op.answers != kDateAnswers || op.symbols != kDateSymbols))
    return "dates are 11 of 31 symbols, and have 10 answers";
  if (op.kind == TaskKind::recall && (op.length < 3 || op.symbols < 4))
    return "recall needs 3 places and 4 symbols at least: a key, its value, and the key again";
  if (op.kind == TaskKind::induction && (op.length < 4 || op.symbols < 3))
    return "induction needs 4 places and 3 symbols at least: a run, and its beginning again";
  return {};
}

}  // namespace

std::size_t days_of_month(std::size_t month, std::size_t year) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

std::size_t recall_pairs(std::size_t length, std::size_t symbols) {
  return std::max<std::size_t>(1, std::min(length / 3, symbols / 2));
}

Periods induction_periods(std::size_t length, std::size_t symbols) {
  const std::size_t most = std::min({std::size_t{16}, symbols, length / 2});
  return {std::min<std::size_t>(6, most), most};
}

TaskRow task_row(const TaskRows& op, std::size_t step, std::size_t row, std::span<const float> table) {
  TaskRow to{std::vector<std::int32_t>(op.length), std::vector<std::int32_t>(op.answers, kNothing)};
  const RowWords words{op.seed, static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(row)};
  switch (op.kind) {
    case TaskKind::copy:
    case TaskKind::reverse:
    case TaskKind::sort:
      draw_symbols(op, words, to);
      break;
    case TaskKind::recall:
      draw_recall(op, words, to);
      break;
    case TaskKind::induction:
      draw_induction(op, words, to);
      break;
    case TaskKind::dates:
      draw_date(words, to);
      break;
    case TaskKind::table:
      take_row(op, words, step >= TaskRows::kHeldOut, table, to);
      break;
  }
  return to;
}

Shape result_shape(const TaskRows& op, Shapes inputs) {
  if (const std::string why = why_impossible(op); !why.empty()) throw Error(why);
  if (inputs[0] != Shape{1, 1, 1}) throw Error("a step of " + to_string(inputs[0]) + " is not one number");
  if (op.kind == TaskKind::table) {
    const Shape table = inputs[1];
    if (table.stack != 1 || table.columns != op.length + op.answers || op.trained == 0 ||
        op.trained > table.rows)
      throw Error("a table of " + to_string(table) + " has no " + std::to_string(op.trained) + " rows of " +
                  std::to_string(op.length) + " symbols and " + std::to_string(op.answers) + " answers");
  }
  return {1, op.rows * (op.part == TaskRows::input ? op.length : op.answers), 1};
}

Explanation explain(const TaskRows& op, Inputs inputs, Cell cell) {
  const std::size_t length = op.part == TaskRows::input ? op.length : op.answers;
  const TaskRow row = task_row(op, static_cast<std::size_t>(inputs[0][{0, 0, 0}]), cell.row / length,
                               inputs.size() > 1 ? inputs[1].values() : std::span<const float>());
  const auto& symbols = op.part == TaskRows::input ? row.input : row.target;
  const auto symbol = static_cast<double>(symbols[cell.row % length]);
  return only("drawn by the seed, the step and the row " + std::to_string(cell.row / length),
              {.operands = {constant(symbol, "drawn")}, .value = symbol});
}

Regions reach(const TaskRows& op, Shapes, std::size_t, Cell) {
  return {{0, 0, 0}, {1, op.rows * (op.part == TaskRows::input ? op.length : op.answers), 1}};
}

Traits traits(const TaskRows&, Shapes, const Shape& result) {
  return {.multiply_adds = 50 * size_of(result), .counted = 0, .made_from_seed = true};
}

RowReads cut(TaskRows&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const TaskRows&, Shapes, const Shape&) {
  return no_way_back("symbols are drawn, and a loss cannot move them");
}

template struct Family<TaskRows>;

}  // namespace attn
