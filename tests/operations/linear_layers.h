// Numbers for tests of linear attention, and what it is by another road: a recurrence token by token.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/operations/linear_attention.h"
#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "core/tensor/random.h"

namespace attn::tests {

inline constexpr double kPoison = std::numeric_limits<double>::quiet_NaN();
using Tensor32Inputs = std::vector<Tensor>;

struct LinearHeadsOf {
  std::size_t heads, shared, n, m;
};

inline Tensor64 normal_numbers(Shape shape, std::uint64_t seed) {
  std::vector<double> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_normal(seed, i);
  return {shape, std::move(values)};
}

inline Tensor64 positives(Shape shape, std::uint64_t seed) {
  std::vector<double> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1 + std::abs(random_normal(seed, i));
  return {shape, std::move(values)};
}

inline Tensor64 with_number(const Tensor64& x, std::size_t place, double value) {
  std::vector<double> values(x.values().begin(), x.values().end());
  values[place] = value;
  return {x.shape(), std::move(values)};
}

inline Tensor64 rows_of(const Tensor64& x, std::size_t first, std::size_t count) {
  std::vector<double> values;
  for (std::size_t s = 0; s < x.stack(); ++s)
    for (std::size_t row = first; row < first + count; ++row)
      for (std::size_t i = 0; i < x.columns(); ++i) values.push_back(x[{s, row, i}]);
  return {{x.stack(), count, x.columns()}, std::move(values)};
}

inline std::vector<Tensor64> to_doubles(const std::vector<Tensor>& inputs) {
  std::vector<Tensor64> wide;
  for (const Tensor& input : inputs) wide.push_back(to_double(input));
  return wide;
}

// As a recurrent network computes it: S ← S + φ(k)vᵀ and z ← z + φ(k), key by key, then φ(q)·S ÷ φ(q)·z.
// Which keys a query sees is asked of the mask's own rules.
inline Tensor64 recurrence(const LinearAttention& op, const std::vector<Tensor64>& inputs) {
  const Tensor64 &q = inputs[0], &k = inputs[1], &v = inputs[2];
  const std::size_t r = q.columns(), c = v.columns(), group = q.stack() / k.stack();
  std::vector<double> values;
  for (std::size_t h = 0; h < q.stack(); ++h) {
    std::vector<double> state(r * c), sums(r);
    std::size_t key = 0;
    for (std::size_t row = 0; row < q.rows(); ++row) {
      const std::vector<char> hidden = MaskRow(op.masks, {q.rows(), k.rows(), row, 0, op.first}).masked();
      for (; key < k.rows() && (op.masks.empty() || !hidden[key]); ++key)
        for (std::size_t i = 0; i < r; ++i) {
          sums[i] += k[{h / group, key, i}];
          for (std::size_t e = 0; e < c; ++e)
            state[i * c + e] += k[{h / group, key, i}] * v[{h / group, key, e}];
        }
      double z = 0;
      for (std::size_t i = 0; i < r; ++i) z += q[{h, row, i}] * sums[i];
      for (std::size_t e = 0; e < c; ++e) {
        double sum = 0;
        for (std::size_t i = 0; i < r; ++i) sum += q[{h, row, i}] * state[i * c + e];
        values.push_back(key == 0 ? 0 : sum / z);
      }
      values.push_back(z);
    }
  }
  return {{q.stack(), q.rows(), c + 1}, std::move(values)};
}

// Each number of each input, made another: what changes is where reach() says, and all of it.
inline void check_reach(const Operation& op, const std::vector<Tensor64>& inputs) {
  std::vector<Shape> shapes;
  for (const Tensor64& input : inputs) shapes.push_back(input.shape());
  const Tensor64 before = run_in_double(op, inputs);
  for (std::size_t input = 0; input < inputs.size(); ++input)
    for (std::size_t place = 0; place < inputs[input].values().size(); ++place) {
      std::vector<Tensor64> changed = inputs;
      changed[input] = with_number(inputs[input], place, inputs[input].values()[place] + 0.7);
      const Tensor64 after = run_in_double(op, changed);
      const Regions regions = reach(op, shapes, input, cell_at(shapes[input], place));
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < after.values().size(); ++i) {
        const Cell cell = cell_at(after.shape(), i);
        bool reached = false;
        for (const Region& region : regions) reached |= region.contains(cell);
        wrong += reached != (after.values()[i] != before.values()[i]);
      }
      INFO("input ", input, ", number ", place);
      CHECK(wrong == 0);
    }
}

}  // namespace attn::tests
