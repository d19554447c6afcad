// A model's graph: embedding, blocks, norm, head and loss, for all rows of a batch one below the other.
#include "core/learning/model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::size_t kMostLayers = 8, kMostTrainedWidth = 512, kMostInner = 2048;

// Stages in the order of the parameters, which it takes one by one.
struct ModelBuilder {
  Graph& graph;
  const TrainingModel& model;
  const TrainingTask& task;
  std::size_t rows;
  const std::vector<TrainedParameter>& parameters;
  const std::vector<Tensor>& numbers;
  ModelStages stages = {};
  bool decoding = false;                          // which side is built
  std::optional<StageIndex> bucket_numbers = {};  // of t5, on that side

  std::size_t places() const { return decoding ? answers_of(task) : length_of(task); }

  // The id is the parameter's name, behind that of the second part of an array a number.
  void give_parameters() {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const TrainedParameter& of = parameters[i];
      const std::string id = of.name + (of.first_row ? "." + std::to_string(of.first_row) : "");
      stages.parameters.push_back(graph.add({.id = id,
                                             .title = id,
                                             .formula = "learned",
                                             .symbol = of.name,
                                             .operation = Source{numbers[i]},
                                             .columns = {"feature"},
                                             .traced = false,
                                             .drawn = Drawn::parameters}));
    }
  }

  StageIndex parameter(const std::string& name, std::size_t first_row = 0) const {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].name == name && parameters[i].first_row == first_row) return stages.parameters[i];
    throw Error("the model has no parameter " + name);
  }

  StageIndex add(const std::string& id, Operation operation, std::vector<StageIndex> inputs) {
    Stage stage{
        .id = id, .title = id, .formula = {}, .operation = std::move(operation), .inputs = std::move(inputs)};
    stage.columns = {"feature"};
    return graph.add(std::move(stage));
  }

  StageIndex given(const std::string& id, Tensor numbers_given) {
    return add(id, Source{std::move(numbers_given)}, {});
  }

  StageIndex norm(const std::string& name, StageIndex from) {
    return add(name, RowNorm{true, kTrainedNormEpsilon},
               {from, parameter(name + ".weight"), parameter(name + ".bias")});
  }

  // y = x·Wᵀ, and what is added to it.
  StageIndex linear(const std::string& id, StageIndex from, StageIndex weight,
                    std::vector<StageIndex> others = {}, AfterProduct after = AfterProduct::nothing) {
    std::vector<StageIndex> inputs{from, weight};
    inputs.insert(inputs.end(), others.begin(), others.end());
    return add(id, MatMul{.transpose_right = true, .in_float = true, .after = after}, std::move(inputs));
  }

  // The end of a box: what it adds to the stream, or what takes its place.
  StageIndex write(const std::string& name, StageIndex from, StageIndex weight, StageIndex stream,
                   std::vector<StageIndex> others = {}) {
    if (model.residual) others.push_back(stream);
    return linear(name + ".stream", from, weight, std::move(others),
                  model.residual ? AfterProduct::residual : AfterProduct::nothing);
  }

  double scale() const {
    return model.scale ? 1 / std::sqrt(static_cast<double>(model.width / model.heads)) : 1;
  }

  SequenceAttention attention(bool cross) const {
    SequenceAttention op{.sequences = rows,
                         .heads = model.heads,
                         .scale = scale(),
                         .causal = !cross && is_causal(model, decoding),
                         .alibi = model.position == TrainingPosition::alibi && !cross};
    if (cross) return op;
    if (model.position == TrainingPosition::relative) op.offsets = Clip{kTrainedClip};
    if (model.position == TrainingPosition::t5) op.offsets = Buckets{.causal = op.causal};
    return op;
  }

  StageIndex reshaped(const std::string& id, StageIndex from, const Shape& shape) {
    return add(id, Reshape{shape}, {from});
  }

  // Queries and keys turned by their places; values as they are.
  StageIndex turned(const std::string& name, StageIndex qkv) {
    const std::size_t all = 3 * model.width;
    const StageIndex apart = reshaped(name + ".by_sequence", qkv, {rows, places(), all});
    const Rotate turn{.rotary = {.part = 2 * model.width}, .heads = 2 * model.heads};
    return reshaped(name + ".turned_rows", add(name + ".turned", turn, {apart}), {1, rows * places(), all});
  }

  // What queries make of relative vectors: of each row and head a number for each offset.
  StageIndex by_relative(const std::string& name, StageIndex q) {
    const std::size_t all = rows * places(), offsets = index_count(Clip{kTrainedClip});
    const StageIndex heads =
        reshaped(name + ".q_heads", q, {1, all * model.heads, model.width / model.heads});
    const StageIndex vectors = add(name + ".relative", Scale{.factor = scale(), .text = "1/√d_k"},
                                   {parameter(name + ".relative.weight")});
    const StageIndex met = linear(name + ".met", heads, vectors);
    return reshaped(name + ".added", met, {1, all, model.heads * offsets});
  }

  // T5's numbers, heads one behind the other, the same in every row. Of a side, all of whose layers add them.
  StageIndex by_buckets(const std::string& side_name) {
    const std::string table = side_name + ".relative_attention_bias";
    const Shape row{1, 1, model.heads * Buckets().count};
    const Shape all{1, rows * places(), row.columns};
    const StageIndex by_head = add(table + ".by_head", Transpose{}, {parameter(table + ".weight")});
    return add(side_name + ".added", AddRepeated{},
               {given(side_name + ".zeros", Tensor(all, std::vector<float>(all.size()))),
                reshaped(table + ".row", by_head, row)});
  }

  // The inputs of self-attention: projections, and what is added to the scores.
  std::vector<StageIndex> projected(const std::string& name, StageIndex from) {
    const StageIndex weight = parameter(name + ".in_proj_weight");
    if (model.position == TrainingPosition::relative) {
      const StageIndex q = linear(name + ".q", from, weight);
      const StageIndex kv = linear(name + ".kv", from, parameter(name + ".in_proj_weight", model.width));
      return {q, kv, by_relative(name, q)};
    }
    const StageIndex qkv = linear(name + ".qkv", from, weight);
    if (model.position == TrainingPosition::rope) return {turned(name, qkv)};
    if (bucket_numbers) return {qkv, *bucket_numbers};
    return {qkv};
  }

  StageIndex self_attention(const std::string& name, StageIndex from, StageIndex stream) {
    const StageIndex mixed = add(name + ".mixed", attention(false), projected(name, from));
    stages.attentions.push_back({.name = name, .operation = attention(false), .from = from, .mixed = mixed});
    return write(name, mixed, parameter(name + ".out_proj.weight"), stream);
  }

  StageIndex cross_attention(const std::string& name, StageIndex from, StageIndex memory, StageIndex stream) {
    const StageIndex q = linear(name + ".q", from, parameter(name + ".in_proj_weight"));
    const StageIndex kv = linear(name + ".kv", memory, parameter(name + ".in_proj_weight", model.width));
    const StageIndex mixed = add(name + ".mixed", attention(true), {q, kv});
    stages.attentions.push_back({.name = name,
                                 .cross = true,
                                 .operation = attention(true),
                                 .from = from,
                                 .mixed = mixed,
                                 .memory = memory});
    return write(name, mixed, parameter(name + ".out_proj.weight"), stream);
  }

  StageIndex feed_forward(const std::string& name, StageIndex from, StageIndex stream) {
    const StageIndex inner = linear(name + ".inner", from, parameter(name + ".linear1.weight"),
                                    {parameter(name + ".linear1.bias")});
    const StageIndex bent = add(name + ".gelu", Activation{ActivationKind::gelu}, {inner});
    return write(name, bent, parameter(name + ".linear2.weight"), stream,
                 {parameter(name + ".linear2.bias")});
  }

  StageIndex side(const std::string& name, StageIndex stream, std::optional<StageIndex> memory) {
    if (model.position == TrainingPosition::t5) bucket_numbers = by_buckets(name);
    for (std::size_t i = 0; i < model.layers; ++i) {
      const std::string block = name + ".layers." + std::to_string(i);
      const std::size_t first = stages.attentions.size();
      stream = self_attention(block + ".self_attn", norm(block + ".norm1", stream), stream);
      if (memory)
        stream = cross_attention(block + ".multihead_attn", norm(block + ".norm2", stream), *memory, stream);
      if (model.inner > 0)
        stream = feed_forward(block, norm(block + (memory ? ".norm3" : ".norm2"), stream), stream);
      for (std::size_t k = first; k < stages.attentions.size(); ++k)
        stages.attentions[k].layer = i, stages.attentions[k].decoder = memory.has_value();
    }
    return norm(name + ".norm", stream);
  }

  // Rows of a table, and where they stand.
  StageIndex embedded(const std::string& id, const std::string& table, StageIndex ids) {
    const StageIndex rows_of_table = add(id, Embedding{}, {parameter(table), ids});
    if (model.position == TrainingPosition::learned) {
      const bool own = decoding && has_own_places(model, task);
      return add(id + ".positioned", AddRepeated{},
                 {rows_of_table, parameter("position.weight", own ? length_of(task) : 0)});
    }
    if (model.position == TrainingPosition::sinusoidal) {
      const StageIndex sines = add(id + ".sines", SinusoidalEncoding{places(), model.width}, {});
      return add(id + ".positioned", AddRepeated{}, {rows_of_table, sines});
    }
    return rows_of_table;
  }

  // What has been written before each answer: a product moves all answers of a row on by a place, and puts
  // the start symbol before them. Products of whole numbers by 0 and 1 are exact.
  StageIndex written(StageIndex target) {
    const std::size_t n = places();
    std::vector<float> on(n * n), start(n);
    for (std::size_t i = 0; i + 1 < n; ++i) on[i * n + i + 1] = 1;
    start[0] = static_cast<float>(symbols_of(task));
    const StageIndex by_row = reshaped("target.by_row", target, {1, rows, n});
    const StageIndex moved = add("target.moved", MatMul{.in_float = true},
                                 {by_row, given("target.on", {{1, n, n}, std::move(on)}),
                                  given("target.start", {{1, 1, n}, std::move(start)})});
    return reshaped("written", moved, {1, rows * n, 1});
  }

  StageIndex decoder_input(StageIndex target) {
    if (reads_written(model)) return embedded("written.embedded", "embedding.weight", written(target));
    const Shape slots{1, rows * places(), 1};
    return embedded("blank", "query.weight", given("slots", Tensor(slots, std::vector<float>(slots.size()))));
  }

  void build(StageIndex input, StageIndex target) {
    give_parameters();
    StageIndex stream = side("encoder", embedded("embedded", "embedding.weight", input), std::nullopt);
    if (model.sides == TrainingSides::both) {
      decoding = true;
      stream = side("decoder", decoder_input(target), stream);
    }
    stages.logits = linear("logits", stream, parameter(model.tied ? "embedding.weight" : "head.weight"));
    stages.loss = graph.add({.id = "loss",
                             .title = "loss",
                             .formula = "mean cross-entropy",
                             .operation = CrossEntropy{true},
                             .inputs = {stages.logits, target},
                             .role = Role::loss});
  }
};

}  // namespace

const char* name(TrainingPosition position) {
  constexpr std::array kNames{"learned", "sinusoidal", "none", "alibi", "rope", "relative", "t5"};
  return kNames[static_cast<std::size_t>(position)];
}

const char* name(TrainingDecoder decoder) {
  return decoder == TrainingDecoder::slots ? "slots" : "written";
}

std::string model_refusal(const TrainingModel& model, const TrainingTask& task) {
  const auto beyond = [](const char* what, std::size_t is, std::size_t least, std::size_t most) {
    return std::string(what) + " can be from " + std::to_string(least) + " to " + std::to_string(most) +
           ", not " + std::to_string(is);
  };
  if (model.decoder == TrainingDecoder::written && model.sides != TrainingSides::both)
    return std::string(task_text(task.kind).word) + " has no decoder that could read what is written";
  if (model.layers < 1 || model.layers > kMostLayers) return beyond("layers", model.layers, 1, kMostLayers);
  if (model.width < 1 || model.width > kMostTrainedWidth)
    return beyond("the width", model.width, 1, kMostTrainedWidth);
  if (model.inner > kMostInner) return beyond("the inner width", model.inner, 0, kMostInner);
  if (model.heads < 1 || model.width % model.heads != 0)
    return std::to_string(model.heads) + " heads do not divide the width of " + std::to_string(model.width);
  if (model.width / model.heads > SequenceAttention::kMostWidth)
    return "heads are at most " + std::to_string(SequenceAttention::kMostWidth) +
           " wide: take more of them, or a smaller width";
  if (model.position == TrainingPosition::rope && model.width / model.heads % 2 != 0)
    return "RoPE turns pairs of features, and heads are " + std::to_string(model.width / model.heads) +
           " wide: take an even width of a head";
  if (std::max(length_of(task), answers_of(task)) > SequenceAttention::kMostTokens)
    return "a sequence has at most " + std::to_string(SequenceAttention::kMostTokens) + " places";
  return {};
}

ModelStages append_model(Graph& graph, const TrainingModel& model, const TrainingTask& task, std::size_t rows,
                         StageIndex input, StageIndex target, const std::vector<Tensor>& numbers) {
  const std::vector<TrainedParameter> parameters = parameters_of(model, task);
  ModelBuilder builder{graph, model, task, rows, parameters, numbers};
  builder.build(input, target);
  return std::move(builder.stages);
}

}  // namespace attn
