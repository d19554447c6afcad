// Rows of tasks as the host draws them.
#include "core/operations/task_rows.h"

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const TaskRows& op, TensorsOf<T> inputs) {
  const auto step = static_cast<std::size_t>(inputs[0][{0, 0, 0}]);
  std::vector<float> table;
  if (inputs.size() > 1)
    for (const T x : inputs[1].values()) table.push_back(static_cast<float>(x));
  std::vector<T> values;
  for (std::size_t row = 0; row < op.rows; ++row) {
    const TaskRow drawn = task_row(op, step, row, table);
    for (const std::int32_t symbol : op.part == TaskRows::input ? drawn.input : drawn.target)
      values.push_back(static_cast<T>(symbol));
  }
  return {{1, values.size(), 1}, std::move(values)};
}

template struct Reference<TaskRows>;

}  // namespace attn::reference
