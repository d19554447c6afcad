// What tests of single operations share: results of the reference, every number of them opened, and what is
// said of shapes that do not fit.
#pragma once

#include <doctest/doctest.h>

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
