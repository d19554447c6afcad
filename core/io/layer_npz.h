// A layer from named arrays: what `trace` reads.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/attention/layer.h"
#include "core/io/npz.h"

namespace attn {

using NamedArrays = std::map<std::string, Array>;

// Either q, k, v (n×d, m×d, m×d_v, or a stack of heads before them; k and v may have fewer heads, which
// divide q's), edited directly; or x (n×d) with optional memory (m×d), w_q, w_k, w_v, optional w_o, and
// biases b_q, b_k, b_v, b_o (one number for each column). With both optional mask (n×m or h×n×m, nonzero =
// masked) and bias (same shapes), and parameters of the score: score_w, score_w_q, score_w_k, score_v, and of
// predicted centres: local_w, local_v (core/attention/layer.h says which shapes fit). Each may have an axis
// for a batch of one before it. Heads of a projected layer, and heads that lie side by side in one q, k or v,
// are not in the arrays: they are 1 until an option says otherwise, so what depends on them is left for
// build_graph to check. Throws Error naming the array and the reason. What a layer has no use for, as stages
// that were computed, goes to `left_out`: x and memory with q, k and v without projections, and q, k and v
// with x and all three. Without that it is an error too. The arrays' numbers become the layer's: they are
// not copied.
LayerSpec layer_from_arrays(NamedArrays arrays, NamedArrays* left_out = nullptr);

// Whether an array of this name is a parameter that is read with q, k and v as with projections: of the
// score, of predicted centres, and user_bias, which is `bias` without what a position adds: in a file of
// computed stages the position's option makes that again.
bool is_read_with_qkv(std::string_view name);

// The same, of an archive. In the mask a number that a float rounds to 0 masks too; other numbers are rounded
// to float, larger ones become ±∞.
LayerSpec parse_layer_npz(std::span<const std::byte> bytes, NamedArrays* left_out = nullptr,
                          const ArraySource& source = {});

// The array that is read as 0 and 1.
inline constexpr std::string_view kTruthArray = "mask";

// Whether a layer is among them: x with its projections, or q, k and v.
bool hold_layer(const NamedArrays& arrays);
// Whether numbers are among them that a layer computes in any case: scores, weights, output and such.
bool hold_results(const NamedArrays& arrays);

}  // namespace attn
