// Rows of every task, at its smallest and larger sizes, at the first step, later ones and those held out:
// they must agree bit for bit.
#include "core/operations/task_rows.h"

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

struct TaskSize {
  TaskKind kind;
  std::size_t length, symbols;
};

std::vector<TaskSize> task_sizes(Scope scope) {
  std::vector<TaskSize> all{{TaskKind::copy, 8, 10},       {TaskKind::reverse, 7, 10},
                            {TaskKind::sort, 9, 6},        {TaskKind::recall, 16, 12},
                            {TaskKind::induction, 32, 20}, {TaskKind::dates, kDateLength, kDateSymbols}};
  if (scope == Scope::comparison)
    all.insert(all.end(), {{TaskKind::copy, 1, 1},
                           {TaskKind::reverse, 40, 256},
                           {TaskKind::sort, 70, 256},
                           {TaskKind::recall, 3, 4},
                           {TaskKind::recall, 50, 7},
                           {TaskKind::induction, 4, 3},
                           {TaskKind::induction, 65, 256}});
  return all;
}

Tensor drawn_at(std::size_t step) {
  return {{1, 1, 1}, {static_cast<float>(step)}};
}

// 9 rows of 3 symbols and 2 answers, of which one is not asked.
Tensor small_table() {
  std::vector<float> values;
  for (std::size_t row = 0; row < 9; ++row)
    for (std::size_t i = 0; i < 5; ++i) values.push_back(i == 3 ? -1.0f : static_cast<float>(10 * row + i));
  return {{1, 9, 5}, std::move(values)};
}

std::vector<Case> task_cases(Scope scope) {
  std::vector<Case> cases;
  const std::size_t rows = scope == Scope::long_grids ? 16500 : scope == Scope::benchmark ? 1024 : 5;
  for (const auto part : {TaskRows::input, TaskRows::target}) {
    const std::string word = part == TaskRows::input ? ", what goes in" : ", what is asked";
    for (const std::size_t step : {std::size_t{0}, std::size_t{4321}, TaskRows::kHeldOut + 3}) {
      for (const TaskSize& s : task_sizes(scope))
        cases.push_back({"task " + std::to_string(static_cast<int>(s.kind)) + ", " +
                             std::to_string(s.length) + " of " + std::to_string(s.symbols) + " at " +
                             std::to_string(step) + word,
                         TaskRows{s.kind, part, 0xFEDCBA9876543210u, rows, s.length,
                                  s.kind == TaskKind::dates ? kDateAnswers : s.length, s.symbols, 0},
                         {drawn_at(step)}});
      for (const std::size_t trained : {std::size_t{6}, std::size_t{9}})
        cases.push_back(
            {"table of 9, " + std::to_string(trained) + " trained, at " + std::to_string(step) + word,
             TaskRows{TaskKind::table, part, 7, rows, 3, 2, 95, trained},
             {drawn_at(step), small_table()}});
    }
  }
  return cases;
}

}  // namespace

Declaration declared(Of<TaskRows>) {
  return {TaskRows::kName, task_cases, exact};
}

template Declaration declaration<TaskRows>();

}  // namespace attn::opencl
