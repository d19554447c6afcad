// Rearranging the rows, columns and matrices of a tensor.
#include "core/edits/edit_shapes.h"

#include <algorithm>

#include "core/attention/scoring_parameters.h"
#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/document/limits.h"
#include "core/document/stack_plan.h"
#include "core/tensor/random.h"

namespace attn {
namespace {

// Another for each cell: no document has as many rows or columns as the factors.
std::uint64_t number_of(Cell cell) {
  return (cell.head << 48) + (cell.row << 24) + cell.column;
}

}  // namespace

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
  for (std::size_t m = 0; m < matrices.size(); ++m)
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j)
        if (matrices[m] && rows[i] && columns[j])
          values.push_back(tensor[{*matrices[m], *rows[i], *columns[j]}]);
        else
          values.push_back(r.sd == 0 ? r.fill : r.sd * random_normal(r.seed, number_of({m, i, j})));
  return {{matrices.size(), rows.size(), columns.size()}, std::move(values)};
}

void settle(LayerAt in, Document changed) {
  resize_score_parameters(changed.layer(in.address));
  const bool own = in.address.home == LayerHome::layers;  // else it is the stack's, and has no X of its own
  settle_overrides(changed, own ? kLayerPlan : kStackPlan, own ? in.address : kLayerA);
  check_limits(changed);
  in.document = std::move(changed);
}

}  // namespace attn
