// A layer whose scores and weights nobody asks for: one kernel from queries, keys and values to the heads'
// outputs.
#include "core/attention/layer_flash.h"

#include <algorithm>

#include "core/attention/flash_operation.h"
#include "core/attention/layer_builder.h"
#include "core/attention/layer_fields.h"
#include "core/attention/layer_positions.h"
#include "core/system/error.h"

namespace attn {
namespace {

namespace field = layer_field;

std::size_t widest_head(const LayerSpec& layer) {
  if (layer.direct) return std::max(layer.q.columns(), layer.v.columns());
  return std::max(layer.w_q.columns() / layer.heads, layer.w_v.columns() / layer.kv_heads);
}

bool is_masked(const LayerSpec& layer) {
  return !layer.masks.empty() || !layer.mask.empty();
}

// Of all pairs, from where on the keys that rules leave apart are no faster to list one by one than their
// matrix is to read.
constexpr double kDense = 0.25;

// Whether the operation takes the mask's rules as they are.
bool goes_by_rules(const LayerBuilder& b) {
  const Mask& of = b.sizes;
  const KeptPairs kept = kept_pairs(b.layer.masks, of.queries, of.keys, of.first);
  return !kept.apart || kept.count <= kDense * static_cast<double>(of.queries) * static_cast<double>(of.keys);
}

// The mask, and what the operation is told of it.
void hide(LayerBuilder& b, FlashAttention& op, bool as_stage, std::vector<StageIndex>& inputs) {
  const bool by_rules = goes_by_rules(b);
  const std::vector<StageIndex> painted = append_painted_mask(b);
  if (!by_rules || (as_stage && is_masked(b.layer))) b.places.mask = append_mask(b, painted);
  if (by_rules) op.masks = b.layer.masks;
  const std::vector<StageIndex> read = by_rules ? painted : std::vector{*b.places.mask};
  op.masked = !read.empty();
  inputs.insert(inputs.end(), read.begin(), read.end());
}

// The operation without its inputs' numbers; these are appended to `inputs`.
FlashAttention flash_of(LayerBuilder& b, bool mask_as_stage, std::vector<StageIndex>& inputs) {
  const LayerSpec& layer = b.layer;
  FlashAttention op = flash_operation(layer, b.graph.stages[b.places.q].shape.columns, b.sizes.first);
  op.alibi = std::holds_alternative<Alibi>(layer.position);
  op.bias = !layer.bias.empty();
  if (const auto* t5 = std::get_if<T5Bias>(&layer.position)) {
    op.offsets = buckets_of(*t5);
    inputs.push_back(append_bucket_table(b, *t5));
  }
  if (op.bias) inputs.push_back(b.given(field::bias, layer.bias, b.queries, b.keys));
  hide(b, op, mask_as_stage, inputs);
  return op;
}

constexpr const char* kWithoutWeights = "feature %j of what %r collected in head %h, last the log-sum-exp";
constexpr const char* kWithWeights =
    "feature %j of what %r collected in head %h, then the log-sum-exp, last the weights";

// Cut out of what the kernel wrote, from this column on.
void append_flash_weights(LayerBuilder& b, StageIndex flash, std::size_t first) {
  Stage weights = b.pair("weights", "exp(score − log_sum)", TakeColumns{first, b.sizes.keys}, {flash},
                         "how much of %c goes into %r");
  weights.role = Role::weights, weights.range = Range::unit, weights.mask = b.places.mask;
  b.places.weights = b.add(std::move(weights));
}

}  // namespace

FlashAttention flash_operation(const LayerSpec& layer, std::size_t width, std::ptrdiff_t first) {
  return {.scale = score_scale(layer, width).factor,
          .cap = layer.soft_cap,
          .with_one = layer.weighting == Weighting::softmax_1,
          .empty_row = layer.empty_row,
          .first = first};
}

std::string titled(std::string_view title, std::string_view word) {
  return std::string(title) + " " + std::string(word);
}

std::string pairwise_obstacle(const LayerSpec& layer) {
  if (layer.scoring != Scoring::dot)
    return titled("score", scoring_text(layer.scoring).word) + " is not a product of queries and keys";
  if (is_over_queries(layer)) return "the softmax is over queries";
  if (is_over_heads(layer)) return "the softmax is over heads";
  if (layer.mask_at == MaskAt::after && is_masked(layer)) return "the mask comes after the softmax";
  if (std::holds_alternative<Relative>(layer.position))
    return "relative positions need the weights by offset";
  if (layer.local != Local::none) return "local attention needs the centre of each query first";
  if (!layer.dropout_mask.empty()) return "a given pattern drops single weights";
  if (layer.dropout > 0) return "dropout is drawn for each weight";
  if (layer.precision != NumberFormat::float32)
    return titled("precision", name(layer.precision)) + " rounds every stage";
  if (layer.fill != Fill::negative_infinity && is_masked(layer))
    return "masked scores are filled with a number";
  return {};
}

std::string flash_obstacle(const LayerSpec& layer) {
  if (std::string obstacle = pairwise_obstacle(layer); !obstacle.empty()) return obstacle;
  const Weighting weighting = weighting_of(layer);
  if (weighting != Weighting::softmax && weighting != Weighting::softmax_1)
    return titled("weighting", weighting_text(weighting).word) + " cannot be computed with a running sum";
  if (layer.position_twice && std::holds_alternative<Alibi>(layer.position))
    return "ALiBi is added twice, and the kernel adds it once";
  return too_wide_for_flash(widest_head(layer));
}

LayerStages append_flash_layer(Graph& graph, const LayerSpec& layer, const FlashRequest& request) {
  check_layer(layer);
  if (const std::string obstacle = flash_obstacle(layer); !obstacle.empty())
    throw Error("flash attention cannot compute this layer: " + obstacle);
  graph.begin_part({});
  const LayerPlace place;
  LayerBuilder b(graph, layer, place);
  append_inputs(b);
  b.places.k = append_turned_keys(b, b.places.k);
  std::vector<StageIndex> inputs{b.places.q, b.places.k, b.places.v};
  FlashAttention op = flash_of(b, request.mask, inputs);
  op.weights = request.weights, op.tiles = request.tiles;
  const std::size_t columns = graph.stages[b.places.v].shape.columns;
  b.begin_step("flash", "scores, softmax and values tile by tile: no score is kept");
  Stage fused = b.of_heads("flash", "softmax(scores) · V, tile by tile", std::move(op), std::move(inputs),
                           request.weights ? kWithWeights : kWithoutWeights);
  fused.traced = false;
  const StageIndex flash = b.add(std::move(fused));
  const StageIndex output = b.add(b.of_heads("head_output", "weights · V", TakeColumns{0, columns}, {flash},
                                             "feature %j of what %r collected in head %h"));
  Stage sums = b.of_heads("log_sum", "ln Σ exp(score)", TakeColumns{columns, 1}, {flash},
                          "the logarithm of the sum that the exponentials of %r are divided by");
  sums.columns = {}, sums.role = Role::statistic;
  b.add(std::move(sums));
  if (request.weights) append_flash_weights(b, flash, columns + 1);
  append_merged(b, output);
  graph.parts.back().layer_end = graph.stages.size();
  return b.places;
}

}  // namespace attn
