// LayerSpec: one attention layer as the user edits it. A plain value: copy to snapshot, == to detect an edit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph.h"

namespace attn {

// Score function; the stage "scores" is built from it.
enum class Scoring { dot };

enum class ScaleMode { sqrt, none, number };  // 1/√d_k, 1, scale_number

// A number typed over a computed one. `stage` is a stage id ("scores", "weights", …).
struct StageOverride {
  std::string stage;
  CellValue value;
  bool operator==(const StageOverride&) const = default;
};

struct LayerSpec {
  // Where Q, K, V come from: projected from x (and memory), or edited directly.
  bool direct = false;

  // Projected. n queries, m keys, width d, h = heads, g = kv_heads. Empty tensors are absent.
  Tensor x;                   // 1×n×d
  Tensor memory;              // 1×m×d; empty in self-attention, where the keys and values come from x too
  Tensor w_q, w_k, w_v, w_o;  // 1×d×(h·d_k), 1×d×(g·d_k), 1×d×(g·d_v), 1×(h·d_v)×d_out; w_o may be empty
  Tensor b_q, b_k, b_v, b_o;  // 1×1×columns of its projection; each may be empty

  // Direct.
  Tensor q, k, v;  // h×n×d_k, g×m×d_k, g×m×d_v

  std::size_t heads = 1, kv_heads = 1;   // of the projections; direct Q, K, V carry theirs in their shapes
  std::vector<std::size_t> muted_heads;  // switched off: zeros in concat. Ascending.

  Scoring scoring = Scoring::dot;
  ScaleMode scale_mode = ScaleMode::sqrt;
  double scale_number = 1;
  double temperature = 1;  // ≥ 0; 0 is hard lookup
  Tensor bias;             // 1×n×m or h×n×m, added to the scaled scores; may be empty

  std::optional<CausalAlign> causal;
  std::vector<std::size_t> padding;  // valid lengths: none, one, or one per query
  Tensor mask;                       // the user's, 1×n×m or h×n×m, nonzero = masked; may be empty
  Fill fill = Fill::negative_infinity;
  EmptyRow empty_row = EmptyRow::zeros;

  std::optional<double> sinusoidal_base;  // encoding added to x
  double dropout = 0;
  std::uint64_t dropout_seed = 0;

  Labels tokens, memory_tokens;  // of queries and keys; empty: indices
  std::vector<StageOverride> overrides;

  bool operator==(const LayerSpec&) const = default;
};

// The heads the layer computes: `heads` when projected, Q's stack when direct.
std::size_t head_count(const LayerSpec& layer);
std::size_t query_count(const LayerSpec& layer);
std::size_t key_count(const LayerSpec& layer);

// Throws Error, saying what does not fit and what would, unless the layer's parts belong together.
void check_layer(const LayerSpec& layer);

// The stages of the layer: x, position, q, k, v, scores, scaled, biased, mask, masked, row_max, exp, row_sum,
// weights, dropped, head_output, concat, output: those that this layer has, and its parameters before them.
// Throws what check_layer throws, and Error naming the stage for what only shows there.
Graph build_graph(const LayerSpec& layer);

// "use 4 or 8": the divisors of `width` around `heads`, for messages.
std::string nearest_heads(std::size_t width, std::size_t heads);

}  // namespace attn
