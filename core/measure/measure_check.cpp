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

// Whether a row of the result reads the same row of this input, and none but it.
bool by_rows(const Operation& operation, Shapes inputs, Shape result, std::size_t input) {
  const std::size_t rows = inputs[input].rows;
  if (rows != result.rows) return false;
  for (const std::size_t row : {std::size_t{0}, rows - 1})
    for (const Region& region : reach(operation, inputs, input, {0, row, 0}))
      if (region.begin.row != row || region.end.row != row + 1) return false;
  return true;
}

// These rows of every matrix.
Tensor rows_of(const Tensor& x, const std::vector<std::size_t>& rows) {
  std::vector<float> values;
  for (std::size_t head = 0; head < x.stack(); ++head)
    for (const std::size_t row : rows) {
      const auto cells = x.values().subspan(x.index({head, row, 0}), x.columns());
      values.insert(values.end(), cells.begin(), cells.end());
    }
  return {{x.stack(), rows.size(), x.columns()}, std::move(values)};
}

// What the reference makes of a graph, in some rows. Of operations whose rows know their place all inputs
// have to be given. None: it would take too long.
class FewRows {
 public:
  FewRows(const Graph& graph, const std::vector<std::size_t>& rows) : graph_(graph), rows_(rows) {}

  std::optional<Tensor> rows(StageIndex index) const {
    const Stage& stage = graph_.stages[index];
    if (const Tensor* given = given_tensor(stage.operation)) return rows_of(*given, rows_);
    const auto is_given = [&](StageIndex input) { return graph_.stages[input].given(); };
    if (std::ranges::all_of(stage.inputs, is_given)) return rows_of_given(stage);
    const std::vector<Shape> shapes = graph_.input_shapes(stage);
    std::vector<Tensor> inputs;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const bool few = by_rows(stage.operation, shapes, stage.shape, i);
      const auto input = few ? rows(stage.inputs[i]) : whole(stage.inputs[i]);
      if (!input) return std::nullopt;
      inputs.push_back(*input);
    }
    return reference_->run(stage.operation, inputs);
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

  Tensor rows_of_given(const Stage& stage) const {
    std::vector<Tensor> inputs;
    for (const StageIndex input : stage.inputs)
      inputs.push_back(*given_tensor(graph_.stages[input].operation));
    std::vector<std::size_t> flat;
    for (std::size_t head = 0; head < stage.shape.stack; ++head)
      for (const std::size_t row : rows_) flat.push_back(head * stage.shape.rows + row);
    const Tensor all = run_rows(stage.operation, inputs, flat);
    return {{stage.shape.stack, rows_.size(), all.columns()}, {all.values().begin(), all.values().end()}};
  }

  const Graph& graph_;
  const std::vector<std::size_t>& rows_;
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
  const std::set<std::size_t> chosen{0, stage.shape.rows / 2, stage.shape.rows - 1};
  const std::vector<std::size_t> rows(chosen.begin(), chosen.end());
  const auto right = FewRows(graph, rows).rows(last);
  if (!right) return;
  const std::size_t columns = stage.shape.columns;
  for (std::size_t head = 0; head < stage.shape.stack; ++head)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto reference = right->values().subspan(right->index({head, i, 0}), columns);
      const Tensor row = program.read(last, {{head, rows[i], 0}, {head + 1, rows[i] + 1, columns}});
      double largest = 1;
      for (const float v : reference) largest = std::max(largest, std::abs(static_cast<double>(v)));
      for (std::size_t j = 0; j < columns; ++j)
        if (!(distance(row.values()[j], reference[j]) <= kAccepted * largest))
          throw_wrong_number(backend.name(), what + ", " + stage.id, stage.shape, {head, rows[i], j},
                             row.values()[j], reference[j]);
    }
}

}  // namespace attn
