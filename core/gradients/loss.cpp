// Targets and labels made from X.
#include "core/gradients/loss.h"

#include <algorithm>
#include <limits>

#include "core/operations/backward.h"

namespace attn {
namespace {

constexpr const char* kNoTarget =
    "X has not the output’s shape here, so it is no target: the loss is the sum of the outputs instead";
constexpr const char* kNoLabels =
    "X has not the output’s shape here, so it gives no labels: each is 0 until you type another";
constexpr float kNotAsked = std::numeric_limits<float>::quiet_NaN();

// What each row of the output should be; the last has no next token.
Tensor target_of(const Tensor& x, LossTarget target, const Shape& output) {
  std::vector<float> values(output.size(), 0);
  if (target == LossTarget::same) return x;
  if (target == LossTarget::next) {
    std::copy(x.values().begin() + static_cast<std::ptrdiff_t>(output.columns), x.values().end(),
              values.begin());
    std::fill(values.end() - static_cast<std::ptrdiff_t>(output.columns), values.end(), kNotAsked);
  }
  return {output, std::move(values)};
}

// Of each token the largest feature of the next one.
std::vector<long> labels_of(const Tensor& x, const Shape& output) {
  std::vector<long> labels(output.rows, -1);
  for (std::size_t i = 0; i + 1 < output.rows; ++i) {
    const auto row = x.values().subspan((i + 1) * output.columns, output.columns);
    labels[i] = std::ranges::max_element(row) - row.begin();
  }
  return labels;
}

}  // namespace

DocumentLoss loss_of(const Document& document, Address address, const Shape& output, LossKind kind) {
  const GradientsSpec& spec = document.gradients;
  const Tensor& x = document.layer(address).x;
  const bool from_x = !document.layer(address).direct && x.shape() == output;
  switch (kind) {
    case LossKind::ones:
      return {};
    case LossKind::one_hot:
      return {{.kind = LossKind::one_hot,
               .row = std::min(spec.row, output.rows - 1),
               .column = std::min(spec.column, output.columns - 1)}};
    case LossKind::typed:
      return {{.kind = LossKind::typed, .given = ones_of(output)}};
    case LossKind::mean_square:
      if (!from_x && spec.target != LossTarget::zero) return {.loss = {}, .instead = kNoTarget};
      return {{.kind = LossKind::mean_square, .given = target_of(x, spec.target, output)}};
    case LossKind::cross_entropy:
      if (!from_x)
        return {{.kind = LossKind::cross_entropy, .labels = std::vector<long>(output.rows, 0)}, kNoLabels};
      return {{.kind = LossKind::cross_entropy, .labels = labels_of(x, output)}};
  }
  return {};
}

}  // namespace attn
