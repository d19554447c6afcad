// A trained model's parameters where a stack has them.
#include "core/learning/trained_stack.h"

#include <algorithm>

#include "core/system/error.h"
#include "core/transformer/parameters.h"

namespace attn {
namespace {

Tensor transposed_rows(const ParameterArray& array, std::size_t first, std::size_t count) {
  const std::size_t in = array.shape[1];
  std::vector<float> values(count * in);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < in; ++j) values[j * count + i] = array.numbers[(first + i) * in + j];
  return {{1, in, count}, std::move(values)};
}

void put_parameters(StackSpec& stack, const std::vector<ParameterArray>& arrays) {
  for (const StackParameter& parameter : stack_parameters(stack)) {
    const auto array = std::ranges::find(arrays, parameter.name, &ParameterArray::name);
    if (array == arrays.end()) continue;
    const std::size_t rows = array->shape[0] / parameter.parts.size();
    for (std::size_t part = 0; part < parameter.parts.size(); ++part)
      *parameter.parts[part] =
          parameter.kind == ParameterKind::weight ? transposed_rows(*array, part * rows, rows)
          : parameter.kind == ParameterKind::rows ? Tensor({1, rows, array->shape[1]}, array->numbers)
                                                  : Tensor({1, 1, rows}, array->numbers);
  }
}

void set_attention(LayerSpec& layer, const TrainingModel& model, bool causal) {
  layer.heads = layer.kv_heads = model.heads;
  if (causal) layer.masks = {{.rule = CausalRule{}}};
  if (!model.scale) layer.scale.mode = ScaleMode::none;
}

Labels labels_of(const TrainingSpec& spec, const std::vector<std::int32_t>& symbols) {
  const std::vector<std::string> all = vocabulary_labels(spec.model, spec.task);
  Labels labels;
  for (const std::int32_t symbol : symbols) labels.push_back(all[static_cast<std::size_t>(symbol)]);
  return labels;
}

// The learned row, once for each slot.
Tensor blank_slots(const ParameterArray& query, std::size_t count) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i)
    values.insert(values.end(), query.numbers.begin(), query.numbers.end());
  return {{1, count, query.numbers.size()}, std::move(values)};
}

void give_tokens(StackSide& side, const TrainingSpec& spec, const std::vector<std::int32_t>& symbols) {
  side.ids = Tensor({1, symbols.size(), 1}, {symbols.begin(), symbols.end()});
  side.tokens = labels_of(spec, symbols);
}

// What stands before the answers, as far as somebody knows them: of a row without, the start symbol.
std::vector<std::int32_t> known_before(const TrainingTask& task, const TaskRow& row) {
  std::vector<std::int32_t> written = written_before(task, row.target);
  written.erase(std::ranges::find(written, -1), written.end());
  return written;
}

Tensor rows_alone(const Tensor& all, std::size_t first, std::size_t count) {
  const auto values = all.values().subspan(first * all.columns(), count * all.columns());
  return {{1, count, all.columns()}, {values.begin(), values.end()}};
}

}  // namespace

StackSpec trained_stack(const TrainingSpec& spec, const std::vector<Tensor>& parameters, const TaskRow& row) {
  const TrainingModel& model = spec.model;
  if (model.position == TrainingPosition::relative || model.position == TrainingPosition::t5)
    throw Error(std::string("a stack draws the numbers of ") +
                    (model.position == TrainingPosition::t5 ? "T5’s buckets" : "relative positions") +
                    " by a seed and takes no learned ones: train with learned positions, RoPE or ALiBi",
                Fault::option);
  const bool both = model.sides == TrainingSides::both;
  const auto arrays = parameter_arrays(parameters_of(model, spec.task), parameters);
  StackSpec stack;
  stack.sides = both ? StackSides::both : StackSides::encoder;
  stack.weights = StackWeights::trained;
  stack.activation = ActivationKind::gelu;
  stack.residual = model.residual, stack.tied = model.tied;
  stack.symbols = vocabulary_labels(model, spec.task);
  if (model.position == TrainingPosition::sinusoidal) stack.position = Sinusoidal{};
  if (model.position == TrainingPosition::alibi) stack.position = Alibi{};
  if (model.position == TrainingPosition::rope) stack.position = Rotary{};
  stack.encoder.blocks.resize(model.layers);
  if (both) stack.decoder.blocks.resize(model.layers);
  for (StackBlock& block : stack.decoder.blocks) block.cross.emplace();
  put_parameters(stack, arrays);
  for (StackSide* side : {&stack.encoder, &stack.decoder}) {
    side->normed = !side->blocks.empty();
    for (StackBlock& block : side->blocks) {
      set_attention(block.attention, model, is_causal(model, side == &stack.decoder));
      if (block.cross) set_attention(*block.cross, model, false);
    }
  }
  give_tokens(stack.encoder, spec, row.input);
  if (!both) return stack;
  if (model.position == TrainingPosition::learned && has_own_places(model, spec.task))
    stack.decoder.first_position = length_of(spec.task);
  if (reads_written(model))
    give_tokens(stack.decoder, spec, known_before(spec.task, row));
  else
    stack.decoder.x =
        blank_slots(*std::ranges::find(arrays, "query.weight", &ParameterArray::name), answers_of(spec.task));
  return stack;
}

LayerSpec trained_layer(const TrainingSpec& spec, const std::vector<Tensor>& parameters,
                        const MomentAttention& attention, const TaskRow& row, std::size_t number_of_row) {
  const StackSpec stack = trained_stack(spec, parameters, row);
  const StackSide& side = attention.decoder ? stack.decoder : stack.encoder;
  const StackBlock& block = side.blocks.at(attention.layer);
  LayerSpec layer = attention.cross ? *block.cross : block.attention;
  const std::size_t length = length_of(spec.task);
  const std::size_t rows = attention.decoder ? answers_of(spec.task) : length;
  layer.x = rows_alone(attention.x, number_of_row * rows, rows);
  if (attention.cross) {
    layer.memory = rows_alone(attention.memory, number_of_row * length, length);
    layer.memory_tokens = stack.encoder.tokens;
  }
  if (side.tokens.size() == rows) layer.tokens = side.tokens;  // blank slots have none, nor what nobody knows
  if (!attention.cross && !is_added(stack.position)) layer.position = stack.position;
  return layer;
}

}  // namespace attn
