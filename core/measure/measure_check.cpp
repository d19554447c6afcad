// A few rows cost the reference little: of what comes before them it computes the rows that they read, where
// operations work row by row.
#include "core/measure/measure_check.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/checks/comparison.h"
#include "core/checks/wrong_number.h"
#include "core/reference/backend.h"

namespace attn {
namespace {

// Of the largest number of a row: sums of many terms in float lie well within, a wrong tile does not.
constexpr double kAccepted = 2e-5;
constexpr double kMostOperations = 5e8;  // of the reference, for a matrix that a row needs whole

// This row of every matrix.
Tensor row_of(const Tensor& x, std::size_t row) {
  std::vector<float> values;
  for (std::size_t head = 0; head < x.stack(); ++head) {
    const auto cells = x.values().subspan(x.index({head, row, 0}), x.columns());
    values.insert(values.end(), cells.begin(), cells.end());
  }
  return {{x.stack(), 1, x.columns()}, std::move(values)};
}

// What the reference makes of a graph, in some rows.
class FewRows {
 public:
  explicit FewRows(const Graph& graph) : graph_(graph) {}

  // None: it would take too long.
  std::optional<Tensor> row(StageIndex index, std::size_t row) const {
    const Stage& stage = graph_.stages[index];
    if (const Tensor* given = given_tensor(stage.operation)) return row_of(*given, row);
    const auto is_given = [&](StageIndex input) { return graph_.stages[input].given(); };
    if (std::ranges::all_of(stage.inputs, is_given)) return row_of_given(stage, row);
    const auto part = cut(stage.operation, graph_.input_shapes(stage), {row, 1});
    if (!part) {
      const auto all = whole(index);
      return all ? std::optional(row_of(*all, row)) : std::nullopt;
    }
    std::vector<Tensor> inputs;
    for (std::size_t i = 0; i < stage.inputs.size(); ++i) {
      const bool same = part->reads[i] == RowsRead::same;
      const auto input = same ? this->row(stage.inputs[i], row) : whole(stage.inputs[i]);
      if (!input) return std::nullopt;
      inputs.push_back(*input);
    }
    return reference_->run(part->operation, inputs);
  }

 private:
  std::optional<Tensor> whole(StageIndex index) const {
    const Stage& stage = graph_.stages[index];
    if (const Tensor* given = given_tensor(stage.operation)) return *given;
    if (operation_count(graph_, index) > kMostOperations) return std::nullopt;
    std::vector<Tensor> inputs;
    for (const StageIndex i : stage.inputs) {
      const auto input = whole(i);
      if (!input) return std::nullopt;
      inputs.push_back(*input);
    }
    return reference_->run(stage.operation, inputs);
  }

  Tensor row_of_given(const Stage& stage, std::size_t row) const {
    std::vector<Tensor> inputs;
    for (const StageIndex input : stage.inputs)
      inputs.push_back(*given_tensor(graph_.stages[input].operation));
    std::vector<std::size_t> flat;
    for (std::size_t head = 0; head < stage.shape.stack; ++head)
      flat.push_back(head * stage.shape.rows + row);
    const Tensor all = run_rows(stage.operation, inputs, flat);
    return {{stage.shape.stack, 1, all.columns()}, {all.values().begin(), all.values().end()}};
  }

  const Graph& graph_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

}  // namespace

StageIndex checked_stage(const Graph& graph) {
  return graph.stages.size() - 1;
}

void check_program(const Backend& backend, Program& program, const Graph& graph, const std::string& what) {
  const StageIndex last = checked_stage(graph);
  const Stage& stage = graph.stages[last];
  if (backend.name() == kReference || stage.shape.size() == 0) return;
  const FewRows few(graph);
  const std::size_t columns = stage.shape.columns;
  for (const std::size_t row : std::set<std::size_t>{0, stage.shape.rows / 2, stage.shape.rows - 1}) {
    const auto right = few.row(last, row);
    if (!right) return;
    for (std::size_t head = 0; head < stage.shape.stack; ++head) {
      const auto reference = right->values().subspan(right->index({head, 0, 0}), columns);
      const Tensor ours = program.read(last, {{head, row, 0}, {head + 1, row + 1, columns}});
      double largest = 1;
      for (const float v : reference) largest = std::max(largest, std::abs(static_cast<double>(v)));
      for (std::size_t j = 0; j < columns; ++j)
        if (!(distance(ours.values()[j], reference[j]) <= kAccepted * largest))
          throw_wrong_number(backend.name(), what + ", " + stage.id, stage.shape, {head, row, j},
                             ours.values()[j], reference[j]);
    }
  }
}

}  // namespace attn
