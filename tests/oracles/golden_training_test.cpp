// A first step of training, and a second, against PyTorch: loss, gradients and parameters, for models as
// every task has them, without scale and without residuals, and every optimiser, on the reference and on
// every OpenCL device that passes its self-test.
#include "core/learning/training.h"
#include "core/reference/backend.h"
#include "tests/oracles/golden_arrays.h"

namespace attn::golden {
namespace {

struct TrainedCase {
  std::string name;
  TrainingSpec spec;
  double sgd_rate = 0, decay = 0;
  std::map<std::string, Array64> arrays = {};
};

TrainingSides sides_of(const std::string& word) {
  return word == "both"     ? TrainingSides::both
         : word == "causal" ? TrainingSides::causal
                            : TrainingSides::encoder;
}

// A task of these sizes; what it draws does not matter.
TrainingTaskKind task_of(TrainingSides sides, bool as_many_answers) {
  switch (sides) {
    case TrainingSides::both:
      return as_many_answers ? TrainingTaskKind::copy : TrainingTaskKind::dates;
    case TrainingSides::causal:
      return TrainingTaskKind::recall;
    case TrainingSides::encoder:
      break;
  }
  return TrainingTaskKind::reverse;
}

TrainingPosition position_of(const std::string& word) {
  for (const auto position : {TrainingPosition::sinusoidal, TrainingPosition::none, TrainingPosition::alibi,
                              TrainingPosition::rope, TrainingPosition::relative, TrainingPosition::t5})
    if (word == name(position)) return position;
  return TrainingPosition::learned;
}

TrainedCase read_case(const nlohmann::json& entry) {
  TrainedCase c{.name = entry.at("name"), .spec = {}};
  const TrainingSides sides = sides_of(entry.at("sides"));
  c.spec.task = {.kind = task_of(sides, entry.at("answers") == entry.at("length")),
                 .length = entry.at("length"),
                 .symbols = entry.at("symbols")};
  REQUIRE(length_of(c.spec.task) == entry.at("length"));
  REQUIRE(answers_of(c.spec.task) == entry.at("answers"));
  c.spec.model = {
      .sides = sides,
      .layers = entry.at("layers"),
      .heads = entry.at("heads"),
      .width = entry.at("width"),
      .inner = entry.at("inner"),
      .position = position_of(entry.at("position")),
      .decoder = entry.at("decoder") == "written" ? TrainingDecoder::written : TrainingDecoder::slots,
      .tied = entry.at("tied"),
      .scale = entry.at("scale"),
      .residual = entry.at("residual")};
  c.spec.batch = entry.at("rows");
  c.spec.optimizer = {.rate = entry.at("rate"), .beta1 = entry.at("betas")[0], .beta2 = entry.at("betas")[1]};
  c.sgd_rate = entry.at("sgd_rate"), c.decay = entry.at("decay");
  return c;
}

std::vector<TrainedCase> trained_cases() {
  const std::string path = std::string(kSourceDir) + "/tests/oracles/golden_training";
  const auto arrays = parse_npz<double>(read_file(path + ".npz"));
  std::ifstream index(path + ".json");
  std::vector<TrainedCase> cases;
  for (const auto& entry : nlohmann::json::parse(index)) {
    cases.push_back(read_case(entry));
    const std::string prefix = cases.back().name + "/";
    for (const auto& [full, array] : arrays)
      if (full.starts_with(prefix)) cases.back().arrays[full.substr(prefix.size())] = array;
  }
  return cases;
}

// A parameter's numbers of an array, whose part it may be.
std::span<const double> numbers_of(const TrainedCase& c, const std::string& what,
                                   const TrainedParameter& parameter) {
  const Array64& array = c.arrays.at(what + "." + parameter.name);
  return std::span(array.values)
      .subspan(parameter.first_row * parameter.shape.columns, parameter.shape.size());
}

// How far Adam's step may be off, whose direction is g ÷ (|g| + ε), where a gradient is hardly more than what
// floats round away: that's derivative times 2⁻²⁴ of the parameter's largest gradient.
double off_by_rounding(std::span<const double> gradients, std::size_t i, const ParameterStep& optimizer) {
  if (optimizer.kind == OptimizerKind::sgd) return 0;
  double largest = 0;
  for (const double gradient : gradients) largest = std::max(largest, std::abs(gradient));
  const double size = std::abs(gradients[i]) + optimizer.epsilon;
  return optimizer.rate * optimizer.epsilon / (size * size) * largest * 0x1p-24;
}

// `optimizer`: whose step made them; null: they are gradients.
void compare_all(const TrainedCase& c, const std::string& what,
                 const std::vector<TrainedParameter>& parameters, const std::vector<Tensor>& found,
                 const ParameterStep* optimizer = nullptr) {
  REQUIRE(found.size() == parameters.size());
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto expected = numbers_of(c, what, parameters[p]);
    const auto gradients = numbers_of(c, "gradient", parameters[p]);
    INFO(c.name, ", ", what, ".", parameters[p].name);
    REQUIRE(found[p].values().size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double a = static_cast<double>(found[p].values()[i]);
      INFO("number ", i, ": ", a, ", expected ", expected[i]);
      const double rounded = optimizer ? off_by_rounding(gradients, i, *optimizer) : 0;
      CHECK(std::abs(a - expected[i]) <= 1e-5 * std::max(1.0, std::abs(expected[i])) + rounded);
    }
  }
}

TrainingBatch batch_of(const TrainedCase& c) {
  const auto column = [&](const std::string& name) {
    const Array64& array = c.arrays.at(name);
    return Tensor({1, array.values.size(), 1}, std::vector<float>(array.values.begin(), array.values.end()));
  };
  return {column("input"), column("target")};
}

void check_steps(Backend& backend, const TrainedCase& c, OptimizerKind kind, const std::string& word,
                 int steps) {
  TrainingSpec spec = c.spec;
  spec.optimizer.kind = kind, spec.optimizer.decay = c.decay;
  if (kind == OptimizerKind::sgd) spec.optimizer.rate = c.sgd_rate;
  Trainer trainer(backend, spec, batch_of(c));
  TrainingState state = trainer.state();
  for (std::size_t p = 0; p < state.parameters.size(); ++p) {
    const auto before = numbers_of(c, "before", trainer.parameters()[p]);
    state.parameters[p] =
        Tensor(state.parameters[p].shape(), std::vector<float>(before.begin(), before.end()));
  }
  trainer.go_on(state);
  trainer.run(1);
  const double loss = c.arrays.at("loss").values[0];
  INFO(c.name, ": the loss is ", trainer.losses()[0], ", expected ", loss);
  CHECK(std::abs(trainer.losses()[0] - loss) <= 1e-5 * std::max(1.0, loss));
  compare_all(c, "gradient", trainer.parameters(), trainer.gradients());
  compare_all(c, word, trainer.parameters(), trainer.state().parameters, &spec.optimizer);
  if (steps == 1) return;
  trainer.run(1);
  compare_all(c, word + "2", trainer.parameters(), trainer.state().parameters, &spec.optimizer);
}

void check_all_steps(Backend& backend) {
  INFO(backend.name());
  const std::vector<TrainedCase> cases = trained_cases();
  CHECK(cases.size() == 18);
  for (const TrainedCase& c : cases) {
    check_steps(backend, c, OptimizerKind::adam, "adam", 2);
    check_steps(backend, c, OptimizerKind::adamw, "adamw", 2);
    check_steps(backend, c, OptimizerKind::sgd, "sgd", 1);
  }
}

}  // namespace

TEST_CASE("a step of training on the reference is PyTorch’s, of every task and optimiser") {
  check_all_steps(*make_reference_backend());
}

TEST_CASE("a step of training on every OpenCL device is PyTorch’s, of every task and optimiser") {
  on_every_device(check_all_steps);
}

}  // namespace attn::golden
