// Graphs of attention for the clock: queries, keys and values are given, so that a mechanism is timed and
// nothing else; the layer's stages have their projections.
#include "core/measure/measure_graph.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/measure/baseline_names.h"
#include "core/measure/kinds.h"
#include "core/tensor/random.h"

namespace attn {
namespace {

// Random numbers over and over: as many as no width divides, so that no two rows are equal.
constexpr std::size_t kNumbers = 65521;  // a prime

struct Builder {
  Graph graph = {};
  LayerInputs given_as;

  StageIndex add(std::string id, Operation operation, std::vector<StageIndex> inputs) {
    return graph.add({.id = id,
                      .title = id,
                      .formula = {},
                      .operation = std::move(operation),
                      .inputs = std::move(inputs)});
  }

  // `last`: of each row.
  StageIndex give(const std::string& id, Shape shape, double deviation = 1, std::optional<float> last = {}) {
    if (given_as == LayerInputs::shapes)
      return add(id, Source{Tensor::on_device(shape, std::make_shared<int>())}, {});
    const std::uint64_t seed = graph.stages.size() + 1;
    std::vector<float> values(shape.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] =
          i < kNumbers ? static_cast<float>(deviation) * random_normal(seed, i) : values[i - kNumbers];
    for (std::size_t i = shape.columns - 1; last && i < values.size(); i += shape.columns) values[i] = *last;
    return add(id, Source{Tensor(shape, std::move(values))}, {});
  }

  StageIndex weights(const std::string& id, std::size_t rows, std::size_t columns) {
    return give(id, {1, rows, columns}, 1 / std::sqrt(static_cast<double>(rows)));
  }

  StageIndex project(const std::string& id, StageIndex x, std::size_t heads, std::size_t width) {
    const StageIndex w = weights("w_" + id, graph.stages[x].shape.columns, heads * width);
    return add(id, Project{heads}, {x, w});
  }

  // GELU(x·W + b)·W' + b' + x: each product with what follows it in one stage.
  std::array<StageIndex, 2> feed_forward(StageIndex x, std::size_t inner_width) {
    const std::size_t d = graph.stages[x].shape.columns;
    const StageIndex w = weights("w_inner", d, inner_width), b = give("b_inner", {1, 1, inner_width});
    const StageIndex inner = add("inner", Project{.after = AfterProduct::gelu}, {x, w, b});
    const StageIndex back = weights("w_outer", inner_width, d), b_back = give("b_outer", {1, 1, d});
    return {inner, add("outer", Project{.after = AfterProduct::residual}, {inner, back, b_back, x})};
  }

  // softmax(q·kᵀ ÷ √d_k)·v, as the layer computes it.
  StageIndex attend(StageIndex q, StageIndex k, StageIndex v) {
    const double d_k = static_cast<double>(graph.stages[q].shape.columns);
    const StageIndex scores = add("scores", MatMul{.transpose_right = true}, {q, k});
    const StageIndex scaled = add("scaled", Scale{.factor = 1 / std::sqrt(d_k), .text = {}}, {scores});
    const StageIndex maximum = add("row_max", RowMaximum{}, {scaled});
    const StageIndex exponentials = add("exp", Exponential{}, {scaled, maximum});
    const StageIndex sum = add("row_sum", RowSum{}, {exponentials});
    const StageIndex weights = add("weights", Normalize{}, {exponentials, sum});
    return add("head_output", MatMul{.in_blocks = true}, {weights, v});
  }
};

Graph full(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  Builder b{.given_as = inputs};
  const StageIndex q = b.give("q", {s.heads, n, s.d_k()}), k = b.give("k", {s.kv_heads, n, s.d_k()});
  b.attend(q, k, b.give("v", {s.kv_heads, n, s.d_k()}));
  return std::move(b.graph);
}

Graph flash_with(const MeasureShape& s, std::size_t n, LayerInputs inputs, FlashAttention op) {
  Builder b{.given_as = inputs};
  const StageIndex q = b.give("q", {s.heads, n, s.d_k()}), k = b.give("k", {s.kv_heads, n, s.d_k()});
  const StageIndex v = b.give("v", {s.kv_heads, n, s.d_k()});
  op.scale = 1 / std::sqrt(static_cast<double>(s.d_k()));
  b.add("flash", std::move(op), {q, k, v});
  return std::move(b.graph);
}

Graph flash(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  return flash_with(s, n, inputs, {});
}

// Keys that a sparse pattern masks are not touched.
MaskTerm usual_window() {
  return {WindowRule{kUsualWindow}};
}

Graph window(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  return flash_with(s, n, inputs, {.masks = {usual_window()}});
}

Graph strided(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  const double root = std::ceil(std::sqrt(static_cast<double>(n)));
  return flash_with(s, n, inputs, {.masks = {{StridedRule{static_cast<std::size_t>(root)}}}});
}

std::string too_wide(const MeasureShape& s) {
  return too_wide_for_flash(s.d_k());
}

// With elu + 1 of queries and keys, each of which sees all others.
Graph linear(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  Builder b{.given_as = inputs};
  const StageIndex q = b.give("q", {s.heads, n, s.d_k()}), k = b.give("k", {s.kv_heads, n, s.d_k()});
  const StageIndex v = b.give("v", {s.kv_heads, n, s.d_k()});
  const StageIndex of_queries = b.add("phi_q", FeatureMap{}, {q}),
                   of_keys = b.add("phi_k", FeatureMap{}, {k});
  b.add("linear", LinearAttention{}, {of_queries, of_keys, v});
  return std::move(b.graph);
}

// The nth token: its own query, its own key and value, the n − 1 others' from the cache. Where the new ones
// lie among the others costs nothing: they are written there.
Graph cached(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  Builder b{.given_as = inputs};
  const StageIndex x = b.give("x", {1, 1, s.d});
  const StageIndex q = b.project("q", x, s.heads, s.d_k());
  b.project("k", x, s.kv_heads, s.d_k());
  b.project("v", x, s.kv_heads, s.d_k());
  const StageIndex keys = b.give("keys", {s.kv_heads, n, s.d_k()});
  const StageIndex out = b.attend(q, keys, b.give("values", {s.kv_heads, n, s.d_k()}));
  b.project("output", b.add("concat", Concat{}, {out}), 1, s.d);
  return std::move(b.graph);
}

// The same with the keys and values of all n tokens computed again.
Graph uncached(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  Builder b{.given_as = inputs};
  const StageIndex q = b.project("q", b.give("x", {1, 1, s.d}), s.heads, s.d_k());
  const StageIndex all = b.give("tokens", {1, n, s.d});
  const StageIndex k = b.project("k", all, s.kv_heads, s.d_k());
  const StageIndex out = b.attend(q, k, b.project("v", all, s.kv_heads, s.d_k()));
  b.project("output", b.add("concat", Concat{}, {out}), 1, s.d);
  return std::move(b.graph);
}

// X·W_Q, X·W_K, X·W_V and the heads' outputs times W_O.
Builder projected(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  Builder b{.given_as = inputs};
  const StageIndex x = b.give("x", {1, n, s.d});
  b.project("q", x, s.heads, s.d_k());
  b.project("k", x, s.kv_heads, s.d_k());
  b.project("v", x, s.kv_heads, s.d_k());
  b.project("output", b.give("concat", {1, n, s.heads * s.d_k()}), 1, s.d);
  return b;
}

Graph projections(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  return std::move(projected(s, n, inputs).graph);
}

Graph rest(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  Builder b = projected(s, n, inputs);
  if (s.feed_forward > 0) b.feed_forward(b.graph.stages.size() - 1, s.feed_forward);
  return std::move(b.graph);
}

// The time of linear attention has long grown by a power there, and of a stride devices get a list of all
// pairs.
constexpr std::size_t kLongestRoad = 65536;
constexpr MeasureSubject kSubjects[]{
    {.name = "full", .title = "full", .build = full},
    {.name = "flash", .title = "flash", .build = flash, .misfit = too_wide},
    {.name = "window", .title = "window", .build = window, .misfit = too_wide},
    {.name = "strided", .title = "strided", .build = strided, .misfit = too_wide, .longest = kLongestRoad},
    {.name = "linear", .title = "linear", .build = linear, .longest = kLongestRoad},
    {.name = "recurrent", .title = "recurrent", .build = nullptr, .why = "not measured: no kernel yet"},
    {.name = kProjections, .title = "Q K V W_O", .build = projections, .part = MeasuredPart::layer_rest},
    {.name = kRestOfLayer, .title = "all the rest", .build = rest, .part = MeasuredPart::layer_rest},
    {.name = "cached", .title = "next token, cache", .build = cached, .part = MeasuredPart::next_token},
    {.name = "uncached",
     .title = "next token, no cache",
     .build = uncached,
     .part = MeasuredPart::next_token}};

double bytes_of(const Shape& shape) {
  return static_cast<double>(shape.size()) * sizeof(float);
}

}  // namespace

std::string MeasureSubject::why_not(const MeasureShape& shape) const {
  if (!build) return std::string(why);
  return misfit ? misfit(shape) : std::string();
}

std::span<const MeasureSubject> measure_subjects() {
  return kSubjects;
}

Graph build_product(const MeasureShape&, std::size_t n, LayerInputs inputs) {
  Builder b{.given_as = inputs};
  const StageIndex left = b.give("left", {1, n, n});
  b.add("product", MatMul{.in_blocks = true}, {left, b.give("right", {1, n, n})});
  return std::move(b.graph);
}

Graph build_layer_norm(const MeasureShape& shape, std::size_t n, LayerInputs inputs) {
  Builder b{.given_as = inputs};
  const StageIndex x = b.give("x", {1, n, shape.d}), gain = b.give("gain", {1, 1, shape.d});
  b.add("layer_norm", RowNorm{}, {x, gain, b.give("bias", {1, 1, shape.d})});
  return std::move(b.graph);
}

Graph build_causal_flash(const MeasureShape& shape, std::size_t n, LayerInputs inputs) {
  return flash_with(shape, n, inputs, {.masks = {{CausalRule{}}}});
}

Graph build_causal_window(const MeasureShape& shape, std::size_t n, LayerInputs inputs) {
  return flash_with(shape, n, inputs, {.masks = {usual_window(), {CausalRule{}}}});
}

Graph build_flash_weights(const MeasureShape& shape, std::size_t n, LayerInputs inputs) {
  return flash_with(shape, n, inputs, {.weights = true});
}

Graph build_flash_backward(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  Builder b{.given_as = inputs};
  const Shape of_queries{s.heads, n, s.d_k()}, of_keys{s.kv_heads, n, s.d_k()};
  const StageIndex q = b.give("q", of_queries), k = b.give("k", of_keys), v = b.give("v", of_keys);
  // The logarithm of n exponentials of normal numbers is about this.
  const float log_sum = std::log(static_cast<float>(n)) + 0.5f;
  const StageIndex result = b.give("result", {s.heads, n, s.d_k() + 1}, 1, log_sum);
  const StageIndex gradient = b.give("gradient", of_queries);
  const FlashAttention forward{.scale = 1 / std::sqrt(static_cast<double>(s.d_k()))};
  for (const FlashSide side : {FlashSide::queries, FlashSide::keys})
    b.add(side == FlashSide::queries ? "to_queries" : "to_keys", FlashGradient{forward, side},
          {q, k, v, result, gradient});
  return std::move(b.graph);
}

Graph build_decode(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  Builder b{.given_as = inputs};
  const Shape row{s.kv_heads, 1, s.d_k()}, cache{s.kv_heads, n, s.d_k()};
  const StageIndex q = b.give("q", {s.heads, 1, s.d_k()}), k = b.give("k", row), v = b.give("v", row);
  const StageIndex place = b.give("place", {1, 1, 1}, 1, static_cast<float>(n - 1));
  const StageIndex keys = b.add("keys", PutRows{}, {b.give("key_cache", cache), k, place});
  const StageIndex values = b.add("values", PutRows{}, {b.give("value_cache", cache), v, place});
  b.add("decode", CachedAttention{.scale = 1 / std::sqrt(static_cast<double>(s.d_k()))},
        {q, keys, values, place});
  return std::move(b.graph);
}

MeasureLayer build_measured_layer(const MeasureShape& s, std::size_t n, LayerInputs inputs) {
  Builder b{.given_as = inputs};
  const StageIndex x = b.give("x", {1, n, s.d});
  const StageIndex q = b.project("q", x, s.heads, s.d_k());
  const StageIndex k = b.project("k", x, s.kv_heads, s.d_k());
  const StageIndex v = b.project("v", x, s.kv_heads, s.d_k());
  const StageIndex out = b.attend(q, k, v), scores = out - 6;
  const StageIndex concat = b.add("concat", Concat{}, {out});
  const StageIndex last = b.project("output", concat, 1, s.d);
  MeasureLayer layer{.graph = {},
                     .groups = {{"q", "X·W_Q", {q}},
                                {"k", "X·W_K", {k}},
                                {"v", "X·W_V", {v}},
                                {"scores", "QKᵀ", {scores}},
                                {"scaled", "÷ √d_k", {scores + 1}},
                                {"weights", "softmax", {scores + 2, scores + 3, scores + 4, scores + 5}},
                                {"head_output", "weights · V", {out}},
                                {"output", "concat · W_O", {concat, last}}}};
  if (s.feed_forward > 0) {
    const auto [inner, outer] = b.feed_forward(last, s.feed_forward);
    layer.groups.push_back({"feed_forward", "feed-forward: GELU between two products", {inner, outer}});
  }
  layer.graph = std::move(b.graph);
  return layer;
}

Work work_of(const Graph& graph, StageIndex stage) {
  const Stage& s = graph.stages[stage];
  if (s.given()) return {};
  if (s.traits.in_place) return {0, 2 * bytes_of(graph.stages[s.inputs[s.inputs.size() > 1]].shape)};
  Work work{s.traits.counted.value_or(size_of(s.shape)), bytes_of(s.shape)};
  for (const Shape& input : graph.input_shapes(s)) work.bytes += bytes_of(input);
  return work;
}

Work work_of(const Graph& graph) {
  Work sum;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Work work = work_of(graph, i);
    sum.operations += work.operations, sum.bytes += work.bytes;
  }
  return sum;
}

}  // namespace attn
