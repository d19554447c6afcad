// Rows of the tasks that models are trained on, drawn by counter: any row of any step can be made again, with
// the same numbers on every machine and device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/operations/traits.h"

namespace attn {

// What is asked of n symbols: the same; the last first; ascending. recall: k₁v₁k₂v₂… and then keys, whose
// values are asked. induction: what comes next in a run of symbols that repeats. dates: a date in one of
// three orders, asked for in ISO's. table: a row of a table, what goes in and what is asked for.
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

// Of dates: digits are themselves, then '-', '.', '/' and ' '.
inline constexpr std::size_t kDateLength = 10, kDateSymbols = 14;
inline constexpr const char* kDateLetters = "0123456789-./ ";

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
