// The stages of a layer, from its inputs to its output: the one place that names them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/attention/layer.h"
#include "core/attention/layer_fields.h"
#include "core/text.h"

namespace attn {
namespace {

namespace field = layer_field;
using Inputs = std::vector<StageIndex>;

std::string number(double value) {
  return shortest(static_cast<float>(value));
}

// Builds the layer stage by stage; the members are what the stages share.
class LayerBuilder {
 public:
  LayerBuilder(Graph& graph, const LayerSpec& layer, const LayerPlace& place)
      : graph_(graph), layer_(layer), place_(place) {
    graph_.begin_part({.prefix = place.prefix, .title = place.title});
    const std::size_t queries = place.input ? graph.stages[*place.input].shape.rows : query_count(layer);
    const std::size_t keys =
        !layer.direct && layer.memory.empty() ? queries : key_count(layer);
    const auto tokens = std::make_shared<const Labels>(layer.tokens);
    const bool own_keys = layer.direct || !layer.memory.empty();
    const bool shared = !own_keys || (layer.memory_tokens.empty() && keys == queries);
    queries_ = {"query", tokens, Axis::queries};
    keys_ = {"key", shared ? tokens : std::make_shared<const Labels>(layer.memory_tokens), Axis::keys};
    sizes_ = {.queries = queries, .keys = keys};
  }

  LayerStages build() {
    layer_.direct ? direct() : projected();
    softmax(masked(biased(scaled(scores()))));
    merge(head_output(dropped()));
    graph_.parts.back().formula = formula();
    return places_;
  }

 private:
  // The stages that are added from here on belong to a step of their own.
  void step(std::string title, std::string says, std::string opened = {}) {
    step_ = graph_.add_step(
        {.title = std::move(title), .says = std::move(says), .opened = std::move(opened)});
  }

  StageIndex add(Stage stage) {
    stage.step = step_;
    return graph_.add(std::move(stage));
  }

  // A matrix of the document.
  StageIndex given(const TensorField& about, const Tensor& tensor, Axis rows, Axis columns,
                   std::string words = "given") {
    return add({.id = std::string(about.stage),
                .title = std::string(about.symbol),
                .formula = std::move(words),
                .operation = Source{tensor},
                .rows = std::move(rows),
                .columns = std::move(columns),
                .traced = about.traced,
                .role = about.role,
                .range = about.role == Role::mask ? Range::mask : Range::any,
                .drawn = about.drawn,
                .stack = about.stack,
                .sentence = std::string(about.number),
                .field = place_.field.empty() ? "" : place_.field + "." + std::string(about.text.key)});
  }

  void direct() {
    step("Q K V", "queries ask, keys answer, values carry the content");
    places_.input = places_.q = given(field::q, layer_.q, queries_, feature_);
    places_.k = given(field::k, layer_.k, keys_, feature_);
    places_.v = given(field::v, layer_.v, keys_, feature_);
  }

  StageIndex with_position(StageIndex tokens) {
    if (!layer_.sinusoidal_base) return tokens;
    const Shape shape = graph_.stages[tokens].shape;
    step("+ position", "each row gets a pattern that says where it stands");
    const StageIndex encoding = add({.id = "encoding",
                                     .title = "PE",
                                     .formula = "sin(p·ω), cos(p·ω)",
                                     .operation = SinusoidalEncoding{shape.rows, shape.columns,
                                                                     *layer_.sinusoidal_base},
                                     .rows = queries_,
                                     .columns = feature_,
                                     .traced = false,
                                     .drawn = Drawn::parameters,
                                     .sentence = "what position %i adds to feature %j"});
    return add({.id = "position",
                .title = "X + PE",
                .formula = "tokens + position",
                .operation = Add{},
                .inputs = {tokens, encoding},
                .rows = queries_,
                .columns = feature_,
                .role = Role::token,
                .sentence = "feature %j of %r, with its position added"});
  }

  struct Projection {
    const TensorField &result, &weights, &bias;
    const Tensor &w, &b;
    std::size_t heads;
    Axis rows;
    std::string formula;
  };

  StageIndex project(StageIndex from, const Projection& p) {
    Inputs inputs{from, given(p.weights, p.w, feature_, feature_)};
    const bool biased = !p.b.empty();
    if (biased) inputs.push_back(given(p.bias, p.b, {}, feature_));
    return add({.id = std::string(p.result.stage),
                .title = std::string(p.result.symbol),
                .formula = p.formula + (biased ? " + b" : ""),
                .operation = Project{p.heads},
                .inputs = std::move(inputs),
                .rows = p.rows,
                .columns = feature_,
                .role = p.result.role,
                .stack = p.result.stack,
                .sentence = std::string(p.result.number)});
  }

  void projected() {
    step("X", "every token is a row of numbers");
    const std::size_t first = step_;
    const StageIndex tokens =
        place_.input ? *place_.input : given(field::x, layer_.x, queries_, feature_, "tokens");
    const StageIndex x = places_.input = with_position(tokens);
    StageIndex from = x;
    std::string source = "X";
    if (!layer_.memory.empty()) {
      step_ = first;
      from = given(field::memory, layer_.memory, keys_, feature_, "memory");
      source = "M";
    }
    step("Q K V", "queries ask, keys answer, values carry the content");
    const LayerSpec& l = layer_;
    places_.q =
        project(x, {field::q, field::w_q, field::b_q, l.w_q, l.b_q, l.heads, queries_, "X·W_Q"});
    places_.k = project(
        from, {field::k, field::w_k, field::b_k, l.w_k, l.b_k, l.kv_heads, keys_, source + "·W_K"});
    places_.v = project(
        from, {field::v, field::w_v, field::b_v, l.w_v, l.b_v, l.kv_heads, keys_, source + "·W_V"});
  }

  // A number for each query and key of each head, on its way to the softmax.
  Stage score(std::string id, std::string words, Operation operation, Inputs inputs, std::string sentence) {
    return {.id = id,
            .title = id,
            .formula = std::move(words),
            .operation = std::move(operation),
            .inputs = std::move(inputs),
            .rows = queries_,
            .columns = keys_,
            .role = Role::score,
            .stack = Stack::heads,
            .sentence = std::move(sentence)};
  }

  // The seam for other scoring functions: each is one operation on Q and K (and its own parameters).
  StageIndex scores() {
    switch (layer_.scoring) {
      case Scoring::dot:
        break;
    }
    step("scores", "every query times every key");
    places_.scores = add(score("scores", "QKᵀ", MatMul{.transpose_right = true}, {places_.q, places_.k},
                               "how much %r looks at %c, before scaling"));
    return places_.scores;
  }

  StageIndex scaled(StageIndex scores) {
    const std::string width = std::to_string(graph_.stages[places_.q].shape.columns);
    Scale scale{.factor = 1, .text = "1"};
    std::string words = "not scaled";
    if (layer_.scale.mode == ScaleMode::sqrt) {
      scale = {.factor = 1 / std::sqrt(static_cast<double>(graph_.stages[places_.q].shape.columns)),
               .text = "1/√" + width};
      words = "÷ √" + width;
      scale_span_ = "/ √d_k";
    } else if (layer_.scale.mode == ScaleMode::number) {
      scale = {.factor = layer_.scale.number, .text = number(layer_.scale.number)};
      words = "× " + scale.text;
    }
    if (layer_.temperature != 1) words += " · T " + number(layer_.temperature);
    // At 0 the softmax is hard, the scores keep their scale.
    if (layer_.temperature != 0 && layer_.temperature != 1) {
      scale.factor /= layer_.temperature;
      scale.text += " ÷ " + number(layer_.temperature);
    }
    if (scale_span_.empty() && scale.text != "1") scale_span_ = "× " + scale.text;
    step("scaled", "divided, so that wide heads don't saturate the softmax");
    return scaled_ = add(score("scaled", words, scale, {scores}, "how much %r looks at %c, after scaling"));
  }

  StageIndex biased(StageIndex scaled) {
    if (layer_.bias.empty()) return scaled;
    step("biased", "a number added to every pair of query and key");
    const StageIndex bias = given(field::bias, layer_.bias, queries_, keys_);
    biased_ = {bias, add(score("biased", "scaled + bias", Add{}, {scaled, bias},
                               "how much %r looks at %c, with the bias"))};
    return biased_.back();
  }

  StageIndex masked(StageIndex scores) {
    Mask mask = sizes_;
    mask.rules = layer_.masks;
    std::string words;
    for (const MaskRule& rule : mask.rules) words += (words.empty() ? "" : " or ") + std::string(name(rule));
    if (!layer_.mask.empty()) words += words.empty() ? "painted" : " or painted";
    if (words.empty()) return scores;
    step("masked", "keys that a query must not see are struck out");
    Inputs painted;
    if (!layer_.mask.empty()) painted = {given(field::mask, layer_.mask, queries_, keys_)};
    Stage rules = score("mask", words, mask, std::move(painted), "whether %c is hidden from %r: 1 = masked");
    rules.role = Role::mask, rules.range = Range::mask;
    rules.drawn = Drawn::never, rules.stack = Stack::shared;
    mask_ = add(std::move(rules));
    Stage filled = score("masked", words, MaskFill{layer_.fill}, {scores, *mask_},
                         "how much %r looks at %c, as far as the mask allows");
    filled.mask = mask_;
    masked_ = {*mask_, add(std::move(filled))};
    return masked_.back();
  }

  // One number for each query.
  StageIndex statistic(std::string id, std::string title, std::string words, Operation operation,
                       StageIndex input, std::string sentence) {
    return add({.id = std::move(id),
                .title = std::move(title),
                .formula = std::move(words),
                .operation = std::move(operation),
                .inputs = {input},
                .rows = queries_,
                .columns = {},
                .role = Role::statistic,
                .drawn = Drawn::inside,
                .stack = Stack::heads,
                .sentence = std::move(sentence)});
  }

  void softmax(StageIndex x) {
    const bool hard = layer_.temperature == 0;
    step("row max", "the largest score of each row: keeps exp small");
    const StageIndex maximum =
        statistic("row_max", "row max", "max over keys", RowMaximum{}, x,
                  "the largest score of %r: subtracted so that exp stays small");
    step("exp", "e to the power of the score minus its row's maximum");
    Stage shares = score("exp", hard ? "1 at the maximum" : "exp(score − row max)",
                         Exponential{hard, layer_.empty_row}, {x, maximum},
                         "the share of %c for %r, before the row is divided by its sum");
    shares.role = Role::plain, shares.range = Range::positive;
    shares.drawn = Drawn::inside, shares.mask = mask_;
    const StageIndex exp = add(std::move(shares));
    step("sum", "each row's exponentials added up");
    const StageIndex sum = statistic("row_sum", "row sum", "Σ over keys", RowSum{}, exp,
                                     "all shares of %r together: what each is divided by");
    step("weights", "each row divided by its sum: it adds up to 1", "÷ sum");
    Stage weights = score("weights", "softmax by row", Normalize{}, {exp, sum}, "how much of %c goes into %r");
    weights.role = Role::weights, weights.range = Range::unit, weights.mask = mask_;
    places_.weights = add(std::move(weights));
    softmax_ = {maximum, exp, sum, places_.weights};
  }

  StageIndex dropped() {
    if (layer_.dropout == 0) return places_.weights;
    step("dropped", "some weights set to 0 by chance, the others raised");
    Stage kept = score("dropped", "dropout p " + number(layer_.dropout),
                       Dropout{layer_.dropout, layer_.dropout_seed}, {places_.weights},
                       "how much of %c goes into %r, after dropout");
    kept.role = Role::weights, kept.range = Range::unit, kept.mask = mask_;
    dropped_ = {add(std::move(kept))};
    return dropped_.back();
  }

  bool has_projection() const { return !layer_.direct && !layer_.w_o.empty(); }
  // The heads' outputs become something else: several heads side by side, W_O, a muted head, an override.
  bool merges() const {
    const auto is_output = [&](const StageOverride& o) { return o.stage == place_.prefix + "output"; };
    return has_projection() || !layer_.muted_heads.empty() || head_count(layer_) > 1 ||
           std::ranges::any_of(graph_.overrides, is_output);
  }

  Stage output(std::string id, std::string title, std::string words, Operation operation, Inputs inputs,
               std::string sentence) {
    return {.id = std::move(id),
            .title = std::move(title),
            .formula = std::move(words),
            .operation = std::move(operation),
            .inputs = std::move(inputs),
            .rows = queries_,
            .columns = feature_,
            .role = Role::output,
            .sentence = std::move(sentence)};
  }

  StageIndex head_output(StageIndex weights) {
    step(merges() ? "head output" : "output", "values mixed by the weights");
    Stage heads = output("head_output", "head output", "weights · V", MatMul{}, {weights, places_.v},
                         "feature %j of what %r collected in head %h");
    heads.stack = Stack::heads;
    return places_.head_output = add(std::move(heads));
  }

  // Without W_O the output is the heads side by side: the same operation on the same input, found, not
  // repeated.
  void merge(StageIndex head_output) {
    const bool projects = has_projection();
    if (merges())
      step(projects ? "concat · W_O" : "concat",
           projects ? "the heads side by side, times W_O" : "the heads side by side");
    const Concat concat{layer_.muted_heads};
    Stage merged = output("concat", "concat", "heads side by side", concat, {head_output},
                          "column %j of what all heads collected for %r");
    if (!projects) merged.drawn = Drawn::never;
    const StageIndex side_by_side = add(std::move(merged));
    Stage last = output("output", "output", "the heads' outputs", concat, {head_output},
                        "feature %j of the new %r");
    if (!merges()) last.drawn = Drawn::never;
    if (projects) {
      Inputs inputs{side_by_side, given(field::w_o, layer_.w_o, feature_, feature_)};
      if (!layer_.b_o.empty()) inputs.push_back(given(field::b_o, layer_.b_o, {}, feature_));
      last.formula = std::string("concat · W_O") + (layer_.b_o.empty() ? "" : " + b");
      last.operation = Project{1};
      last.inputs = std::move(inputs);
      projection_ = {side_by_side, last.inputs[1]};
    }
    places_.output = add(std::move(last));
    if (projects) projection_.push_back(places_.output);
  }

  // The layer's own formula, piece by piece.
  std::vector<FormulaSpan> formula() const {
    std::vector<FormulaSpan> spans;
    if (!dropped_.empty()) spans.push_back({"dropout(", dropped_});
    spans.push_back({"softmax(", softmax_});
    spans.push_back({"Q", {places_.q, places_.scores}});
    spans.push_back({"Kᵀ", {places_.k, places_.scores}});
    if (!scale_span_.empty()) spans.push_back({scale_span_, {scaled_}});
    if (!biased_.empty()) spans.push_back({"+ bias", biased_});
    if (!masked_.empty()) spans.push_back({"+ mask", masked_});
    spans.push_back({")", softmax_});
    if (!dropped_.empty()) spans.push_back({")", dropped_});
    spans.push_back({"V", {places_.v, places_.head_output}});
    if (!projection_.empty()) spans.push_back({"W_O", projection_});
    return spans;
  }

  Graph& graph_;
  const LayerSpec& layer_;
  const LayerPlace& place_;
  Axis queries_, keys_, feature_{"feature"};
  Mask sizes_;
  std::size_t step_ = Stage::kNoStep;
  LayerStages places_;
  std::optional<StageIndex> mask_;
  StageIndex scaled_ = 0;
  std::string scale_span_;                                            // of the formula
  Inputs biased_, masked_, softmax_, dropped_, projection_;  // the stages behind its other spans
};

}  // namespace

LayerStages append_layer(Graph& graph, const LayerSpec& layer, const LayerPlace& place) {
  check_layer(layer, place.input ? std::optional(graph.stages[*place.input].shape) : std::nullopt);
  return LayerBuilder(graph, layer, place).build();
}

Graph build_graph(const LayerSpec& layer) {
  Graph graph;
  append_layer(graph, layer);
  return graph;
}

}  // namespace attn
