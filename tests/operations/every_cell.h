// Of every cell of a result: that its explanation comes to the number, that just the cells change that an
// input is said to reach, and that rows made alone are those of the whole.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/reference/backend.h"

namespace attn::tests {

inline void check_explained(const Operation& operation, const std::vector<Tensor>& inputs) {
  const Tensor result = make_reference_backend()->run(operation, inputs);
  for (std::size_t i = 0; i < result.values().size(); ++i) {
    const Explanation e = explain(operation, inputs, cell_at(result.shape(), i));
    INFO(name(operation), ", number ", i, ": ", e.rule);
    CHECK(static_cast<float>(e.result) == doctest::Approx(result.values()[i]).epsilon(1e-6));
    double sum = 0;
    for (const Term& term : e.terms) {
      double product = 1;
      for (const Operand& factor : term.operands) product *= factor.value;
      sum += term.value;
      if (term.value != 0) CHECK(product == doctest::Approx(term.value).epsilon(1e-9));
    }
    CHECK(sum == doctest::Approx(e.result).epsilon(1e-9));
  }
}

// Inputs without zeros, so that every number counts.
inline void check_reached(const Operation& operation, std::vector<Tensor64> inputs) {
  std::vector<Shape> shapes;
  for (const Tensor64& input : inputs) shapes.push_back(input.shape());
  const Tensor64 before = run_in_double(operation, inputs);
  for (std::size_t input = 0; input < inputs.size(); ++input)
    for (std::size_t i = 0; i < shapes[input].size(); ++i) {
      const Tensor64 as_it_was = inputs[input];
      std::vector<double> values(as_it_was.values().begin(), as_it_was.values().end());
      values[i] += 0.25;
      inputs[input] = Tensor64(shapes[input], std::move(values));
      const Tensor64 after = run_in_double(operation, inputs);
      inputs[input] = as_it_was;
      const Regions regions = reach(operation, shapes, input, cell_at(shapes[input], i));
      for (std::size_t j = 0; j < before.values().size(); ++j) {
        const Cell cell = cell_at(before.shape(), j);
        const bool reached = std::ranges::any_of(regions, [&](const Region& r) { return r.contains(cell); });
        INFO(name(operation), ", number ", i, " of input ", input, ", number ", j, " of the result");
        CHECK((before.values()[j] != after.values()[j]) == reached);
      }
    }
}

inline Tensor64 rows_of(const Tensor64& x, const RowRange& rows) {
  std::vector<double> values;
  for (std::size_t i = 0; i < x.values().size(); ++i)
    if (const std::size_t row = cell_at(x.shape(), i).row; row - rows.first < rows.count)
      values.push_back(x.values()[i]);
  return {{x.stack(), rows.count, x.columns()}, std::move(values)};
}

inline void check_cut(const Operation& operation, const std::vector<Tensor64>& inputs, const RowRange& rows) {
  std::vector<Shape> shapes;
  for (const Tensor64& input : inputs) shapes.push_back(input.shape());
  const auto by_rows = cut(operation, shapes, rows);
  REQUIRE(by_rows);
  std::vector<Tensor64> some;
  for (std::size_t input = 0; input < inputs.size(); ++input)
    some.push_back(by_rows->reads.at(input) == RowsRead::all ? inputs[input] : rows_of(inputs[input], rows));
  CHECK(run_in_double(by_rows->operation, some) == rows_of(run_in_double(operation, inputs), rows));
}

}  // namespace attn::tests
