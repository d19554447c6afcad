// The ids of stages that a diagnosis reads by their meaning, as a layer's builder gives them.
#pragma once

#include <string_view>

namespace attn::given_id {

inline constexpr std::string_view position = "position", q = "q", k = "k", q_normed = "q_normed",
                                  k_normed = "k_normed", q_rotated = "q_rotated", k_rotated = "k_rotated",
                                  scaled = "scaled", capped = "capped", biased = "biased", masked = "masked",
                                  weights = "weights", masked_weights = "masked_weights", dropped = "dropped";

}  // namespace attn::given_id
