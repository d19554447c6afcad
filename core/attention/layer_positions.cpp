// A layer's stages that know where tokens stand: what is added to X, queries and keys turned, biases of the
// scores, and learned vectors for offsets.
#include <cmath>

#include "core/attention/layer_builder.h"
#include "core/attention/layer_fields.h"

namespace attn {
namespace {

std::size_t columns_of(const LayerBuilder& b, StageIndex stage) {
  return b.graph.stages[stage].shape.columns;
}

// A table of learned numbers, shown with the other parameters.
Stage table(std::string id, std::string title, LearnedTable numbers, Axis rows, Axis columns,
            std::string sentence) {
  numbers.rows = numbers.length;
  return {.id = std::move(id),
          .title = std::move(title),
          .formula = "seed " + std::to_string(numbers.seed),
          .operation = numbers,
          .rows = std::move(rows),
          .columns = std::move(columns),
          .drawn = Drawn::parameters,
          .sentence = std::move(sentence)};
}

// ±0, −1, −2: the offset that each row of a relative table is for.
Axis offsets(const Clip& clip) {
  auto labels = std::make_shared<Labels>();
  const auto limit = static_cast<std::ptrdiff_t>(clip.limit);
  for (std::ptrdiff_t o = -limit; o <= limit; ++o)
    labels->push_back((o < 0 ? "−" : o > 0 ? "+" : "") + std::to_string(std::abs(o)));
  return {.name = "offset", .labels = std::move(labels)};
}

StageIndex relative_table(LayerBuilder& b, const Relative& relative, bool values) {
  const Clip clip{relative.clip};
  return b.add(table(values ? "relative_values" : "relative_keys", values ? "a_V" : "a_K",
                     {.length = index_count(clip),
                      .columns = columns_of(b, values ? b.places.v : b.places.k),
                      .seed = relative.seed + (values ? 1 : 0),
                      .sd = kRelativeSd},
                     offsets(clip), b.feature,
                     values ? "feature %j that %r adds to a value" : "feature %j that %r adds to a key"));
}

// What is added to the scaled scores, by each encoding; nothing by those that act elsewhere.
struct BiasOf {
  LayerBuilder& b;
  std::string id;

  Stage stage(std::string words, Operation operation, std::vector<StageIndex> inputs) const {
    Stage bias = b.pair(id, std::move(words), std::move(operation), std::move(inputs),
                        "what their distance adds when %r looks at %c");
    bias.title = "bias";
    bias.role = Role::bias;
    return bias;
  }
  void begin() const { b.begin_step("biased", "what the distance of query and key adds to their score"); }
  std::size_t heads() const { return head_count(b.layer); }

  std::optional<StageIndex> operator()(const Alibi&) const {
    begin();
    return b.add(stage("−slope · |i − j|", DistanceBias{heads(), b.sizes.queries, b.sizes.keys}, {}));
  }
  std::optional<StageIndex> operator()(const T5Bias& t5) const {
    begin();
    const Buckets buckets{t5.buckets, t5.max_distance, t5.causal};
    Stage numbers =
        table("bias_table", "T5 table",
              {.stack = heads(), .length = 1, .columns = t5.buckets, .seed = t5.seed, .sd = kBucketSd}, {},
              {"bucket"}, "what offsets of bucket %j add to a score in head %h");
    numbers.stack = Stack::heads;
    const StageIndex from = b.add(std::move(numbers));
    return b.add(stage("T5 table by bucket", ByOffset{buckets, b.sizes.queries, b.sizes.keys}, {from}));
  }
  // q_i·(k_j + a_{j−i}) is q_i·k_j and, scaled like it, q_i·a_{j−i}.
  std::optional<StageIndex> operator()(const Relative& relative) const {
    begin();
    const Clip clip{relative.clip};
    const StageIndex keys = relative_table(b, relative, false);
    Stage products = b.pair("relative_scores", "Q·a_Kᵀ", MatMul{.transpose_right = true}, {b.places.q, keys},
                            "how much %r looks for %c, before scaling");
    products.columns = offsets(clip);
    products.drawn = Drawn::parameters;
    Stage scaled = products;
    products.title = "Q·a_Kᵀ";
    const StageIndex by_offset = b.add(std::move(products));
    const Scale scale = score_scale(b.layer, columns_of(b, b.places.q));
    scaled.id = "relative_scaled", scaled.title = "Q·a_Kᵀ scaled", scaled.formula = "× " + scale.text;
    scaled.operation = scale, scaled.inputs = {by_offset};
    scaled.sentence = "how much %r looks for %c, after scaling";
    return b.add(stage("q_i · a_{j−i}, scaled", ByOffset{clip, b.sizes.queries, b.sizes.keys},
                       {b.add(std::move(scaled))}));
  }
  std::optional<StageIndex> operator()(const auto&) const { return std::nullopt; }
};

// What is added to X, one row for each token.
struct EncodingOf {
  Shape shape;
  std::size_t first;
  std::optional<Operation> operator()(const Sinusoidal& s) const {
    return SinusoidalEncoding{shape.rows, shape.columns, s.base, first};
  }
  std::optional<Operation> operator()(const Learned& l) const {
    return LearnedTable{.length = l.length,
                        .columns = shape.columns,
                        .seed = l.seed,
                        .sd = kLearnedSd,
                        .first = first,
                        .rows = shape.rows};
  }
  std::optional<Operation> operator()(const auto&) const { return std::nullopt; }
};

}  // namespace

StageIndex append_encoding(LayerBuilder& b, StageIndex tokens) {
  const Shape shape = b.graph.stages[tokens].shape;
  const auto operation = std::visit(EncodingOf{shape, b.layer.first_position}, b.layer.position);
  if (!operation) return tokens;
  const bool learned = std::holds_alternative<Learned>(b.layer.position);
  b.begin_step("+ position", "each row gets a pattern that says where it stands");
  const StageIndex encoding = b.add({.id = "encoding",
                                     .title = "PE",
                                     .formula = learned ? "learned, a row a position" : "sin(p·ω), cos(p·ω)",
                                     .operation = *operation,
                                     .rows = b.queries,
                                     .columns = b.feature,
                                     .traced = false,
                                     .drawn = Drawn::parameters,
                                     .sentence = "what position %i adds to feature %j"});
  return b.add({.id = "position",
                .title = "X + PE",
                .formula = "tokens + position",
                .operation = Add{},
                .inputs = {tokens, encoding},
                .rows = b.queries,
                .columns = b.feature,
                .role = Role::token,
                .sentence = "feature %j of %r, with its position added"});
}

void append_rotation(LayerBuilder& b) {
  const auto* rotary = std::get_if<Rotary>(&b.layer.position);
  if (!rotary) return;
  b.begin_step("rotated", "queries and keys turn by an angle that grows with their position");
  const auto rotated = [&](StageIndex from, std::string id, std::string sentence) {
    const Stage& source = b.graph.stages[from];
    return b.add({.id = std::move(id),
                  .title = "R·" + source.title,
                  .formula = "pairs turned by p·θ",
                  .operation = Rotate{*rotary, b.layer.first_position},
                  .inputs = {from},
                  .rows = source.rows,
                  .columns = source.columns,
                  .role = source.role,
                  .stack = source.stack,
                  .sentence = std::move(sentence)});
  };
  b.places.q = rotated(b.places.q, "q_rotated", "feature %j of the query of %r, turned by its position");
  b.places.k = rotated(b.places.k, "k_rotated", "feature %j of the key of %r, turned by its position");
}

StageIndex append_bias(LayerBuilder& b, StageIndex scores) {
  const bool given = !b.layer.bias.empty();
  std::optional<StageIndex> bias = std::visit(BiasOf{b, given ? "position_bias" : "bias"}, b.layer.position);
  if (!bias && !given) return scores;
  if (!bias) b.begin_step("biased", "a number added to every pair of query and key");
  if (given) {
    const StageIndex own = b.given(layer_field::bias, b.layer.bias, b.queries, b.keys);
    if (bias) {
      Stage both =
          b.pair("bias", "position + given", Add{}, {*bias, own}, "what is added when %r looks at %c");
      both.role = Role::bias;
      bias = b.add(std::move(both));
    } else {
      bias = own;
    }
  }
  const StageIndex result = b.add(
      b.pair("biased", "scaled + bias", Add{}, {scores, *bias}, "how much %r looks at %c, with the bias"));
  b.formula.push_back({"+ bias", {*bias, result}});
  return result;
}

StageIndex append_relative_output(LayerBuilder& b, StageIndex weights, Stage content) {
  const auto* relative = std::get_if<Relative>(&b.layer.position);
  if (!relative || !relative->values) return b.add(std::move(content));
  Stage total = content, offset = content;
  content.id = "content_output", content.title = "weights · V", content.drawn = Drawn::parameters;
  content.sentence = "feature %j of the values that %r collected in head %h";
  const StageIndex collected = b.add(std::move(content));
  const Clip clip{relative->clip};
  Stage shares = b.pair("relative_weights", "weights by offset", SumByOffset{clip}, {weights},
                        "how much of what lies at %c goes into %r");
  shares.columns = offsets(clip);
  shares.role = Role::plain, shares.range = Range::positive, shares.drawn = Drawn::parameters;
  const StageIndex by_offset = b.add(std::move(shares));
  offset.id = "relative_output", offset.title = "weights · a_V", offset.formula = "weights by offset · a_V";
  offset.drawn = Drawn::parameters;
  offset.sentence = "feature %j of what the offsets added for %r in head %h";
  offset.inputs = {by_offset, relative_table(b, *relative, true)};
  total.formula = "weights · (V + a_V)";
  total.operation = Add{};
  total.inputs = {collected, b.add(std::move(offset))};
  return b.add(std::move(total));
}

}  // namespace attn
