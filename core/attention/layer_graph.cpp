// The stages of a layer, from its inputs to its output. The four runs they come in have files of their own;
// here is what these share, and their order.
#include "core/attention/layer_builder.h"
#include "core/attention/scoring_parameters.h"
#include "core/graph/rounding.h"
#include "core/text/text.h"

namespace attn {

std::string number_words(double value) {
  return brief(value);
}

void wrap(std::vector<FormulaSpan>& formula, const std::string& before, const std::string& behind,
          const std::vector<StageIndex>& stages) {
  formula.insert(formula.begin(), {before, stages});
  formula.push_back({behind, stages});
}

LayerBuilder::LayerBuilder(Graph& target, const LayerSpec& spec, const LayerPlace& where)
    : graph(target), layer(spec), place(where) {
  const bool own_keys = spec.direct || !spec.memory.empty() || where.memory || where.qkv;
  const auto rows_of = [&](StageIndex stage) { return target.stages[stage].shape.rows; };
  sizes.queries = where.qkv     ? rows_of((*where.qkv)[0])
                  : where.input ? rows_of(*where.input)
                                : query_count(spec);
  sizes.keys = where.qkv      ? rows_of((*where.qkv)[1])
               : where.memory ? rows_of(*where.memory)
               : own_keys     ? key_count(spec)
                              : sizes.queries;
  sizes.first = first_place(spec.masks, sizes.queries, sizes.keys);
  const auto behind = [&](std::ptrdiff_t more) {
    return spec.first_position + static_cast<std::size_t>(std::max<std::ptrdiff_t>(more, 0));
  };
  query_position = behind(sizes.first), key_position = behind(-sizes.first);
  step = where.step.value_or(Stage::kNoStep);
  const auto tokens = std::make_shared<const Labels>(spec.tokens);
  const bool shared = !own_keys || (spec.memory_tokens.empty() && sizes.keys == sizes.queries);
  queries = {"query", tokens, Axis::queries};
  keys = {"key", shared ? tokens : std::make_shared<const Labels>(spec.memory_tokens), Axis::keys};
}

Axis LayerBuilder::pairs() const {
  constexpr std::size_t kMostNamed = std::size_t{1} << 14;
  if (sizes.queries * sizes.keys > kMostNamed) return {.name = "pair"};
  const auto name = [](const Axis& axis, std::size_t i) {
    const bool named = axis.labels && i < axis.labels->size() && !(*axis.labels)[i].empty();
    return named ? (*axis.labels)[i] : std::to_string(i);
  };
  auto labels = std::make_shared<Labels>();
  for (std::size_t i = 0; i < sizes.queries; ++i)
    for (std::size_t j = 0; j < sizes.keys; ++j) labels->push_back(name(queries, i) + " → " + name(keys, j));
  return {.name = "pair", .labels = std::move(labels)};
}

void LayerBuilder::begin_step(std::string title, std::string says, std::string opened) {
  if (place.step) return;
  step = graph.add_step({.title = std::move(title), .says = std::move(says), .opened = std::move(opened)});
}

StageIndex LayerBuilder::add(Stage stage) {
  stage.step = step;
  return add_rounded(graph, std::move(stage), layer.precision);
}

StageIndex LayerBuilder::taken(StageIndex from) {
  if (layer.precision == NumberFormat::float32) return from;
  const Stage& other = graph.stages[from];
  Stage stage{.id = other.id + "_taken",
              .title = other.title + " as " + name(layer.precision),
              .formula = std::string("as ") + name(layer.precision),
              .operation = Round{layer.precision},
              .inputs = {from},
              .rows = other.rows,
              .columns = other.columns,
              .traced = false,
              .role = other.role,
              .drawn = Drawn::never,
              .stack = other.stack,
              .sentence = other.sentence};
  return graph.add(std::move(stage));
}

StageIndex LayerBuilder::given(const TensorField& about, const Tensor& tensor, Axis rows, Axis columns,
                               std::string words, std::string title) {
  return add({.id = std::string(about.stage),
              .title = title.empty() ? std::string(about.symbol) : std::move(title),
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
              .field = place.address ? field_of(*place.address, about.text.key) : ""});
}

StageIndex LayerBuilder::parameter(const ScoreParameter& parameter) {
  const Tensor& tensor = layer.*parameter.member;
  const TensorField& about = *parameter.field;
  const Axis rows = parameter.rows == 1 ? Axis{} : feature;
  if (!tensor.empty()) return given(about, tensor, rows, feature);
  return add({.id = std::string(about.stage),
              .title = std::string(about.symbol),
              .formula = "made: seed " + std::to_string(parameter.seed),
              .operation = made_parameter(parameter),
              .rows = rows,
              .columns = feature,
              .traced = about.traced,
              .drawn = about.drawn,
              .sentence = std::string(about.number)});
}

Stage LayerBuilder::pair(std::string id, std::string words, Operation operation,
                         std::vector<StageIndex> inputs, std::string sentence) const {
  return {.id = id,
          .title = id,
          .formula = std::move(words),
          .operation = std::move(operation),
          .inputs = std::move(inputs),
          .rows = queries,
          .columns = keys,
          .role = Role::score,
          .stack = Stack::heads,
          .sentence = std::move(sentence)};
}

Stage LayerBuilder::of_heads(std::string id, std::string words, Operation operation,
                             std::vector<StageIndex> inputs, std::string sentence) const {
  Stage stage =
      pair(std::move(id), std::move(words), std::move(operation), std::move(inputs), std::move(sentence));
  stage.columns = feature, stage.role = Role::output;
  return stage;
}

Stage LayerBuilder::made_from(StageIndex from, std::string id, std::string title, std::string words,
                              Operation operation, std::vector<StageIndex> inputs,
                              std::string sentence) const {
  const Stage& source = graph.stages[from];
  return {.id = std::move(id),
          .title = std::move(title),
          .formula = std::move(words),
          .operation = std::move(operation),
          .inputs = std::move(inputs),
          .rows = source.rows,
          .columns = feature,
          .role = source.role,
          .stack = source.stack,
          .sentence = std::move(sentence)};
}

StageIndex LayerBuilder::add_lengths(StageIndex from, std::string id, std::string title, RowLength operation,
                                     std::string sentence) {
  Stage lengths = made_from(from, std::move(id), std::move(title),
                            operation.mean ? "√(mean of squares + 1e−6)" : "√ of the squares’ sum", operation,
                            {from}, std::move(sentence));
  lengths.columns = {}, lengths.role = Role::statistic, lengths.drawn = Drawn::inside;
  return add(std::move(lengths));
}

LayerStages append_layer(Graph& graph, const LayerSpec& layer, const LayerPlace& place) {
  if (!place.qkv)
    check_layer(layer, place.input ? std::optional(graph.stages[*place.input].shape) : std::nullopt);
  if (!place.joins) graph.begin_part({.prefix = place.prefix, .title = place.title, .layer = place.address});
  LayerBuilder builder(graph, layer, place);
  append_inputs(builder);
  append_output(builder, append_weights(builder, append_scores(builder)));
  Part& part = graph.parts.back();
  part.formula = std::move(builder.formula);
  part.layer_end = graph.stages.size();
  if (!part.stages) part.stages = std::make_shared<const LayerStages>(builder.places);
  return builder.places;
}

Graph build_graph(const LayerSpec& layer) {
  Graph graph;
  append_layer(graph, layer);
  return graph;
}

}  // namespace attn
