// The arithmetic of one row of a cross-entropy in double, shared by the reference and the explanations.
#pragma once

#include <cmath>
#include <span>

#include "core/operations/cross_entropy.h"
#include "core/tensor/tensor.h"
#include "core/text/special.h"

namespace attn {

// What an answer asks for: nothing, a column, or one that there is not.
enum class Asked { nothing, column, none_such };
inline Asked asked_of(double answer, std::size_t columns) {
  if (answer < 0) return Asked::nothing;
  return answer < static_cast<double>(columns) && answer == std::floor(answer) ? Asked::column
                                                                               : Asked::none_such;
}

// Of a row: the largest score, the exponentials below it of all but the right answer, and of that.
struct Answered {
  double largest = -kInfinity, others = 0, right = 0;
};
template <class T>
Answered answered(std::span<const T> z, std::size_t right) {
  Answered row;
  for (const T score : z)
    if (std::isnan(score) || static_cast<double>(score) > row.largest)
      row.largest = static_cast<double>(score);
  for (std::size_t j = 0; j < z.size(); ++j) {
    const double exponential = std::exp(static_cast<double>(z[j]) - row.largest);
    (j == right ? row.right : row.others) += exponential;
  }
  return row;
}

// ln Σ exp z − z of the right answer; what is near 0 keeps its digits.
template <class T>
double loss_of_row(std::span<const T> z, double answer) {
  const Asked asked = asked_of(answer, z.size());
  if (asked != Asked::column) return asked == Asked::nothing ? 0 : kNan;
  const auto right = static_cast<std::size_t>(answer);
  const Answered row = answered(z, right);
  const double score = static_cast<double>(z[right]);
  if (score == row.largest) return std::log1p(row.others + (row.right - 1));
  return row.largest - score + std::log(row.others + row.right);
}

// softmax z, less 1 at the right answer.
template <class T>
double flow_to_score(const Answered& row, std::span<const T> z, std::size_t right, std::size_t column) {
  const double sum = row.others + row.right;
  return column == right ? -row.others / sum : std::exp(static_cast<double>(z[column]) - row.largest) / sum;
}

// Of which the mean is.
template <class T>
double rows_asked(const BasicTensor<T>& answers) {
  double count = 0;
  for (const T answer : answers.values()) count += asked_of(static_cast<double>(answer), 0) != Asked::nothing;
  return count;
}

}  // namespace attn
