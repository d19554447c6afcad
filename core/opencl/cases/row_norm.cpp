// Normalised rows of every size and kind, with gain and bias and without; what flows back through them.
#include "core/operations/row_norm_row.h"

#include <algorithm>
#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

constexpr RowNorm kNorms[]{{.centred = true}, {.centred = false}};

// γ of ordinary size: a product with it leaves the range of float only where the result does.
Tensor gain_for(Shape x, std::uint64_t seed) {
  return numbers({1, 1, x.columns}, Kind::ordinary, seed);
}

std::vector<Case> row_norm_cases(Scope scope) {
  std::vector<Case> cases;
  for (const RowNorm& norm : kNorms)
    for (const std::size_t given : {0, 1, 2}) {
      // All in a self-test; elsewhere what comes most.
      const bool usual = given == 2 || (scope == Scope::comparison && given == (norm.centred ? 0 : 1));
      if (!usual && scope != Scope::self_test) continue;
      append(cases, over_shapes(scope, norm, [&](Shape shape, Kind kind, std::uint64_t seed) {
               std::vector<Tensor> inputs{numbers(shape, kind, seed)};
               if (given > 0) inputs.push_back(gain_for(shape, seed + 1000));
               if (given > 1) inputs.push_back(numbers({1, 1, shape.columns}, kind, seed + 2000));
               return inputs;
             }));
    }
  if (scope != Scope::comparison) return cases;
  const float huge = 3e38f, tiny = 0x1p-120f;
  cases.push_back({"huge, tiny and equal numbers",
                   RowNorm{},
                   {Tensor({1, 6, 4}, {huge,  -huge, huge, huge, huge, huge,  huge, huge,
                                       1e6f,  1e6f,  1e6f, 1e6f, tiny, -tiny, tiny, 0,
                                       1e-4f, 0,     0,    0,    1e6f, 1e6f,  1e6f, 1e6f + 0.25f})}});
  cases.push_back({"tiny numbers without ε",
                   RowNorm{.epsilon = 0},
                   {Tensor({1, 2, 4}, {tiny, -tiny, tiny, 0, 1, 2, 3, 4})}});
  return cases;
}

std::vector<Case> norm_gradient_cases(Scope scope) {
  std::vector<Case> cases;
  for (const RowNorm& norm : kNorms) {
    const auto with = [&](bool gain) {
      return [gain](Shape shape, Kind kind, std::uint64_t seed) {
        std::vector<Tensor> inputs{numbers(shape, kind, seed), numbers(shape, kind, seed + 1000)};
        if (gain) inputs.push_back(gain_for(shape, seed + 2000));
        return inputs;
      };
    };
    append(cases, over_shapes(scope, RowNormGradient{.norm = norm}, with(true)));
    append(cases,
           over_shapes(scope, RowNormGradient{.norm = norm, .of = RowNormGradient::gain}, with(false)));
    if (scope == Scope::comparison && norm.centred)
      append(cases, over_shapes(scope, RowNormGradient{norm}, with(false)));
  }
  return cases;
}

std::vector<Case> column_sum_cases(Scope scope) {
  std::vector<Case> cases = over_shapes(scope, ColumnSum{});
  append(cases, over_shapes(scope, ColumnSum{.each = true}));
  return cases;
}

// The root and the division after it are right to 3 and 2.5 units (OpenCL 1.2, section 7.4), another division
// to 2.5, ε and its sum are rounded, a product is.
constexpr double kOfLength = 12 * kUnit;

// Of a row: x̂, and how far each may be off. The mean is right to its sum's error and what two floats lose of
// it, 2^-46; less it a number has two roundings, its square four and a sum of them no more. Beside the
// largest number, at whose scale all are taken, one may vanish.
struct NormedRow {
  RowScale scale;
  std::vector<double> x_hat, lost;
};
NormedRow normed_row(const RowNorm& norm, std::span<const float> x, const Arithmetic& arithmetic) {
  NormedRow row{.scale = row_scale(norm, x), .x_hat = {}, .lost = {}};
  double magnitude = 0, largest = 1;
  for (const float number : x) {
    const double size = std::abs(static_cast<double>(number));
    magnitude += size, largest = std::max(largest, size);
  }
  const double count = static_cast<double>(x.size());
  const double of_mean =
      norm.centred ? (sum_error(count, magnitude, arithmetic) + 0x1p-46 * magnitude) / count : 0;
  for (const float number : x) {
    const double x_hat = std::abs(normed(row.scale, number));
    row.x_hat.push_back(x_hat);
    const bool infinite = !std::isfinite(largest);  // all is 0 or NaN there
    row.lost.push_back(infinite ? 0
                                : x_hat * (kOfLength + 3 * kUnit) +
                                      2 * (of_mean + spacing(0, arithmetic) * largest) / row.scale.length *
                                          (1 + x_hat));
  }
  return row;
}

std::vector<double> row_norm_tolerances(const Case& c, std::size_t head, std::size_t row,
                                        std::span<const double> reference, const Arithmetic& arithmetic) {
  const auto x = row_numbers(c.inputs[0], head, row);
  const NormedRow normed = normed_row(std::get<RowNorm>(c.operation), x, arithmetic);
  std::vector<double> tolerances;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double gain = c.inputs.size() > 1 ? std::abs(static_cast<double>(c.inputs[1].values()[j])) : 1;
    tolerances.push_back(gain * (normed.lost[j] + kUnit * normed.x_hat[j]) +
                         0.5 * spacing_at(reference[j], arithmetic) + 2 * spacing(0, arithmetic));
  }
  return tolerances;
}

// From |ĝ|, and |ĝ·x̂| with what it may be off.
std::vector<double> rows_tolerances(const Case& c, std::size_t head, std::size_t row,
                                    std::span<const double> reference, const Arithmetic& arithmetic) {
  const auto x = row_numbers(c.inputs[0], head, row), g = row_numbers(c.inputs[1], head, row);
  const NormedRow normed = normed_row(std::get<RowNormGradient>(c.operation).norm, x, arithmetic);
  const double smallest = spacing(0, arithmetic), count = static_cast<double>(x.size());
  std::vector<double> flows;
  double all = 0, along = 0, of_along = 0, of_all = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double gain = c.inputs.size() > 2 ? c.inputs[2].values()[j] : 1.0f;
    const double flow = std::abs(static_cast<double>(g[j]) * gain);
    flows.push_back(flow), all += flow, along += flow * normed.x_hat[j];
    of_all += kUnit * flow + smallest;
    of_along += flow * (normed.lost[j] + 2 * kUnit * normed.x_hat[j]) + smallest;
  }
  std::vector<double> tolerances;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double sums = all + along * normed.x_hat[j];
    const double lost = of_all + of_along * normed.x_hat[j] + along * normed.lost[j] +
                        sum_error(count, sums, arithmetic) + 4 * kUnit * sums;
    tolerances.push_back((lost / count + 4 * kUnit * (flows[j] + sums / count)) / normed.scale.length +
                         (kOfLength + 2 * kUnit) * std::abs(reference[j]) +
                         2 * smallest * (1 + 1 / normed.scale.length));
  }
  return tolerances;
}

std::vector<double> gradient_tolerances(const Case& c, std::size_t head, std::size_t row,
                                        std::span<const double> reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<RowNormGradient>(c.operation);
  if (op.of == RowNormGradient::rows) return rows_tolerances(c, head, row, reference, arithmetic);
  const Tensor& x = c.inputs[0];
  const std::size_t rows = x.stack() * x.rows();
  std::vector<double> lost(x.columns()), magnitude(x.columns());
  for (std::size_t i = 0; i < rows; ++i) {
    const NormedRow normed = normed_row(op.norm, row_numbers(x, 0, i), arithmetic);
    const auto g = row_numbers(c.inputs[1], 0, i);
    for (std::size_t j = 0; j < x.columns(); ++j) {
      const double flow = std::abs(static_cast<double>(g[j]));
      lost[j] += flow * normed.lost[j] + spacing(0, arithmetic), magnitude[j] += flow * normed.x_hat[j];
    }
  }
  for (std::size_t j = 0; j < x.columns(); ++j)
    lost[j] += sum_error(static_cast<double>(rows), magnitude[j], arithmetic) +
               0.5 * spacing_at(reference[j], arithmetic);
  return lost;
}

double column_sum_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const Tensor& x = c.inputs[0];
  const bool each = std::get<ColumnSum>(c.operation).each;
  const std::size_t rows = each ? x.rows() : x.stack() * x.rows();
  double magnitude = 0;
  for (std::size_t i = 0; i < rows; ++i)
    magnitude += std::abs(static_cast<double>(row_numbers(x, 0, cell.head * rows + i)[cell.column]));
  return sum_error(static_cast<double>(rows), magnitude, arithmetic) + 0.5 * spacing(reference, arithmetic);
}

}  // namespace

Declaration declared(Of<RowNorm>) {
  return {RowNorm::kName, row_norm_cases, at_cell<row_norm_tolerances>, row_norm_tolerances};
}
Declaration declared(Of<RowNormGradient>) {
  return {RowNormGradient::kName, norm_gradient_cases, at_cell<gradient_tolerances>, gradient_tolerances};
}
Declaration declared(Of<ColumnSum>) {
  return {ColumnSum::kName, column_sum_cases, column_sum_tolerance};
}

template Declaration declaration<RowNorm>();
template Declaration declaration<RowNormGradient>();
template Declaration declaration<ColumnSum>();

}  // namespace attn::opencl
