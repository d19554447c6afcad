// Which tasks there are, their sizes and tables.
#include "core/learning/task.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/tensor/random.h"
#include "core/text/code_points.h"

namespace attn {

const std::array<TrainingTaskText, 8> kTrainingTasks{{
    {TrainingTaskKind::copy, "copy", "copy", "to write down what was read, place by place", "every answer",
     TrainingSides::both},
    {TrainingTaskKind::reverse, "reverse", "reverse", "to give each place the symbol of the place opposite",
     "every place", TrainingSides::encoder},
    {TrainingTaskKind::sort, "sort", "sort", "to put the symbols into ascending order", "every place",
     TrainingSides::encoder},
    {TrainingTaskKind::recall, "recall", "recall", "to remember which value stood behind which key",
     "each key that is asked for", TrainingSides::causal},
    {TrainingTaskKind::induction, "induction", "induction",
     "to find where a symbol stood before, and say what followed it there",
     "every place from the run’s second time on", TrainingSides::causal},
    {TrainingTaskKind::dates, "dates", "dates", "to rewrite dates of three orders as year-month-day",
     "every answer", TrainingSides::both},
    {TrainingTaskKind::modular, "modular", "a + b mod p", "to add modulo p from some of all sums",
     "the last place", TrainingSides::causal},
    {TrainingTaskKind::own, "own", "your own", "to turn the first text of each pair into the second",
     "every answer", TrainingSides::both},
}};

const TrainingTaskText& task_text(TrainingTaskKind kind) {
  return kTrainingTasks[static_cast<std::size_t>(kind)];
}

namespace {

constexpr std::size_t kSumLength = 3;  // a, b, =
constexpr std::size_t kMostModulus = 251, kMostPairs = 100'000, kMostLength = 256, kMostOwnSymbols = 4096;
constexpr std::size_t kMostOwnNumbers = std::size_t{1} << 24;

struct TableRows {
  std::size_t all = 0, trained = 0;
};
TableRows table_rows(const TrainingTask& task) {
  const std::size_t all =
      task.kind == TrainingTaskKind::modular ? task.modulus * task.modulus : task.own.pairs.size();
  const double share = std::round(task.train_share * static_cast<double>(all));
  return {all, std::clamp<std::size_t>(static_cast<std::size_t>(share), std::min<std::size_t>(1, all), all)};
}

bool has_table(const TrainingTask& task) {
  return task.kind == TrainingTaskKind::modular || task.kind == TrainingTaskKind::own;
}

// Row `row` of all, in the order of the task.
void append_row(const TrainingTask& task, std::size_t row, std::vector<float>& to) {
  if (task.kind == TrainingTaskKind::modular) {
    const std::size_t a = row / task.modulus, b = row % task.modulus;
    for (const std::size_t symbol : {a, b, task.modulus}) to.push_back(static_cast<float>(symbol));
    to.insert(to.end(), {-1, -1, static_cast<float>((a + b) % task.modulus)});
    return;
  }
  const auto& [input, target] = task.own.pairs[row];
  for (const auto* side : {&input, &target})
    for (const std::int32_t symbol : *side) to.push_back(static_cast<float>(symbol));
}

TaskKind drawn_kind(TrainingTaskKind kind) {
  switch (kind) {
    case TrainingTaskKind::copy:
      return TaskKind::copy;
    case TrainingTaskKind::reverse:
      return TaskKind::reverse;
    case TrainingTaskKind::sort:
      return TaskKind::sort;
    case TrainingTaskKind::recall:
      return TaskKind::recall;
    case TrainingTaskKind::induction:
      return TaskKind::induction;
    case TrainingTaskKind::dates:
      return TaskKind::dates;
    case TrainingTaskKind::modular:
    case TrainingTaskKind::own:
      return TaskKind::table;
  }
  return TaskKind::table;
}

std::string between(const char* what, std::size_t is, std::size_t least, std::size_t most) {
  if (is >= least && is <= most) return {};
  return std::string(what) + " can be from " + std::to_string(least) + " to " + std::to_string(most) +
         ", not " + std::to_string(is);
}

std::string drawn_refusal(const TrainingTask& task) {
  const std::size_t least_length = task.kind == TrainingTaskKind::recall      ? 3
                                   : task.kind == TrainingTaskKind::induction ? 4
                                                                              : 1;
  const std::size_t least_symbols = task.kind == TrainingTaskKind::recall      ? 4
                                    : task.kind == TrainingTaskKind::induction ? 3
                                                                               : 2;
  std::string why = between("a sequence’s length", task.length, least_length, kMostLength);
  if (why.empty())
    why = between("the number of symbols", task.symbols, least_symbols, TaskRows::kMostSymbols);
  return why;
}

}  // namespace

std::size_t length_of(const TrainingTask& task) {
  if (task.kind == TrainingTaskKind::dates) return kDateLength;
  if (task.kind == TrainingTaskKind::modular) return kSumLength;
  return task.kind == TrainingTaskKind::own ? task.own.length : task.length;
}

std::size_t answers_of(const TrainingTask& task) {
  return task.kind == TrainingTaskKind::dates ? kDateAnswers : length_of(task);
}

std::size_t symbols_of(const TrainingTask& task) {
  if (task.kind == TrainingTaskKind::dates) return kDateSymbols;
  if (task.kind == TrainingTaskKind::modular) return task.modulus + 1;
  return task.kind == TrainingTaskKind::own ? task.own.symbols.size() + 1 : task.symbols;
}

std::vector<std::string> symbol_labels(const TrainingTask& task) {
  std::vector<std::string> labels;
  if (task.kind == TrainingTaskKind::dates) {
    for (const char32_t letter : kDateLetters) labels.push_back(utf8_text(letter));
    return labels;
  }
  if (task.kind == TrainingTaskKind::own) {
    labels = task.own.symbols;
    labels.emplace_back("‹pad›");
    return labels;
  }
  for (std::size_t i = 0; i < symbols_of(task); ++i) labels.push_back(std::to_string(i));
  if (task.kind == TrainingTaskKind::modular) labels.back() = "=";
  return labels;
}

std::string own_refusal(std::size_t pairs, std::size_t symbols, std::size_t length) {
  if (pairs > kMostPairs)
    return "there are " + std::to_string(pairs) + " pairs, and at most " + std::to_string(kMostPairs) +
           " are learnt";
  if (symbols > kMostOwnSymbols)
    return "the pairs have " + std::to_string(symbols) + " symbols, and at most " +
           std::to_string(kMostOwnSymbols) + " are learnt";
  if (2 * length * pairs > kMostOwnNumbers)
    return "the pairs have " + std::to_string(2 * length * pairs) +
           " places, filled up to the longest text, and at most " + std::to_string(kMostOwnNumbers) +
           " are learnt: take fewer pairs, or shorter ones";
  return between("the longest text’s length", length, 1, kMostLength);
}

std::string task_refusal(const TrainingTask& task) {
  if (!(task.train_share > 0 && task.train_share <= 1))
    return "the share that is trained on is above 0 and at most 1";
  switch (task.kind) {
    case TrainingTaskKind::dates:
      return {};
    case TrainingTaskKind::modular:
      return between("the modulus", task.modulus, 2, kMostModulus);
    case TrainingTaskKind::own:
      if (task.own.pairs.empty()) return "your own task needs pairs of texts: give a file with --data";
      return own_refusal(task.own.pairs.size(), task.own.symbols.size(), task.own.length);
    default:
      return drawn_refusal(task);
  }
}

Tensor table_of(const TrainingTask& task, std::uint64_t seed) {
  if (!has_table(task)) return {};
  const std::size_t all = table_rows(task).all;
  std::vector<std::size_t> order(all);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i + 1 < all; ++i)
    std::swap(order[i], order[i + (std::size_t{random_bits(seed, i)} * (all - i) >> 24)]);
  std::vector<float> values;
  for (const std::size_t row : order) append_row(task, row, values);
  return {{1, all, values.size() / std::max<std::size_t>(1, all)}, std::move(values)};
}

TaskRows rows_of(const TrainingTask& task, std::uint64_t seed, std::size_t rows, TaskRows::Part part) {
  return {.kind = drawn_kind(task.kind),
          .part = part,
          .seed = seed,
          .rows = rows,
          .length = length_of(task),
          .answers = answers_of(task),
          .symbols = symbols_of(task),
          .trained = has_table(task) ? table_rows(task).trained : 0};
}

}  // namespace attn
