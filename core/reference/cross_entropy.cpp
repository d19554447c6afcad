// Softmax with cross-entropy and its gradient, in double.
#include <algorithm>

#include "core/operations/cross_entropy_row.h"
#include "core/reference/family.h"

namespace attn::reference {
namespace {

template <class T>
std::span<const T> scores_of(TensorsOf<T> inputs, std::size_t row) {
  const std::size_t answers = inputs[0].columns();
  return inputs[0].values().subspan(row * answers, answers);
}

// The right answer of a row counted through all matrices.
template <class T>
double answer_of(TensorsOf<T> inputs, std::size_t row) {
  return static_cast<double>(inputs[1].values()[row]);
}

}  // namespace

template <class T>
BasicTensor<T> compute(const CrossEntropy& op, TensorsOf<T> inputs) {
  const auto loss = [&](std::size_t row) {
    return loss_of_row(scores_of(inputs, row), answer_of(inputs, row));
  };
  if (!op.mean)
    return generate<T>(wanted<T>(op, inputs),
                       [&](Cell c) { return loss(c.head * inputs[0].rows() + c.row); });
  double sum = 0;
  for (std::size_t row = 0; row < inputs[1].values().size(); ++row) sum += loss(row);
  const double asked = rows_asked(inputs[1]);
  return {{1, 1, 1}, {static_cast<T>(asked > 0 ? sum / asked : 0)}};
}

template <class T>
BasicTensor<T> compute(const CrossEntropyGradient& op, TensorsOf<T> inputs) {
  const WantedRows result = wanted<T>(op, inputs);
  const double asked = op.mean ? rows_asked(inputs[1]) : 1;
  std::vector<T> values(result.count() * result.shape.columns);
  for (std::size_t i = 0; i < result.count(); ++i) {
    const std::size_t row = result.row(i).head * result.shape.rows + result.row(i).row;
    const auto z = scores_of(inputs, row);
    const double answer = answer_of(inputs, row);
    const auto to = std::span(values).subspan(i * z.size(), z.size());
    const Asked what = asked_of(answer, z.size());
    if (what == Asked::none_such) std::ranges::fill(to, static_cast<T>(kNan));
    if (what != Asked::column) continue;
    const auto right = static_cast<std::size_t>(answer);
    const Answered of_row = answered(z, right);
    const double flows = static_cast<double>(inputs[2].values()[op.mean ? 0 : row]);
    for (std::size_t j = 0; j < z.size(); ++j)
      to[j] = static_cast<T>(flow_to_score(of_row, z, right, j) * flows / asked);
  }
  return {result.result(), std::move(values)};
}

template struct Reference<CrossEntropy>;
template struct Reference<CrossEntropyGradient>;

}  // namespace attn::reference
