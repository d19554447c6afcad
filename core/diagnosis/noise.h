// Whether differences look like noise.
#pragma once

#include <optional>
#include <span>

#include "core/tensor/tensor.h"

namespace attn {

struct NoisyStage {
  Tensor yours, ours;
  bool can_be_masked = false;
};

// The relative size of it, where yours differ from ours by nothing but small numbers that follow no pattern,
// about as large in each stage; nothing where they do follow one, or are too few to say.
std::optional<double> noise_size(std::span<const NoisyStage> stages);

}  // namespace attn
