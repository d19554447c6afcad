// Cross-entropy of scores of every kind: answers that are the largest score and others, masked ones, rows
// where nothing is asked and answers that there are not.
#include "core/operations/cross_entropy_row.h"

#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

// The answers walk through the columns; some rows are not asked, some for a column that there is not.
Tensor answers_for(const Shape& z, std::uint64_t seed) {
  std::vector<float> answers;
  for (std::size_t row = 0; row < z.stack * z.rows; ++row) {
    const std::size_t which = (row * 7 + seed) % 11;
    const float column = static_cast<float>((row * 5 + seed) % std::max<std::size_t>(1, z.columns));
    answers.push_back(which == 3   ? -1.0f
                      : which == 6 ? static_cast<float>(z.columns)
                      : which == 9 ? column + 0.5f
                                   : column);
  }
  return {{z.stack, z.rows, 1}, std::move(answers)};
}

// The same without one that there is not, which would make their mean NaN.
Tensor right_answers(const Shape& z, std::uint64_t seed) {
  const Tensor all = answers_for(z, seed);
  std::vector<float> answers;
  for (const float answer : all.values())
    answers.push_back(asked_of(answer, z.columns) == Asked::none_such ? -100.0f : answer);
  return {all.shape(), std::move(answers)};
}

std::vector<Case> loss_cases(Scope scope) {
  std::vector<Case> cases;
  for (const bool mean : {false, true})
    append(cases, over_shapes(scope, CrossEntropy{mean}, [mean](Shape shape, Kind kind, std::uint64_t seed) {
             return std::vector<Tensor>{numbers(shape, kind, seed),
                                        mean ? right_answers(shape, seed) : answers_for(shape, seed)};
           }));
  if (scope != Scope::comparison) return cases;
  const Tensor sure({1, 4, 3}, {80000, -80000, 0, 80000, -80000, 0, 5, 20, 5, 0, 0, -INFINITY});
  for (const bool mean : {false, true})
    cases.push_back({"sure answers", CrossEntropy{mean}, {sure, Tensor({1, 4, 1}, {0, 1, 1, 1})}});
  cases.push_back({"nothing asked", CrossEntropy{true}, {sure, Tensor({1, 4, 1}, {-1, -1, -1, -1})}});
  return cases;
}

std::vector<Case> gradient_cases(Scope scope) {
  std::vector<Case> cases;
  for (const bool mean : {false, true})
    append(cases,
           over_shapes(scope, CrossEntropyGradient{mean}, [mean](Shape shape, Kind kind, std::uint64_t seed) {
             const Shape of_loss = mean ? Shape{1, 1, 1} : Shape{shape.stack, shape.rows, 1};
             return std::vector<Tensor>{numbers(shape, kind, seed), answers_for(shape, seed),
                                        numbers(of_loss, Kind::ordinary, seed + 1000)};
           }));
  if (scope != Scope::comparison) return cases;
  const Tensor sure({1, 4, 3}, {80000, -80000, 0, 80000, -80000, 0, 5, 20, 5, 0, 0, -INFINITY});
  cases.push_back({"sure answers",
                   CrossEntropyGradient{true},
                   {sure, Tensor({1, 4, 1}, {0, -1, 1, 1}), Tensor({1, 1, 1}, {3})}});
  return cases;
}

std::span<const float> scores_at(const Case& c, std::size_t row) {
  const Tensor& z = c.inputs[0];
  return z.values().subspan(row * z.columns(), z.columns());
}

// What Σ exp may be off, of itself, but for `right`: an exponential is right to 3 units (OpenCL 1.2, section
// 7.4), and to the half unit of the difference that it is of, which it turns into that much of its value.
// With `right` the sums of the others alone, by themselves.
double sum_loss(std::span<const float> z, std::size_t without, const Arithmetic& arithmetic) {
  const Answered row = answered(z, without);
  double lost = 0, sum = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    if (j == without) continue;
    const double below = static_cast<double>(z[j]) - row.largest, exponential = std::exp(below);
    lost +=
        exponential > 0 ? exponential * (7 * kUnit + std::abs(below) * kUnit) + spacing(0, arithmetic) : 0;
    sum += exponential;
  }
  lost += sum_error(static_cast<double>(z.size()), sum, arithmetic) + kUnit * sum;
  return sum > 0 ? lost / sum : 0;
}

constexpr std::size_t kLeaveNoneOut = static_cast<std::size_t>(-1);

// A logarithm and log1p are right to 3 and 2 units (OpenCL 1.2, section 7.4).
double loss_tolerance(const Case& c, std::size_t row, const Arithmetic& arithmetic) {
  const auto z = scores_at(c, row);
  const double answer = c.inputs[1].values()[row];
  if (asked_of(answer, z.size()) != Asked::column) return 0;
  const auto right = static_cast<std::size_t>(answer);
  const double loss = loss_of_row(z, answer);
  if (!std::isfinite(loss)) return 0;
  const Answered of = answered(z, right);
  const double lost = static_cast<double>(z[right]) == of.largest
                          ? sum_loss(z, right, arithmetic) * of.others / (of.others + 1)
                          : sum_loss(z, kLeaveNoneOut, arithmetic) + kUnit;
  return lost + 8 * kUnit * loss + spacing(0, arithmetic);
}

double cross_entropy_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  if (!std::get<CrossEntropy>(c.operation).mean)
    return loss_tolerance(c, cell.head * c.inputs[0].rows() + cell.row, arithmetic);
  double lost = 0;
  for (std::size_t row = 0; row < c.inputs[1].values().size(); ++row)
    lost += loss_tolerance(c, row, arithmetic);
  const double asked = std::max(1.0, rows_asked(c.inputs[1]));
  return lost / asked + sum_error(asked, std::abs(reference), arithmetic) +
         4 * spacing(reference, arithmetic);
}

// An exponential, two divisions and two products, each right to 3 units at most.
std::vector<double> scores_tolerances(const Case& c, std::size_t head, std::size_t row,
                                      std::span<const double> reference, const Arithmetic& arithmetic) {
  const std::size_t flat = head * c.inputs[0].rows() + row;
  const auto z = scores_at(c, flat);
  const double answer = c.inputs[1].values()[flat];
  std::vector<double> tolerances(z.size());
  if (asked_of(answer, z.size()) != Asked::column) return tolerances;
  const auto right = static_cast<std::size_t>(answer);
  const double largest = answered(z, right).largest;
  const double sums = sum_loss(z, kLeaveNoneOut, arithmetic) + sum_loss(z, right, arithmetic);
  const double g = std::abs(
      static_cast<double>(c.inputs[2].values()[std::get<CrossEntropyGradient>(c.operation).mean ? 0 : flat]));
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double below = j == right ? 0 : static_cast<double>(z[j]) - largest;
    const double of_exponential = std::isfinite(below) ? std::abs(below) * kUnit : 0;
    tolerances[j] =
        std::abs(reference[j]) * (20 * kUnit + of_exponential + sums) + 2 * (1 + g) * spacing(0, arithmetic);
  }
  return tolerances;
}

}  // namespace

Declaration declared(Of<CrossEntropy>) {
  return {CrossEntropy::kName, loss_cases, cross_entropy_tolerance};
}
Declaration declared(Of<CrossEntropyGradient>) {
  return {CrossEntropyGradient::kName, gradient_cases, at_cell<scores_tolerances>, scores_tolerances};
}

template Declaration declaration<CrossEntropy>();
template Declaration declaration<CrossEntropyGradient>();

}  // namespace attn::opencl
