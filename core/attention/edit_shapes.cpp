// Rearranging the rows, columns and matrices of a tensor.
#include "core/attention/edit_shapes.h"

#include <algorithm>

#include "core/attention/pipeline.h"
#include "core/edit.h"
#include "core/limits.h"
#include "core/random.h"

namespace attn {

Order resized(std::size_t old_count, std::size_t count) {
  Order order(count);
  for (std::size_t i = 0; i < std::min(old_count, count); ++i) order[i] = i;
  return order;
}

Order places_of(const Order& order, std::size_t old_count) {
  Order places(old_count);
  for (std::size_t i = order.size(); i-- > 0;)
    if (order[i]) places[*order[i]] = i;
  return places;
}

Tensor rearranged(const Tensor& tensor, const Rearrangement& r) {
  if (tensor.empty()) return tensor;
  const Shape old = tensor.shape();
  const Order same_matrices = resized(old.stack, old.stack), same_rows = resized(old.rows, old.rows);
  const Order same_columns = resized(old.columns, old.columns);
  const Order& matrices = r.matrices ? *r.matrices : same_matrices;
  const Order& rows = r.rows ? *r.rows : same_rows;
  const Order& columns = r.columns ? *r.columns : same_columns;
  check_number_count(matrices.size() * rows.size() * columns.size());
  std::vector<float> values;
  values.reserve(matrices.size() * rows.size() * columns.size());
  for (const auto& matrix : matrices)
    for (const auto& row : rows)
      for (const auto& column : columns)
        if (matrix && row && column)
          values.push_back(tensor[{*matrix, *row, *column}]);
        else
          values.push_back(r.sd == 0 ? 0.0f : r.sd * random_normal(r.seed, values.size()));
  return {{matrices.size(), rows.size(), columns.size()}, std::move(values)};
}

void settle(Document& document, Document changed) {
  settle_overrides(changed, kPipelinePlan);
  check_limits(changed);
  document = std::move(changed);
}

}  // namespace attn
