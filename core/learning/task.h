// The tasks that small models learn, as values: what goes in, what is asked for, and what the best could be
// that knows no positions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/operations/task_rows.h"

namespace attn {

enum class TrainingTaskKind { copy, reverse, sort, recall, induction, dates, modular, own };

// How a model meets its task: an encoder gives each place its answer, a causal one what follows it, and a
// decoder writes what an encoder has read.
enum class TrainingSides { encoder, causal, both };

// What a decoder reads: blank slots, one for each answer, or what has been written so far: the start symbol
// and the answers before, the right ones while it learns.
enum class TrainingDecoder { slots, written };

struct TrainingTaskText {
  TrainingTaskKind kind;
  std::string_view word;  // of the command line
  std::string_view title;
  std::string_view learns;  // what is to be learnt
  std::string_view scored;  // which places are asked
  TrainingSides sides;
};
extern const std::array<TrainingTaskText, 8> kTrainingTasks;
const TrainingTaskText& task_text(TrainingTaskKind kind);

// Pairs of texts, symbols by their numbers, filled up with the pad symbol, which is the last.
struct OwnPairs {
  std::vector<std::string> symbols;  // without the pad
  bool words = false;                // a symbol is a word, not a character
  std::size_t length = 0;            // of the longest text of either side
  std::vector<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>> pairs;
  bool operator==(const OwnPairs&) const = default;
};

struct TrainingTask {
  TrainingTaskKind kind = TrainingTaskKind::copy;
  std::size_t length = 8, symbols = 10;  // of a sequence; not of dates, modular and own
  std::size_t modulus = 59;
  double train_share = 1;  // of all pairs of modular and own; what is not trained on is held out
  OwnPairs own = {};
  bool operator==(const TrainingTask&) const = default;
};

// Of the model that learns it.
std::size_t length_of(const TrainingTask& task);   // places of a sequence
std::size_t answers_of(const TrainingTask& task);  // of dates fewer, of others as many
std::size_t symbols_of(const TrainingTask& task);  // what goes in, and what may be answered
std::vector<std::string> symbol_labels(const TrainingTask& task);

// Why so many own pairs, of so many symbols, the longest text of that length, are not learnt; empty: they
// are.
std::string own_refusal(std::size_t pairs, std::size_t symbols, std::size_t length);
// What cannot be learnt, and why: empty where it can. In words that say what to change.
std::string task_refusal(const TrainingTask& task);

// All pairs of a task that has a table, those that are trained on first, in an order drawn by the seed; empty
// of others.
Tensor table_of(const TrainingTask& task, std::uint64_t seed);
// What draws a batch of so many rows.
TaskRows rows_of(const TrainingTask& task, std::uint64_t seed, std::size_t rows, TaskRows::Part part);

// What no model without positions can be better than: a permuted input permutes an encoder's output, and
// leaves what a decoder reads of it as it is.
struct TrainingBound {
  double loss = 0, accuracy = 1;
};
// None where the task needs no position, or a causal mask tells it. Exact: of symbols that are drawn by
// themselves from the distribution of their counts, of dates and own pairs over all of them, which takes
// tenths of a second: keep it. `decoder`: of tasks that have one; what is written so far is known to it.
std::optional<TrainingBound> bound_without_positions(const TrainingTask& task, TrainingDecoder decoder);

// A row of a task with its probability.
struct WeighedRow {
  double probability = 0;
  std::vector<std::int32_t> input, target;  // −1: not asked
};
// The same of any rows: by what an output may know, which is the bag of what went in and, of an encoder, the
// symbol of its own place; or, of a decoder, all answers before its own, as many in each row.
TrainingBound bound_of_bags(const std::vector<WeighedRow>& rows, bool own_symbol);
TrainingBound bound_of_written(std::vector<WeighedRow> rows);
// The same of dates of so many years, up to 9999; all years are as likely, the days of a month, and the
// months.
TrainingBound bound_of_dates(std::size_t first_year, std::size_t years, TrainingDecoder decoder);

// Pairs from text: a line each, the two sides apart by a tab, or " = " or " -> ". Symbols are characters, or
// words where some side has a space. Throws Error naming the line, or saying what is too much: texts are
// filled up to the longest, which a short text of pairs can make large.
OwnPairs pairs_of_text(std::string_view text);

}  // namespace attn
