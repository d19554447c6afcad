// The reference: every operation in double, rounded once.
#include "core/reference/backend.h"

#include "core/reference/drill.h"
#include "core/reference/operations.h"
#include "core/reference/row_parts.h"

namespace attn {
namespace {

template <class T>
struct Runner {
  std::span<const BasicTensor<T>> inputs;
  reference::RowChoice rows = {};
  reference::ColumnChoice columns = {};

  BasicTensor<T> operator()(const Source& op) const {
    if constexpr (std::is_same_v<T, float>)
      return op.tensor;
    else
      return to_double(op.tensor);
  }
  template <class Op>
  BasicTensor<T> operator()(const Op& op) const {
    return reference::Reference<Op>::run(op, reference::TensorsOf<T>{inputs, rows, columns});
  }
};

class ReferenceBackend : public Backend {
 public:
  std::string name() const override { return kReference; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
    return std::visit(Runner<float>{inputs}, operation);
  }
  Drill drill(DrillKind kind) override { return reference::make_drill(kind); }
  DeviceFacts facts() const override { return {.version = reference::version()}; }
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend() {
  return std::make_unique<ReferenceBackend>();
}

RowParts run_row_parts(const Operation& operation, Inputs inputs, std::span<const std::size_t> rows,
                       reference::ColumnChoice columns) {
  const Tensor result = std::visit(Runner<float>{inputs, rows, columns}, operation);
  if (columns.count > 0 && result.shape() == Shape{1, rows.size(), columns.count})
    return {columns.first, result};
  if (result.shape() == Shape{1, rows.size(), result.columns()}) return {0, result};
  std::vector<float> values;
  values.reserve(rows.size() * result.columns());
  for (const std::size_t row : rows) {
    const auto numbers = result.values().subspan(row * result.columns(), result.columns());
    values.insert(values.end(), numbers.begin(), numbers.end());
  }
  return {0, {{1, rows.size(), result.columns()}, std::move(values)}};
}

Tensor run_rows(const Operation& operation, Inputs inputs, std::span<const std::size_t> rows) {
  return run_row_parts(operation, inputs, rows, {}).numbers;
}

Tensor64 run_in_double(const Operation& operation, std::span<const Tensor64> inputs) {
  return std::visit(Runner<double>{inputs}, operation);
}

std::vector<Tensor64> evaluate_in_double(const Graph& graph) {
  std::vector<Tensor64> outputs;
  for (const Stage& stage : graph.stages) {
    std::vector<Tensor64> inputs;
    for (const StageIndex input : stage.inputs) inputs.push_back(outputs[input]);
    outputs.push_back(run_in_double(stage.operation, inputs));
  }
  return outputs;
}

}  // namespace attn
