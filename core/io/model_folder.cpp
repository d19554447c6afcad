// Of each file its bytes; who writes them makes the folder.
#include "core/io/model_folder.h"

#include <nlohmann/json.hpp>

#include "core/io/safetensors.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::byte> json_file(const Json& json) {
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Json configuration(const TrainingSpec& spec, std::size_t step) {
  const TrainingModel& model = spec.model;
  const bool both = model.sides == TrainingSides::both;
  const std::size_t own_places = has_own_places(model, spec.task) ? answers_of(spec.task) : 0;
  Json config{{"model_type", "attention-lab"}, {"torch_dtype", "float32"}};
  config.update({{"hidden_size", model.width},
                 {"num_hidden_layers", model.layers},
                 {"num_attention_heads", model.heads},
                 {"intermediate_size", model.inner},
                 {"hidden_act", "gelu"},
                 {"layer_norm_eps", kTrainedNormEpsilon},
                 {"vocab_size", vocabulary_of(model, spec.task)},
                 {"max_position_embeddings", length_of(spec.task) + own_places},
                 {"position_embedding_type", name(model.position)},
                 {"tie_word_embeddings", model.tied},
                 {"scale_attn_weights", model.scale},
                 {"is_encoder_decoder", both},
                 {"is_decoder", model.sides == TrainingSides::causal}});
  if (reads_written(model)) config["decoder_start_token_id"] = symbols_of(spec.task);
  config["attention_lab"] = {{"task", task_text(spec.task.kind).word},
                             {"step", step},
                             {"seed", spec.seed},
                             {"residual", model.residual}};
  return config;
}

Json vocabulary(const TrainingSpec& spec) {
  Json symbols = Json::object();
  std::size_t number = 0;
  for (const std::string& symbol : vocabulary_labels(spec.model, spec.task)) symbols[symbol] = number++;
  return symbols;
}

}  // namespace

std::vector<FolderFile> model_folder(const TrainingSpec& spec, const std::vector<Tensor>& parameters,
                                     std::size_t step) {
  const std::vector<ParameterArray> arrays =
      parameter_arrays(parameters_of(spec.model, spec.task), parameters);
  std::vector<WrittenTensor> tensors;
  for (const ParameterArray& array : arrays) tensors.push_back({array.name, array.shape, array.numbers});
  return {{"config.json", json_file(configuration(spec, step))},
          {"model.safetensors", safetensors_of(tensors)},
          {"vocab.json", json_file(vocabulary(spec))}};
}

}  // namespace attn
