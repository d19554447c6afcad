// Rows of the tasks that models are trained on, drawn by counter: any row of any step can be made again, with
// the same numbers on every machine and device.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/operations/traits.h"

namespace attn {

// What is asked of n symbols: the same; the last first; ascending. recall: k₁v₁k₂v₂… and then keys, whose
// values are asked. induction: what comes next in a run of symbols that repeats. dates: a date of the years
// 1000 to 9999 in one of three orders, asked for in ISO's. table: a row of a table, what goes in and what is
// asked for.
enum class TaskKind { copy, reverse, sort, recall, induction, dates, table };

// Symbols of `rows` rows, sequence after sequence: 1×(rows·length)×1 of what goes in, or 1×(rows·answers)×1
// of what is asked for, −1 where nothing is. Inputs: the number of the step, 1×1×1; of `table` the table,
// 1×P×(length + answers), −1 in its answers where nothing is asked.
//
// Word k of row r at step s is word k modulo 4 of the Philox block of key `seed` (lower word first) and
// counter {k div 4, r, s, 0}; a choice among n is the upper half of word·n. Steps from kHeldOut on are held
// out: of a table they draw among the rows from `trained` on.
struct TaskRows {
  enum Part { input, target };
  static constexpr const char* kName = "task_rows";
  static constexpr std::size_t kHeldOut = std::size_t{1} << 23;
  static constexpr std::size_t kMostSymbols = 256;  // of tasks without a table
  TaskKind kind = TaskKind::copy;
  Part part = input;
  std::uint64_t seed = 0;
  std::size_t rows = 1, length = 1, answers = 1, symbols = 1;
  std::size_t trained = 0;  // rows of the table, from the first on
  bool operator==(const TaskRows&) const = default;
};

// Of dates, 12·mar·1987 and 1987-03-12: digits are themselves, then what stands between, and the letters of
// the months.
inline constexpr std::u32string_view kDateLetters = U"0123456789-·abcdefgjlmnoprstuvy";
inline constexpr std::size_t kDateLength = 11, kDateAnswers = 10, kDateSymbols = kDateLetters.size();
inline constexpr std::u32string_view kMonthNames = U"janfebmaraprmayjunjulaugsepoctnovdec";
inline constexpr std::size_t kMonthLetters = 3;
// The symbol of a letter.
constexpr std::int32_t date_symbol(char32_t letter) {
  return static_cast<std::int32_t>(kDateLetters.find(letter));
}

// Of the Gregorian calendar; months from 1 on.
std::size_t days_of_month(std::size_t month, std::size_t year);

// Where a date's parts begin in each of three orders, and what stands between them.
struct DatePlaces {
  std::size_t day, month, year;
  std::array<std::size_t, 2> between;
};
inline constexpr std::array<DatePlaces, 3> kDateOrders{
    {{0, 3, 7, {2, 6}}, {4, 0, 7, {3, 6}}, {9, 5, 0, {4, 8}}}};

// Of recall: how many pairs stand before the keys that are asked for.
std::size_t recall_pairs(std::size_t length, std::size_t symbols);
// Of induction: the shortest and the longest run.
struct Periods {
  std::size_t least = 6, most = 16;
};
Periods induction_periods(std::size_t length, std::size_t symbols);

// What is drawn of row `row` at a step: `length` symbols, and `answers` of what is asked for.
struct TaskRow {
  std::vector<std::int32_t> input, target;
};
TaskRow task_row(const TaskRows& op, std::size_t step, std::size_t row, std::span<const float> table);

}  // namespace attn
