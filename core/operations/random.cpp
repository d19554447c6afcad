// Products of random vectors: which numbers they are, and how one product is explained.
#include "core/operations/random.h"

#include <cassert>
#include <cmath>

#include "core/operations/family.h"
#include "core/system/error.h"
#include "core/tensor/philox.h"

namespace attn {

std::array<double, 4> random_block(std::uint64_t seed, std::size_t block, std::size_t row,
                                   std::size_t vector) {
  return philox_normals(philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(row),
                                static_cast<std::uint32_t>(vector), 0},
                               {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}));
}

std::vector<double> random_vector(const RandomProducts& op, std::size_t row, std::size_t vector) {
  std::vector<double> numbers;
  numbers.reserve(op.count);
  for (std::size_t i = op.first; i < op.first + op.count;) {
    const auto block = random_block(op.seed, i / 4, row, vector);
    do numbers.push_back(block[i % 4]);
    while (++i % 4 != 0 && i < op.first + op.count);
  }
  return numbers;
}

Shape result_shape(const RandomProducts& op, Shapes inputs) {  // throws Error beyond kMostDimensions
  if (op.count > RandomProducts::kMostDimensions)
    throw Error("at most " + std::to_string(RandomProducts::kMostDimensions) +
                " dimensions are multiplied at once, not " + std::to_string(op.count));
  assert(inputs.empty() || inputs[0] == (Shape{1, op.rows, op.keys}));
  return {1, op.rows, op.keys};
}

Explanation explain(const RandomProducts& op, Inputs inputs, Cell cell) {
  const std::vector<double> q = random_vector(op, cell.row, 0),
                            k = random_vector(op, cell.row, 1 + cell.column);
  std::vector<Term> terms;
  if (!inputs.empty()) {
    const Operand before = operand(inputs, 0, cell);
    terms.push_back({.operands = {before}, .value = before.value, .named_by = 0});
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    const std::string at = in_brackets(op.first + i);
    terms.push_back({.operands = {constant(q[i], "q" + at), constant(k[i], "k" + at)}, .value = q[i] * k[i]});
  }
  return sum_of("Σ q·k over dimensions " + std::to_string(op.first) + " to " +
                    std::to_string(op.first + op.count - 1) + ", each from N(0, 1)",
                std::move(terms));
}

Regions reach(const RandomProducts&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

Traits traits(const RandomProducts& op, Shapes, const Shape& result) {
  return {.multiply_adds =
              10 * static_cast<double>(op.count) * (size_of(result) + static_cast<double>(op.rows))};
}

// Products of d normals are as large as √d.
double size_of_terms(const RandomProducts& op, Inputs) {
  return std::sqrt(static_cast<double>(op.first + op.count));
}

RowReads cut(RandomProducts&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const RandomProducts&, Shapes, const Shape&) {
  return no_way_back(kIsMeasure);
}

template struct Family<RandomProducts>;

}  // namespace attn
