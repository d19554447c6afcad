// Parameters of models that learn: their names and shapes, by what the model has, and their first numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/learning/training.h"

using namespace attn;

namespace {

std::vector<std::string> names_of(const TrainingModel& model) {
  std::vector<std::string> names;
  const TrainingTask task{.kind = TrainingTaskKind::copy, .length = 5, .symbols = 6};
  const auto parameters = parameters_of(model, task);
  for (const ParameterArray& array : parameter_arrays(parameters, initial_parameters(parameters, 1))) {
    names.push_back(array.name + " ");
    for (const std::size_t side : array.shape) names.back() += "×" + std::to_string(side);
  }
  return names;
}

}  // namespace

TEST_CASE("parameters bear PyTorch’s names and shapes") {
  CHECK(names_of({.layers = 1, .heads = 2, .width = 4}) ==
        std::vector<std::string>{"embedding.weight ×6×4", "position.weight ×5×4",
                                 "encoder.layers.0.norm1.weight ×4", "encoder.layers.0.norm1.bias ×4",
                                 "encoder.layers.0.self_attn.in_proj_weight ×12×4",
                                 "encoder.layers.0.self_attn.out_proj.weight ×4×4", "encoder.norm.weight ×4",
                                 "encoder.norm.bias ×4", "head.weight ×6×4"});
  const auto both = names_of({.sides = TrainingSides::both,
                              .layers = 1,
                              .heads = 2,
                              .width = 4,
                              .inner = 3,
                              .position = TrainingPosition::none,
                              .tied = true});
  CHECK(std::ranges::find(both, "position.weight ×5×4") == both.end());
  CHECK(std::ranges::find(both, "head.weight ×6×4") == both.end());
  for (const char* name :
       {"query.weight ×1×4", "decoder.layers.0.multihead_attn.in_proj_weight ×12×4",
        "decoder.layers.0.multihead_attn.out_proj.weight ×4×4", "decoder.layers.0.norm3.weight ×4",
        "decoder.layers.0.linear1.weight ×3×4", "decoder.layers.0.linear1.bias ×3",
        "decoder.layers.0.linear2.weight ×4×3", "encoder.layers.0.norm2.bias ×4", "decoder.norm.weight ×4"}) {
    CAPTURE(name);
    CHECK(std::ranges::count(both, name) == 1);
  }
}

TEST_CASE(
    "a decoder that reads what is written has a start symbol and places of its own, and no blank slot") {
  TrainingModel model{.sides = TrainingSides::both, .layers = 1, .heads = 2, .width = 4};
  const auto slots = names_of(model);
  model.decoder = TrainingDecoder::written;
  const auto written = names_of(model);
  CHECK(slots[0] == "embedding.weight ×6×4");
  CHECK(slots[1] == "position.weight ×5×4");
  CHECK(written[0] == "embedding.weight ×7×4");
  CHECK(written[1] == "position.weight ×10×4");
  CHECK(written.back() == "head.weight ×7×4");
  CHECK(std::ranges::count(slots, "query.weight ×1×4") == 1);
  CHECK(std::ranges::count(written, "query.weight ×1×4") == 0);
  CHECK(written.size() + 1 == slots.size());
}

TEST_CASE("dates have a place for each character of both sides") {
  const TrainingTask dates{.kind = TrainingTaskKind::dates};
  TrainingModel model{.sides = TrainingSides::both, .layers = 4, .heads = 4, .width = 32, .inner = 64};
  const auto places = [&] {
    const auto parameters = parameters_of(model, dates);
    return parameter_arrays(parameters, initial_parameters(parameters, 1))[1];
  };
  CHECK(places().name == "position.weight");
  CHECK(places().shape == std::vector<std::size_t>{21, 32});
  model.decoder = TrainingDecoder::written, model.tied = true;
  CHECK(places().shape == std::vector<std::size_t>{21, 32});
  CHECK(count_numbers(parameters_of(model, dates)) == 85'792);
}

TEST_CASE("numbers by offset are parameters: of each attention to its own side, or of a side") {
  const TrainingModel model{.sides = TrainingSides::both, .layers = 2, .heads = 2, .width = 8};
  const auto with = [&](TrainingPosition position) {
    TrainingModel other = model;
    other.position = position;
    return names_of(other);
  };
  const auto relative = with(TrainingPosition::relative), t5 = with(TrainingPosition::t5);
  CHECK(std::ranges::count(relative, "decoder.layers.1.self_attn.relative.weight ×33×4") == 1);
  CHECK(std::ranges::count(relative, "decoder.layers.1.self_attn.in_proj_weight ×24×8") == 1);
  CHECK(std::ranges::count_if(
            relative, [](const std::string& name) { return name.find("relative") != name.npos; }) == 4);
  CHECK(std::ranges::count(t5, "decoder.relative_attention_bias.weight ×32×2") == 1);
  CHECK(t5.size() == with(TrainingPosition::none).size() + 2);
  CHECK(with(TrainingPosition::rope) == with(TrainingPosition::none));
}

TEST_CASE("first numbers are normal by the seed, those that are added to the stream smaller") {
  TrainingSpec spec = default_training(TrainingTaskKind::sort);
  const auto parameters = parameters_of(spec.model, spec.task);
  const auto first = initial_parameters(parameters, 5), other = initial_parameters(parameters, 6);
  CHECK(initial_parameters(parameters, 5) == first);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    double sum = 0, squares = 0;
    for (const float x : first[p].values())
      sum += x, squares += static_cast<double>(x) * static_cast<double>(x);
    const double count = static_cast<double>(first[p].values().size()), sd = std::sqrt(squares / count);
    CAPTURE(parameters[p].name);
    const std::string& name = parameters[p].name;
    if (parameters[p].vector) {
      CHECK(sum == (name.ends_with("norm.weight") || name.find("norm1.weight") < name.size() ||
                            name.find("norm2.weight") < name.size()
                        ? count
                        : 0));
      continue;
    }
    const bool residual = name.ends_with("out_proj.weight") || name.ends_with("linear2.weight");
    CHECK(sd == doctest::Approx(residual ? 0.01 : 0.02).epsilon(5 / std::sqrt(count)));
    CHECK_FALSE(first[p] == other[p]);
  }
}
