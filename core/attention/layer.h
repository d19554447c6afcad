// LayerSpec: one attention layer as the user edits it. A plain value: copy to snapshot, == to detect an edit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/local.h"
#include "core/attention/mistake_fields.h"
#include "core/attention/position.h"
#include "core/attention/scoring.h"
#include "core/attention/weighting.h"
#include "core/graph/graph.h"
#include "core/operations/precision.h"

namespace attn {

// Where masked keys are struck out: scores before the softmax, or weights after it.
enum class MaskAt { before, after };

enum class ScaleMode { sqrt, none, number };  // 1/√d_k, 1, the number

struct Scaling {
  ScaleMode mode = ScaleMode::sqrt;
  double number = 1;  // kept in mind while the mode is another
  bool operator==(const Scaling&) const = default;
};

// Its fields, and all that is said about them, are listed in layer_fields.h.
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
  HeadCut head_split = HeadCut::columns, head_merge = HeadCut::columns;
  HeadGroups head_groups = HeadGroups::repeated;
  KeyTurn key_turn = KeyTurn::transposed;

  bool qk_norm = false;       // queries and keys divided by their root mean square, before RoPE
  double qk_gain = 1;         // and multiplied by it
  bool qk_norm_last = false;  // after RoPE

  Scoring scoring = Scoring::dot;
  // Its parameters; those that are empty are made. W of general d_q×d_k, of concat d_a×(d_q+d_k); W_q
  // d_a×d_q, W_k d_a×d_k; v 1×d_a.
  Tensor score_w, score_w_q, score_w_k, score_v;
  double sigma = 1;  // of the Gaussian; above 0
  Scaling scale;
  double temperature = 1;  // ≥ 0; 0 is hard lookup
  double soft_cap = 0;     // the scaled scores become c·tanh(score/c); 0 is off
  Weighting weighting = Weighting::softmax;
  SoftmaxOver softmax_over = SoftmaxOver::keys;  // of a weighting that makes rows add up
  Tensor bias;  // 1×n×m or h×n×m, added to the scaled scores; may be empty

  std::vector<MaskTerm> masks;  // the list of rules, joined from left to right
  Tensor mask;                  // the user's, 1×n×m or h×n×m, nonzero = masked; may be empty
  Fill fill = Fill::negative_infinity;
  EmptyRow empty_row = EmptyRow::zeros;
  MaskAt mask_at = MaskAt::before;

  Local local = Local::none;
  std::size_t local_reach = 2;  // D: keys at most this far from the centre are seen; above 0
  Tensor local_w, local_v;      // of predictive: W_p d_p×d_q and v_p 1×d_p; empty ones are made

  Position position;               // how tokens are told where they stand
  std::size_t first_position = 0;  // of the first token
  bool position_twice = false;     // added, or turned by, once more
  bool rope_on_values = false;
  double dropout = 0;
  std::uint64_t dropout_seed = 0;
  Tensor dropout_mask;  // h×n×m or 1×n×m, 0 = dropped, in place of what the seed draws; may be empty
  NumberFormat precision = NumberFormat::float32;  // that every stage's numbers are rounded to

  Labels tokens, memory_tokens;  // of queries and keys; empty: indices

  bool operator==(const LayerSpec& other) const;
};

// The heads the layer computes: `heads` when projected, Q's stack when direct.
std::size_t head_count(const LayerSpec& layer);
std::size_t kv_head_count(const LayerSpec& layer);
std::size_t query_count(const LayerSpec& layer);
std::size_t key_count(const LayerSpec& layer);

// What its weights are made by: the softmax of temperature 0 is hard.
inline Weighting weighting_of(const LayerSpec& layer) {
  const bool hard = layer.temperature == 0 && layer.weighting == Weighting::softmax;
  return hard ? Weighting::hard : layer.weighting;
}

// What its weights add up along. Those that are made each by itself add up along nothing.
inline bool is_over(const LayerSpec& layer, SoftmaxOver over) {
  return layer.softmax_over == over && weighting_text(weighting_of(layer)).total != RowTotal::any;
}
inline bool is_over_queries(const LayerSpec& layer) {
  return is_over(layer, SoftmaxOver::queries);
}
inline bool is_over_heads(const LayerSpec& layer) {
  return is_over(layer, SoftmaxOver::heads);
}

// The layer's first rule of a kind, or null; and the layer with another one in its place (none: without it),
// joined and negated as that one was. A rule that comes is joined by OR.
template <class Rule>
const Rule* find_rule(const LayerSpec& layer) {
  for (const MaskTerm& term : layer.masks)
    if (const auto* found = std::get_if<Rule>(&term.rule)) return found;
  return nullptr;
}
template <class Rule>
void set_rule(LayerSpec& layer, std::optional<Rule> wanted) {
  for (auto it = layer.masks.begin(); it != layer.masks.end(); ++it)
    if (auto* found = std::get_if<Rule>(&it->rule)) {
      wanted ? void(*found = std::move(*wanted)) : void(layer.masks.erase(it));
      return;
    }
  if (wanted) layer.masks.push_back({.rule = std::move(*wanted)});
}

// Throws Error, saying what does not fit and what would, unless the layer's parts belong together. `input`:
// the shape of what stands in place of x.
void check_layer(const LayerSpec& layer, std::optional<Shape> input = {});

// Where a layer's stages go in a graph.
struct LayerPlace {
  std::string prefix = {};               // of the stages' ids: "b."
  std::string title = {};                // of the part, where there are several: "B"
  std::optional<Address> address = {};   // of the document's layers, that it is: its tensors can be edited
  std::optional<StageIndex> input = {};  // 1×n×d in place of the layer's own x
  // 1×m×d in place of its own memory: keys and values come from there.
  std::optional<StageIndex> memory = {};
  // Queries, keys and values in place of its own and of projections; a position is added to both of the
  // first.
  std::optional<std::array<StageIndex, 3>> qkv = {};
  bool joins = false;                    // the part that was begun last goes on, prefix and title are its
  std::optional<std::size_t> step = {};  // of the graph, for all its stages; empty: steps of its own
};

// Places of a layer's stages that others build on, or read from what its attention is.
struct LayerStages {
  StageIndex input = 0;            // x with its position; of a direct layer its Q
  StageIndex q = 0, k = 0, v = 0;  // what the scores are made of: normed and rotated, where the layer does
  StageIndex scores = 0, weights = 0, head_output = 0, output = 0;
  // The scores that the weighting reads: over queries, a row for each key; over heads, one for each pair.
  StageIndex weighed = 0;
  std::optional<StageIndex> w_o = {};
  // Queries and keys whose product the scores are; none: the scores are something else.
  std::optional<std::array<StageIndex, 2>> factors = {};
  // Between the scaled scores and the softmax, where the layer does that.
  std::optional<StageIndex> capped = {}, bias = {}, biased = {}, mask = {}, masked = {};
  StageIndex mixed = 0;  // values mixed by the weights, before anything is added
};

// Appends the stages of the layer: x, position, q, k, v, q_normed, k_normed, q_rotated, k_rotated, v_rotated,
// k_tiled, v_tiled, k_reshaped, what its scoring function has on the way (core/attention/layer_scoring.cpp),
// scores, scaled, capped, bias, biased, mask, those of local attention (core/attention/layer_local.cpp),
// masked, those of its weighting (core/attention/weighting.h), weights, masked_weights, local_weights,
// dropped, head_output, concat, output, over queries mask_by_key, scores_by_key, weights_by_key, and over
// heads the same by pair: those that this layer has, and its parameters before them. Throws what check_layer
// throws, and Error naming the stage for what only shows there.
LayerStages append_layer(Graph& graph, const LayerSpec& layer, const LayerPlace& place = {});

// A graph of the layer alone.
Graph build_graph(const LayerSpec& layer);

// The divisors of `width`, ascending: how many heads it can be split into.
std::vector<std::size_t> divisors(std::size_t width);

// "use 4 or 8": the divisors of `width` around `heads`, for messages.
std::string nearest_heads(std::size_t width, std::size_t heads);

}  // namespace attn
