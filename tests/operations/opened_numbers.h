// What tests of single operations share: results of the reference, every number of them opened and followed
// where it goes, rows made alone, and what is said of shapes that do not fit.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "core/system/error.h"

namespace attn::tests {

inline Tensor reference_of(const Operation& operation, const std::vector<Tensor>& inputs) {
  return make_reference_backend()->run(operation, inputs);
}

inline std::string why_refused(const Operation& operation, const std::vector<Shape>& shapes) {
  try {
    result_shape(operation, shapes);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// That every number's explanation comes to what the reference makes in double, and so do its terms where they
// are said to; that the rows that are asked for alone are the same.
inline void check_opened(const Operation& operation, const std::vector<Tensor>& inputs) {
  std::vector<Tensor64> wide;
  for (const Tensor& input : inputs) wide.push_back(to_double(input));
  const Tensor64 result = run_in_double(operation, wide);
  const auto same = [](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) ||
           std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b));
  };
  for (std::size_t i = 0; i < result.values().size(); ++i) {
    const Cell cell = cell_at(result.shape(), i);
    const Explanation e = explain(operation, inputs, cell);
    CAPTURE(i);
    CAPTURE(e.rule);
    CHECK(same(e.result, result.values()[i]));
    double sum = 0;
    for (const Term& term : e.terms) sum += term.value;
    if (e.aggregate == Aggregate::sum || e.aggregate == Aggregate::none) CHECK(same(sum, e.result));
  }
  const Tensor all = reference_of(operation, inputs);
  const std::size_t last = all.stack() * all.rows() - 1;
  const Tensor row = run_rows(operation, inputs, std::vector<std::size_t>{last});
  for (std::size_t j = 0; j < all.columns(); ++j)
    CHECK(same(row.values()[j], all.values()[last * all.columns() + j]));
}

// That every term is the product of the numbers that are named for it.
inline void check_products(const Operation& operation, const std::vector<Tensor>& inputs) {
  const Shape shape = reference_of(operation, inputs).shape();
  for (std::size_t i = 0; i < shape.size(); ++i)
    for (const Term& term : explain(operation, inputs, cell_at(shape, i)).terms) {
      double product = 1;
      for (const Operand& factor : term.operands) product *= factor.value;
      CAPTURE(i);
      if (term.value != 0) CHECK(product == doctest::Approx(term.value).epsilon(1e-9));
    }
}

// That just the cells change that an input is said to reach; inputs without zeros, so that every number
// counts.
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

// That rows made alone, of the rows that they read, are those of the whole.
inline void check_cut(const Operation& operation, const std::vector<Tensor>& inputs, const RowRange& rows) {
  std::vector<Shape> shapes;
  for (const Tensor& input : inputs) shapes.push_back(input.shape());
  const auto some = cut(operation, shapes, rows);
  REQUIRE(some);
  std::vector<Tensor> parts;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    parts.push_back(some->reads[i] == RowsRead::same ? take_rows(inputs[i], rows) : inputs[i]);
  CHECK(reference_of(some->operation, parts) == take_rows(reference_of(operation, inputs), rows));
}

}  // namespace attn::tests
