#include "core/attention/edit_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {

Order resized(std::size_t old_count, std::size_t count) {
  Order order(count);
  for (std::size_t i = 0; i < std::min(old_count, count); ++i) order[i] = i;
  return order;
}

std::optional<std::size_t> went_to(const Order& order, std::size_t old) {
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] == old) return i;
  return std::nullopt;
}

float place_normal(std::uint64_t seed, std::uint64_t place) {
  // Box and Muller (1958) over two uniform numbers of dropout's counter-based generator.
  const auto uniform = [&](std::uint64_t e) { return (dropout_bits(seed, e) + 0.5) / 0x1000000; };
  const double radius = std::sqrt(-2 * std::log(uniform(2 * place)));
  return static_cast<float>(radius * std::cos(2 * std::numbers::pi * uniform(2 * place + 1)));
}

Tensor rearranged(const Tensor& tensor, const Rearrangement& r) {
  if (tensor.empty()) return tensor;
  const Shape old = tensor.shape();
  const Order same_matrices = resized(old.stack, old.stack), same_rows = resized(old.rows, old.rows);
  const Order same_columns = resized(old.columns, old.columns);
  const Order& matrices = r.matrices ? *r.matrices : same_matrices;
  const Order& rows = r.rows ? *r.rows : same_rows;
  const Order& columns = r.columns ? *r.columns : same_columns;
  std::vector<float> values;
  values.reserve(matrices.size() * rows.size() * columns.size());
  for (const auto& matrix : matrices)
    for (const auto& row : rows)
      for (const auto& column : columns)
        if (matrix && row && column)
          values.push_back(tensor[{*matrix, *row, *column}]);
        else
          values.push_back(r.sd == 0 ? 0.0f : r.sd * place_normal(r.seed, values.size()));
  return {{matrices.size(), rows.size(), columns.size()}, std::move(values)};
}

void settle(LayerSpec& layer) {
  LayerSpec plain = layer;
  plain.overrides.clear();
  const Graph graph = build_graph(plain);
  std::erase_if(layer.overrides, [&](const StageOverride& o) {
    const auto stage = graph.find(o.stage);
    if (!stage) return true;
    const Shape s = graph.stages[*stage].shape;
    const Cell c = o.value.cell;
    return c.head >= s.stack || c.row >= s.rows || c.column >= s.columns;
  });
}

}  // namespace attn
