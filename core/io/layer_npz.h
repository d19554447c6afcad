// A layer from named arrays, and a computed layer's stages as named arrays: what `trace` reads and writes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/attention/layer.h"
#include "core/io/npy.h"
#include "core/results.h"

namespace attn {

// Either q, k, v (n×d, m×d, m×d_v, or a stack of heads before them; k and v may have fewer heads, which
// divide q's), edited directly; or x (n×d) with optional memory (m×d), w_q, w_k, w_v, optional w_o, and
// biases b_q, b_k, b_v, b_o (one number for each column). With both optional mask (n×m or h×n×m, nonzero =
// masked) and bias (same shapes). Numbers are rounded to float; larger ones become ±∞. Heads of a projected
// layer are not in the arrays: they keep their default of 1 until an option says otherwise, so what depends
// on them is left for build_graph to check. Throws Error naming the array and the reason; unknown names are
// errors too, with the nearest known one.
LayerSpec layer_from_arrays(const std::map<std::string, Array>& arrays);

// An .npz with one float32 array for each traced stage that was computed, in the graph's order, named by its
// id. Stages before the heads part and after they join (x, position, concat, output) are rows×columns, all
// others h×rows×columns, also for one head. A mask that heads share is repeated for each; q, k and v keep
// their own heads. Throws Error(Fault::output) when the file would exceed 4 GiB.
std::vector<std::byte> stages_npz(const Results& results);

}  // namespace attn
