// The names of what full attention is compared with, counted and measured.
#pragma once

#include <string_view>

namespace attn {

// Q K V W_O, and these with the feed-forward.
inline constexpr std::string_view kProjections = "projections", kRestOfLayer = "rest";

}  // namespace attn
