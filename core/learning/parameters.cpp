// A model's parameters: which there are, their first numbers, and the arrays they are in files.
#include <algorithm>
#include <cmath>

#include "core/learning/model.h"
#include "core/tensor/philox.h"
#include "core/transformer/part.h"

namespace attn {
namespace {

constexpr double kFirstSd = 0.02;

struct ParameterList {
  const TrainingModel& model;
  std::vector<TrainedParameter> all = {};

  void matrix(const std::string& name, std::size_t rows, std::size_t columns, double sd = kFirstSd,
              std::size_t first_row = 0) {
    all.push_back({.name = name, .first_row = first_row, .shape = {1, rows, columns}, .sd = sd});
  }
  void row(const std::string& name, std::size_t width, double start) {
    all.push_back({.name = name, .shape = {1, 1, width}, .start = start, .vector = true});
  }
  void norm(const std::string& name) {
    row(name + ".weight", model.width, 1), row(name + ".bias", model.width, 0);
  }

  // What is added to the stream grows with the layers: smaller first numbers keep it as large.
  double residual_sd() const { return kFirstSd / std::sqrt(2 * static_cast<double>(model.layers)); }

  void self_attention(const std::string& name) {
    if (model.position == TrainingPosition::relative) {
      split_projections(name);
      matrix(name + ".relative.weight", index_count(Clip{kTrainedClip}), model.width / model.heads);
    } else {
      matrix(name + ".in_proj_weight", 3 * model.width, model.width);
    }
    matrix(name + ".out_proj.weight", model.width, model.width, residual_sd());
  }
  void split_projections(const std::string& name) {
    matrix(name + ".in_proj_weight", model.width, model.width);
    matrix(name + ".in_proj_weight", 2 * model.width, model.width, kFirstSd, model.width);
  }
  void cross_attention(const std::string& name) {
    split_projections(name);
    matrix(name + ".out_proj.weight", model.width, model.width, residual_sd());
  }
  void block(const std::string& name, bool cross) {
    norm(name + ".norm1");
    self_attention(name + ".self_attn");
    if (cross) norm(name + ".norm2"), cross_attention(name + ".multihead_attn");
    if (model.inner == 0) return;
    norm(name + (cross ? ".norm3" : ".norm2"));
    matrix(name + ".linear1.weight", model.inner, model.width);
    row(name + ".linear1.bias", model.inner, 0);
    matrix(name + ".linear2.weight", model.width, model.inner, residual_sd());
    row(name + ".linear2.bias", model.width, 0);
  }
  void side(const std::string& name, bool cross) {
    if (model.position == TrainingPosition::t5)
      matrix(name + ".relative_attention_bias.weight", Buckets().count, model.heads);
    for (std::size_t i = 0; i < model.layers; ++i) block(name + ".layers." + std::to_string(i), cross);
    norm(name + ".norm");
  }
};

Tensor first_numbers(const TrainedParameter& parameter, std::size_t index, std::uint64_t seed) {
  std::vector<float> numbers(parameter.shape.size(), static_cast<float>(parameter.start));
  if (parameter.sd > 0)
    for (std::size_t i = 0; i < numbers.size(); i += 4) {
      const auto block =
          philox_normals(philox({static_cast<std::uint32_t>(i / 4), static_cast<std::uint32_t>(index), 0, 1},
                                {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}));
      for (std::size_t k = i; k < std::min(i + 4, numbers.size()); ++k)
        numbers[k] = static_cast<float>(parameter.sd * block[k - i]);
    }
  return {parameter.shape, std::move(numbers)};
}

}  // namespace

bool reads_written(const TrainingModel& model) {
  return model.sides == TrainingSides::both && model.decoder == TrainingDecoder::written;
}

bool is_causal(const TrainingModel& model, bool decoder) {
  return model.sides == TrainingSides::causal || (decoder && reads_written(model));
}

std::size_t vocabulary_of(const TrainingModel& model, const TrainingTask& task) {
  return symbols_of(task) + (reads_written(model) ? 1 : 0);
}

std::vector<std::string> vocabulary_labels(const TrainingModel& model, const TrainingTask& task) {
  std::vector<std::string> labels = symbol_labels(task);
  if (reads_written(model)) labels.emplace_back(kStartSymbol);
  return labels;
}

bool has_own_places(const TrainingModel& model, const TrainingTask& task) {
  return reads_written(model) || (model.sides == TrainingSides::both && answers_of(task) != length_of(task));
}

std::vector<std::int32_t> written_before(const TrainingTask& task, const std::vector<std::int32_t>& answers) {
  std::vector<std::int32_t> written{static_cast<std::int32_t>(symbols_of(task))};
  if (!answers.empty()) written.insert(written.end(), answers.begin(), answers.end() - 1);
  return written;
}

std::vector<TrainedParameter> parameters_of(const TrainingModel& model, const TrainingTask& task) {
  ParameterList list{model};
  list.matrix("embedding.weight", vocabulary_of(model, task), model.width);
  if (model.position == TrainingPosition::learned) {
    list.matrix("position.weight", length_of(task), model.width);
    if (has_own_places(model, task))
      list.matrix("position.weight", answers_of(task), model.width, kFirstSd, length_of(task));
  }
  if (model.sides == TrainingSides::both && !reads_written(model))
    list.matrix("query.weight", 1, model.width);
  list.side("encoder", false);
  if (model.sides == TrainingSides::both) list.side("decoder", true);
  if (!model.tied) list.matrix("head.weight", vocabulary_of(model, task), model.width);
  return std::move(list.all);
}

std::vector<Tensor> initial_parameters(const std::vector<TrainedParameter>& parameters, std::uint64_t seed) {
  std::vector<Tensor> all;
  for (std::size_t i = 0; i < parameters.size(); ++i) all.push_back(first_numbers(parameters[i], i, seed));
  return all;
}

std::size_t count_numbers(const std::vector<TrainedParameter>& parameters) {
  std::size_t count = 0;
  for (const TrainedParameter& parameter : parameters) count += parameter.shape.size();
  return count;
}

std::vector<ParameterArray> parameter_arrays(const std::vector<TrainedParameter>& parameters,
                                             const std::vector<Tensor>& numbers) {
  std::vector<ParameterArray> arrays;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const TrainedParameter& of = parameters[i];
    const auto values = numbers[i].values();
    if (of.first_row == 0)
      arrays.push_back(
          {of.name,
           of.vector ? std::vector{of.shape.columns} : std::vector{of.shape.rows, of.shape.columns},
           {values.begin(), values.end()}});
    else
      arrays.back().shape[0] += of.shape.rows,
          arrays.back().numbers.insert(arrays.back().numbers.end(), values.begin(), values.end());
  }
  return arrays;
}

}  // namespace attn
