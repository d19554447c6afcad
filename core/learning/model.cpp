// A model's graph: embedding, blocks, norm, head and loss, for all rows of a batch one below the other.
#include "core/learning/model.h"

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

  SequenceAttention attention(bool cross) const {
    const double width = static_cast<double>(model.width / model.heads);
    return {.sequences = rows,
            .heads = model.heads,
            .scale = model.scale ? 1 / std::sqrt(width) : 1,
            .causal = model.sides == TrainingSides::causal,
            .alibi = model.position == TrainingPosition::alibi && !cross};
  }

  StageIndex self_attention(const std::string& name, StageIndex from, StageIndex stream) {
    const StageIndex qkv = linear(name + ".qkv", from, parameter(name + ".in_proj_weight"));
    const StageIndex mixed = add(name + ".mixed", attention(false), {qkv});
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
    const std::size_t length = length_of(task);
    if (model.position == TrainingPosition::learned)
      return add(id + ".positioned", AddRepeated{}, {rows_of_table, parameter("position.weight")});
    if (model.position == TrainingPosition::sinusoidal) {
      const StageIndex sines = add(id + ".sines", SinusoidalEncoding{length, model.width}, {});
      return add(id + ".positioned", AddRepeated{}, {rows_of_table, sines});
    }
    return rows_of_table;
  }

  void build(StageIndex input, StageIndex target) {
    give_parameters();
    StageIndex stream = side("encoder", embedded("embedded", "embedding.weight", input), std::nullopt);
    if (model.sides == TrainingSides::both) {
      const Shape slots{1, rows * length_of(task), 1};
      const StageIndex ids = given("slots", Tensor(slots, std::vector<float>(slots.size())));
      stream = side("decoder", embedded("blank", "query.weight", ids), stream);
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
  constexpr std::array kNames{"learned", "sinusoidal", "none", "alibi"};
  return kNames[static_cast<std::size_t>(position)];
}

std::string model_refusal(const TrainingModel& model, const TrainingTask& task) {
  const auto beyond = [](const char* what, std::size_t is, std::size_t least, std::size_t most) {
    return std::string(what) + " can be from " + std::to_string(least) + " to " + std::to_string(most) +
           ", not " + std::to_string(is);
  };
  if (model.layers < 1 || model.layers > kMostLayers) return beyond("layers", model.layers, 1, kMostLayers);
  if (model.width < 1 || model.width > kMostTrainedWidth)
    return beyond("the width", model.width, 1, kMostTrainedWidth);
  if (model.inner > kMostInner) return beyond("the inner width", model.inner, 0, kMostInner);
  if (model.heads < 1 || model.width % model.heads != 0)
    return std::to_string(model.heads) + " heads do not divide the width of " + std::to_string(model.width);
  if (model.width / model.heads > SequenceAttention::kMostWidth)
    return "heads are at most " + std::to_string(SequenceAttention::kMostWidth) +
           " wide: take more of them, or a smaller width";
  if (length_of(task) > SequenceAttention::kMostTokens)
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
