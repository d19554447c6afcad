// Local attention (Luong, Pham, Manning 2015): each query sees the keys within ±D of a centre of its own.
#pragma once

#include <array>
#include <string_view>

namespace attn {

// none: every key. monotonic (local-m): the centre of query i is i. predictive (local-p): the centre is
// m·sigmoid(v_pᵀ tanh(W_p q)), and weights are multiplied by exp(−(j − centre)² ÷ 2(D/2)²) and not divided by
// their sum again.
enum class Local { none, monotonic, predictive };

}  // namespace attn
