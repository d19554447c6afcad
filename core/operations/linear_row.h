// One row of linear attention in double, pair by pair, there and back. Shared by the reference and the
// explanations.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/operations/linear_attention.h"
#include "core/operations/matmul.h"

namespace attn {

template <class Number>
bool is_special(Number x) {
  using std::isnan;
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  return isnan(x) || x == Number{kInfinite} || x == Number{-kInfinite};
}

template <class Number, class T>
Number product_of_rows(const BasicTensor<T>& x, Cell a, const BasicTensor<T>& y, Cell b) {
  Number sum = 0;
  for (; a.column < x.columns(); ++a.column, ++b.column) sum += Number{x[a]} * Number{y[b]};
  return sum;
}

// Of a query. T: of the stages. Keeps references to the inputs.
template <class T, class Number = double>
class LinearRow {
 public:
  LinearRow(const LinearAttention& op, std::span<const BasicTensor<T>> inputs, std::size_t head,
            std::size_t row)
      : q_(inputs[0]),
        k_(inputs[1]),
        v_(inputs[2]),
        place_{head, row, 0},
        matrix_(shared_matrix(head, k_.stack(), q_.stack())),
        seen_(keys_seen(op, row, q_.rows(), k_.rows())),
        feature_sums_(q_.columns(), Number{0}) {
    for (std::size_t j = 0; j < seen_; ++j) {
      products_.push_back(product_of_rows<Number>(q_, place_, k_, {matrix_, j, 0}));
      for (std::size_t i = 0; i < feature_sums_.size(); ++i) feature_sums_[i] += Number{k_[{matrix_, j, i}]};
    }
    for (std::size_t i = 0; i < feature_sums_.size(); ++i) z_ += feature(i) * feature_sums_[i];
  }

  std::size_t seen() const { return seen_; }
  std::size_t matrix() const { return matrix_; }  // of keys and values
  Number z() const { return z_; }
  Number feature(std::size_t i) const { return q_[{place_.head, place_.row, i}]; }
  Number sum_of_feature(std::size_t i) const { return feature_sums_[i]; }  // over the keys that it sees
  Number product(std::size_t key) const { return products_[key]; }

  // (φ(q)·φ(k))·v; of a v that is not finite as a state has it, feature by feature: 0·∞ is NaN.
  Number term(std::size_t key, std::size_t column) const {
    const Number v = v_[{matrix_, key, column}];
    if (!is_special(v)) return products_[key] * v;
    Number sum = 0;
    for (std::size_t i = 0; i < feature_sums_.size(); ++i)
      sum += feature(i) * (Number{k_[{matrix_, key, i}]} * v);
    return sum;
  }
  Number output(std::size_t column) const {
    if (seen_ == 0) return 0;
    if (z_ == Number{0}) return std::numeric_limits<double>::quiet_NaN();
    Number sum = 0;
    for (std::size_t j = 0; j < seen_; ++j) sum += term(j, column);
    return sum / z_;
  }

 private:
  const BasicTensor<T>&q_, &k_, &v_;
  Cell place_;
  std::size_t matrix_, seen_;
  std::vector<Number> products_, feature_sums_;
  Number z_ = 0;
};

// What passes back from a query. Keeps references to the inputs.
template <class T>
class LinearBack {
 public:
  LinearBack(const LinearAttention& op, std::span<const BasicTensor<T>> inputs, std::size_t head,
             std::size_t row)
      : inputs_(inputs),
        place_{head, row, 0},
        matrix_(shared_matrix(head, inputs[1].stack(), inputs[0].stack())),
        seen_(keys_seen(op, row, inputs[0].rows(), inputs[1].rows())) {
    const std::size_t c = inputs[2].columns();
    z_ = static_cast<double>(inputs[3][{head, row, c}]);
    if (z_ == 0) seen_ = 0;  // no output
    if (seen_ == 0) return;
    double finite = z_ - z_;
    for (std::size_t i = 0; i < c; ++i) {
      const double output = inputs[3][{head, row, i}];
      mean_ += to_output(i) * output;
      finite += (output - output) + (to_output(i) - to_output(i));
    }
    if (finite != 0) z_ = mean_ = std::numeric_limits<double>::quiet_NaN();
  }

  Cell row() const { return place_; }
  std::size_t seen() const { return seen_; }  // keys that something passes to
  double to_output(std::size_t column) const { return inputs_[4][{place_.head, place_.row, column}]; }
  // What the output's gradient is multiplied by for a value's; the gradient of φ(q)·φ(k).
  double weight(std::size_t key) const {
    return product_of_rows<double>(inputs_[0], place_, inputs_[1], {matrix_, key, 0}) / z_;
  }
  double to_product(std::size_t key) const {
    return (product_of_rows<double>(inputs_[4], place_, inputs_[2], {matrix_, key, 0}) - mean_) / z_;
  }

 private:
  std::span<const BasicTensor<T>> inputs_;
  Cell place_;
  std::size_t matrix_, seen_;
  double z_ = 0, mean_ = 0;
};

// All rows that a matrix of keys meets: those of each head that shares it.
template <class T>
std::vector<LinearBack<T>> linear_rows_of_keys(const LinearAttention& op,
                                               std::span<const BasicTensor<T>> inputs, std::size_t matrix) {
  const std::size_t group = inputs[0].stack() / inputs[1].stack();
  std::vector<LinearBack<T>> rows;
  for (std::size_t head = matrix * group; head < (matrix + 1) * group; ++head)
    for (std::size_t row = 0; row < inputs[0].rows(); ++row) rows.emplace_back(op, inputs, head, row);
  return rows;
}

}  // namespace attn
