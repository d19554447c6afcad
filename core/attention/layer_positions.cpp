// A layer's stages that know where tokens stand: what is added to X, queries and keys turned, biases of the
// scores, and learned vectors for offsets.
#include <cmath>

#include "core/attention/layer_positions.h"

#include "core/attention/layer_builder.h"
#include "core/attention/layer_fields.h"
#include "core/system/error.h"

namespace attn {
namespace {

std::size_t columns_of(const LayerBuilder& b, StageIndex stage) {
  return b.graph.stages[stage].shape.columns;
}

StageIndex append_table(LayerBuilder& b, const Relative& relative, bool values) {
  const StageIndex of = values ? b.places.v : b.places.k;
  return b.add_position(drawn_table(
      values ? "relative_values" : "relative_keys", values ? "a_V" : "a_K",
      relative_table(relative, columns_of(b, of), values), offset_axis(Clip{relative.clip}), b.feature,
      values ? "feature %j that %r adds to a value" : "feature %j that %r adds to a key"));
}

// What is added to the scaled scores, by each encoding; nothing by those that act elsewhere.
struct BiasOf {
  LayerBuilder& b;
  std::string id;

  Stage stage(std::string words, Operation operation, std::vector<StageIndex> inputs) const {
    Stage bias = b.pair(id, std::move(words), std::move(operation), std::move(inputs),
                        "what their distance adds when %r looks at %c");
    bias.title = b.layer.bias.empty() ? "bias" : "position bias";
    bias.role = Role::bias;
    return bias;
  }
  void begin() const { b.begin_step("biased", "what the distance of query and key adds to their score"); }
  std::size_t heads() const { return head_count(b.layer); }

  std::optional<StageIndex> operator()(const Alibi&) const {
    begin();
    return b.add_position(
        stage("−slope · |i − j|", DistanceBias{heads(), b.sizes.queries, b.sizes.keys, b.sizes.first}, {}));
  }
  std::optional<StageIndex> operator()(const T5Bias& t5) const {
    begin();
    const StageIndex from = append_bucket_table(b, t5);
    return b.add(stage("T5 table by bucket",
                       ByOffset{buckets_of(t5), b.sizes.queries, b.sizes.keys, b.sizes.first}, {from}));
  }
  // q_i·(k_j + a_{j−i}) is q_i·k_j and, scaled like it, q_i·a_{j−i}.
  std::optional<StageIndex> operator()(const Relative& relative) const {
    begin();
    const Clip clip{relative.clip};
    const StageIndex keys = append_table(b, relative, false);
    Stage products = b.pair("relative_scores", "Q·a_Kᵀ", MatMul{.transpose_right = true}, {b.places.q, keys},
                            "how much %r looks for %c, before scaling");
    products.columns = offset_axis(clip);
    products.drawn = Drawn::parameters;
    Stage scaled = products;
    products.title = "Q·a_Kᵀ";
    const StageIndex by_offset = b.add(std::move(products));
    const Scale scale = score_scale(b.layer, columns_of(b, b.places.q));
    scaled.id = "relative_scaled", scaled.title = "Q·a_Kᵀ scaled", scaled.formula = "× " + scale.text;
    scaled.operation = scale, scaled.inputs = {by_offset};
    scaled.numbers = scale_numbers(b.layer, scale);
    scaled.sentence = "how much %r looks for %c, after scaling";
    return b.add(stage("q_i · a_{j−i}, scaled", ByOffset{clip, b.sizes.queries, b.sizes.keys, b.sizes.first},
                       {b.add(std::move(scaled))}));
  }
  std::optional<StageIndex> operator()(const auto&) const { return std::nullopt; }
};

}  // namespace

Stage drawn_table(std::string id, std::string title, const LearnedTable& numbers, Axis rows, Axis columns,
                  std::string sentence) {
  return {.id = std::move(id),
          .title = std::move(title),
          .formula = "seed " + std::to_string(numbers.seed),
          .operation = numbers,
          .rows = std::move(rows),
          .columns = std::move(columns),
          .drawn = Drawn::parameters,
          .sentence = std::move(sentence)};
}

StageIndex append_bucket_table(LayerBuilder& b, const T5Bias& t5) {
  Stage numbers = drawn_table("bias_table", "T5 table", bucket_table(t5, head_count(b.layer)), {}, {"bucket"},
                              "what offsets of bucket %j add to a score in head %h");
  numbers.stack = Stack::heads;
  return b.add_position(std::move(numbers));
}

LearnedTable relative_table(const Relative& relative, std::size_t columns, bool values) {
  const std::size_t rows = index_count(Clip{relative.clip});
  return {.length = rows,
          .columns = columns,
          .seed = relative.seed + (values ? 1 : 0),
          .sd = kRelativeSd,
          .rows = rows};
}

LearnedTable bucket_table(const T5Bias& t5, std::size_t heads) {
  return {.stack = heads, .length = 1, .columns = t5.buckets, .seed = t5.seed, .sd = kBucketSd, .rows = 1};
}

Buckets buckets_of(const T5Bias& t5) {
  return {t5.buckets, t5.max_distance, t5.causal};
}

Axis offset_axis(const Clip& clip) {
  auto labels = std::make_shared<Labels>();
  const auto limit = static_cast<std::ptrdiff_t>(clip.limit);
  for (std::ptrdiff_t o = -limit; o <= limit; ++o)
    labels->push_back((o < 0 ? "−" : o > 0 ? "+" : "") + std::to_string(std::abs(o)));
  return {.name = "offset", .labels = std::move(labels)};
}

std::optional<Operation> encoding_operation(const Position& position, const Shape& shape, std::size_t first) {
  if (const auto* sinusoidal = std::get_if<Sinusoidal>(&position))
    return SinusoidalEncoding{shape.rows, shape.columns, sinusoidal->base, first};
  if (const auto* learned = std::get_if<Learned>(&position))
    return LearnedTable{.length = learned->length,
                        .columns = shape.columns,
                        .seed = learned->seed,
                        .sd = kLearnedSd,
                        .first = first,
                        .rows = shape.rows};
  return std::nullopt;
}

// Of X, or of queries or keys that are given: those of these ids.
StageIndex append_encoding(LayerBuilder& b, StageIndex tokens, std::size_t first, const std::string& of) {
  const Stage from = b.graph.stages[tokens];
  const auto operation = encoding_operation(b.layer.position, from.shape, first);
  if (!operation) return tokens;
  const bool learned = std::holds_alternative<Learned>(b.layer.position);
  const Axis rows = of.empty() ? b.queries : from.rows;
  b.begin_step("+ position", "each row gets a pattern that says where it stands");
  const StageIndex encoding =
      b.add_position({.id = of + (of.empty() ? "" : "_") + "encoding",
                      .title = of.empty() ? "PE" : "PE of " + from.title,
                      .formula = learned ? "learned, a row a position" : "sin(p·ω), cos(p·ω)",
                      .operation = *operation,
                      .rows = rows,
                      .columns = b.feature,
                      .traced = false,
                      .drawn = Drawn::parameters,
                      .sentence = "what position %i adds to feature %j"});
  return b.add({.id = of + (of.empty() ? "" : "_") + "position",
                .title = (of.empty() ? "X" : from.title) + (b.layer.position_twice ? " + 2 PE" : " + PE"),
                .formula = of.empty() ? "tokens + position" : "with position",
                .operation = Add{},
                .inputs = {tokens, encoding},
                .rows = rows,
                .columns = b.feature,
                .role = of.empty() ? Role::token : from.role,
                .stack = of.empty() ? Stack::joined : from.stack,
                .sentence = "feature %j of %r, with its position added"});
}

namespace {

void check_values_turn(const Rotary& rotary, std::size_t width) {
  const std::size_t turned = rotary.turned(width);
  if (turned <= width && turned % 2 == 0) return;
  throw Error("RoPE cannot turn " + std::to_string(turned) + " features of values that are " +
              std::to_string(width) + " wide: give V an even width, or leave values as they are");
}

}  // namespace

void append_rotation(LayerBuilder& b) {
  const auto* rotary = std::get_if<Rotary>(&b.layer.position);
  if (!rotary) return;
  const bool values = b.layer.rope_on_values, twice = b.layer.position_twice;
  std::string says = values ? "queries, keys and values" : "queries and keys";
  says += " turn by an angle that grows with their position";
  b.begin_step("rotated", twice ? says + ", twice" : says);
  const auto rotated = [&](StageIndex from, const TensorField& about, std::size_t first, std::string id,
                           std::string sentence) {
    const Stage& source = b.graph.stages[from];
    Stage stage{.id = std::move(id),
                .title = (b.layer.qk_norm ? std::string(about.symbol) : source.title) + " rotated",
                .formula = "pairs turned by p·θ",
                .operation = Rotate{*rotary, first},
                .inputs = {from},
                .rows = source.rows,
                .columns = source.columns,
                .role = source.role,
                .stack = source.stack,
                .sentence = std::move(sentence)};
    if (!twice) return b.add(std::move(stage));
    Stage again = stage;
    stage.id += "_once", stage.traced = false, stage.drawn = Drawn::inside;
    again.title += " twice", again.formula = "and turned by p·θ again";
    again.inputs = {b.add(std::move(stage))};
    return b.add(std::move(again));
  };
  b.places.q = rotated(b.places.q, layer_field::q, b.query_position, "q_rotated",
                       "feature %j of the query of %r, turned by its position");
  b.places.k = rotated(b.places.k, layer_field::k, b.key_position, "k_rotated",
                       "feature %j of the key of %r, turned by its position");
  if (!values) return;
  check_values_turn(*rotary, columns_of(b, b.places.v));
  b.places.v = rotated(b.places.v, layer_field::v, b.key_position, "v_rotated",
                       "feature %j of the value of %r, turned by its position");
}

StageIndex append_bias(LayerBuilder& b, StageIndex scores) {
  const bool given = !b.layer.bias.empty();
  std::optional<StageIndex> bias = std::visit(BiasOf{b, given ? "position_bias" : "bias"}, b.layer.position);
  if (!bias && !given) return scores;
  if (!bias) b.begin_step("biased", "a number added to every pair of query and key");
  if (given) {
    const StageIndex own =
        b.given(layer_field::bias, b.layer.bias, b.queries, b.keys, "given", bias ? "given bias" : "");
    if (bias) {
      Stage both =
          b.pair("bias", "position + given", Add{}, {*bias, own}, "what is added when %r looks at %c");
      both.role = Role::bias;
      bias = b.add(std::move(both));
    } else {
      bias = own;
    }
  }
  b.places.bias = bias;
  b.places.biased = b.add(
      b.pair("biased", "scaled + bias", Add{}, {scores, *bias}, "how much %r looks at %c, with the bias"));
  b.formula.push_back({"+ bias", {*bias, *b.places.biased}});
  return *b.places.biased;
}

StageIndex append_relative_output(LayerBuilder& b, StageIndex weights, Stage content) {
  const auto* relative = std::get_if<Relative>(&b.layer.position);
  if (!relative || !relative->values) return b.places.mixed = b.add(std::move(content));
  Stage total = content, offset = content;
  content.id = "content_output", content.title = "weights · V", content.drawn = Drawn::parameters;
  content.sentence = "feature %j of the values that %r collected in head %h";
  const StageIndex collected = b.places.mixed = b.add(std::move(content));
  const Clip clip{relative->clip};
  Stage shares = b.pair("relative_weights", "weights by offset", SumByOffset{clip, b.sizes.first}, {weights},
                        "how much of what lies at %c goes into %r");
  shares.columns = offset_axis(clip);
  shares.title = "weights by offset";
  shares.role = Role::plain, shares.range = Range::positive, shares.drawn = Drawn::parameters;
  const StageIndex by_offset = b.add(std::move(shares));
  offset.id = "relative_output", offset.title = "weights · a_V", offset.formula = "weights by offset · a_V";
  offset.drawn = Drawn::parameters;
  offset.sentence = "feature %j of what the offsets added for %r in head %h";
  offset.inputs = {by_offset, append_table(b, *relative, true)};
  total.formula = "weights · (V + a_V)";
  total.operation = Add{};
  total.inputs = {collected, b.add(std::move(offset))};
  return b.add(std::move(total));
}

std::vector<std::size_t> second_order(std::size_t tokens) {
  std::vector<std::size_t> order;
  for (const std::size_t first : {1u, 0u})
    for (std::size_t token = first; token < tokens; token += 2) order.push_back(token);
  return order;
}

}  // namespace attn
