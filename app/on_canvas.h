// Stages that the canvas shows only when the view asks for them.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/view.h"

namespace attn {

// The steps inside the softmax: seen while it is open.
inline constexpr std::array kSoftmaxSteps{"row_max", "exp", "row_sum"};
bool is_softmax_step(std::string_view stage);

// What is learned or given besides the tokens, in the order of the canvas: seen while parameters are shown.
inline constexpr std::array kParameters{"encoding", "w_q", "b_q", "w_k", "b_k", "w_v", "b_v", "w_o", "b_o"};

// Scrolls the stage into sight in the next frame, after opening what hides it.
void show_stage(View& view, const std::string& stage);

}  // namespace attn
