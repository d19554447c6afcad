// What a step's numbers are summed up as: lengths of gradients by group, and how far a head's weights moved.
#pragma once

#include <array>
#include <span>

#include "core/learning/training.h"

namespace attn {

enum class ParameterGroup {
  embedding,
  positions,
  queries,
  keys,
  values,  // with what mixes the heads: W_V and W_O
  feed_forward,
  norms,
  head
};
inline constexpr std::size_t kParameterGroups = 8;
const char* name(ParameterGroup group);  // "embedding", "positions", "W_Q", "W_K", "W_V, W_O", …

// √(Σ g²) over the numbers of each group; negative: the model has none of it.
using GroupNorms = std::array<double, kParameterGroups>;
// `gradients`: of each parameter, of its shape.
GroupNorms gradient_norms(const TrainingModel& model, std::span<const TrainedParameter> parameters,
                          std::span<const Tensor> gradients);

// One number of the model's parameters.
struct ParameterCell {
  std::size_t parameter = 0;  // of parameters_of
  std::size_t row = 0, column = 0;
  bool operator==(const ParameterCell&) const = default;
};

enum class HeadMatrix { query, key, value };

// A head's weights as formulas have them, 1×d×(d ÷ heads): Q = X·W_Q.
Tensor head_weights(const TrainingModel& model, std::span<const TrainedParameter> parameters,
                    std::span<const Tensor> numbers, const std::string& attention, std::size_t head,
                    HeadMatrix matrix);
// Which parameter's number one of them is. `row`: the feature that is read, `column`: of the head.
ParameterCell head_cell(const TrainingModel& model, std::span<const TrainedParameter> parameters,
                        const std::string& attention, std::size_t head, HeadMatrix matrix, std::size_t row,
                        std::size_t column);

// ‖W − W₀‖ ÷ ‖W₀‖, in the Frobenius norm; of the same shape.
double moved(const Tensor& now, const Tensor& first);

}  // namespace attn
