// Training: the model against a stack of layers, the same bits again, and that small tasks are learnt.
#include "core/learning/training.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/evaluate/run.h"
#include "core/io/stack_npz.h"
#include "core/reference/backend.h"
#include "core/transformer/graph.h"
#include "tests/core/learning_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

bool same_state(const TrainingState& a, const TrainingState& b) {
  return a.step == b.step && a.parameters == b.parameters && a.moments == b.moments;
}

// Logits of the first row, by the stack of layers that PyTorch's names mean.
Tensor by_stack(const TrainingSpec& spec, const TrainingState& state, const Tensor& ids) {
  const auto parameters = parameters_of(spec.model, spec.task);
  NamedArrays arrays;
  const std::size_t d = spec.model.width, n = length_of(spec.task);
  std::vector<float> x;
  for (const ParameterArray& array : parameter_arrays(parameters, state.parameters))
    arrays[array.name] = {array.shape, array.numbers};
  const auto& embedding = arrays.at("embedding.weight").values;
  const auto& position = arrays.at("position.weight").values;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j)
      x.push_back(embedding[static_cast<std::size_t>(ids.values()[i]) * d + j] + position[i * d + j]);
  arrays.erase("position.weight"), arrays.erase("embedding.weight");
  arrays["x"] = {{n, d}, std::move(x)};
  StackWords words{.heads = spec.model.heads, .norm_at = NormAt::before, .activation = ActivationKind::gelu};
  if (spec.model.sides == TrainingSides::causal) words.masks = {{CausalRule{}}};
  const StackSpec stack = stack_of(std::move(arrays), words);
  Graph graph;
  const StackStages stages = append_stack(graph, stack);
  REQUIRE(stages.logits);
  Tensor logits;
  run_stages(*make_reference_backend(), graph, {.done = [&](StageIndex i, const Tensor& t) {
    if (i == *stages.logits) logits = t;
  }});
  return logits;
}

double learnt_accuracy(TrainingTaskKind task, std::uint64_t seed, std::size_t steps, Backend& backend) {
  TrainingSpec spec = default_training(task);
  spec.seed = seed;
  Trainer trainer(backend, spec);
  trainer.run(steps);
  return trainer.score(8).accuracy;
}

}  // namespace

TEST_CASE("a batch’s logits are those of a stack with the same numbers") {
  const auto backend = make_reference_backend();
  for (const auto kind : {TrainingTaskKind::sort, TrainingTaskKind::recall}) {
    TrainingSpec spec = small_training(kind);
    spec.optimizer.rate = 0.3, spec.optimizer.warm_up = 0;  // away from small first numbers
    Trainer trainer(*backend, spec);
    trainer.run(2);
    const TrainingBatch batch = trainer.batch_at(9);
    Graph graph;
    graph.begin_part({});
    const auto given = [&](const char* id, const Tensor& t) {
      return graph.add({.id = id, .title = id, .formula = {}, .operation = Source{t}});
    };
    const StageIndex input = given("input", batch.input), target = given("target", batch.target);
    const TrainingState state = trainer.state();
    const ModelStages model =
        append_model(graph, spec.model, spec.task, spec.batch, input, target, state.parameters);
    Tensor logits;
    run_stages(*backend, graph, {.done = [&](StageIndex i, const Tensor& t) {
      if (i == model.logits) logits = t;
    }});
    const Tensor expected = by_stack(spec, state, batch.input);
    REQUIRE(expected.values().size() <= logits.values().size());
    for (std::size_t i = 0; i < expected.values().size(); ++i)
      CHECK(logits.values()[i] == doctest::Approx(expected.values()[i]).epsilon(1e-4));
  }
}

TEST_CASE("the products of a step are the arithmetic that is known of it") {
  TrainingSpec spec = default_training(TrainingTaskKind::induction);
  const auto operations = [&] {
    double sum = 0;
    for (const Stage& stage : products_of(spec).stages) sum += 2 * stage.traits.multiply_adds;
    return sum / 1e6;
  };
  CHECK(operations() == doctest::Approx(264).epsilon(0.005));
  spec.model.inner = 256;
  CHECK(operations() == doctest::Approx(667).epsilon(0.005));
}

TEST_CASE("a run goes on from a state as if it had never stopped, bit for bit") {
  TrainingDevice device;
  const auto reference = make_reference_backend();
  for (Backend* backend : {device.backend.get(), reference.get()})
    for (const TrainingSpec& spec : small_trainings()) {
      Trainer whole(*backend, spec), first(*backend, spec), second(*backend, spec);
      whole.run(9);
      first.run(4);
      first.score(1);  // leaves no trace
      const TrainingState four = first.state();
      first.run(5);
      second.go_on(four);
      second.run(5);
      INFO(words_of(spec));
      CHECK(four.step == 4);
      CHECK(same_state(first.state(), whole.state()));
      CHECK(same_state(second.state(), whole.state()));
      CHECK(whole.losses().size() == 9);
      CHECK(std::equal(second.losses().begin(), second.losses().end(), whole.losses().begin() + 4));
      TrainingSpec other = spec;
      ++other.seed;
      Trainer differs(*backend, other);
      differs.run(9);
      CHECK_FALSE(same_state(differs.state(), whole.state()));
    }
}

TEST_CASE("each step’s batch is the one that the host draws, and is made again at any time") {
  TrainingDevice device;
  for (const TrainingTaskText& text : kTrainingTasks) {
    const TrainingSpec spec = small_training(text.kind);
    Trainer trainer(*device.backend, spec);
    trainer.run(3);
    const TrainingBatch last = trainer.batch(), second = trainer.batch_at(1);
    const Tensor table = table_of(spec.task, spec.seed);
    for (const auto& [step, batch] : {std::pair(2, last), std::pair(1, second)})
      for (std::size_t row = 0; row < spec.batch; ++row) {
        const TaskRow drawn = task_row(rows_of(spec.task, spec.seed, spec.batch, TaskRows::input),
                                       static_cast<std::size_t>(step), row, table.values());
        const std::size_t length = length_of(spec.task), answers = answers_of(spec.task);
        CAPTURE(text.word);
        for (std::size_t i = 0; i < length; ++i)
          CHECK(batch.input.values()[row * length + i] == static_cast<float>(drawn.input[i]));
        for (std::size_t i = 0; i < answers; ++i)
          CHECK(batch.target.values()[row * answers + i] == static_cast<float>(drawn.target[i]));
      }
    CHECK(trainer.step() == 3);
  }
}

TEST_CASE("a device takes the steps that the reference takes") {
  TrainingDevice device;
  const auto reference = make_reference_backend();
  for (const TrainingSpec& spec : small_trainings()) {
    Trainer here(*device.backend, spec), there(*reference, spec);
    here.run(5), there.run(5);
    INFO(words_of(spec));
    for (std::size_t i = 0; i < 5; ++i)
      CHECK(here.losses()[i] == doctest::Approx(there.losses()[i]).epsilon(1e-4));
    const TrainingScore score = here.score(2), expected = there.score(2);
    CHECK(score.loss == doctest::Approx(expected.loss).epsilon(1e-3));
  }
}

TEST_CASE("scores count the places that are asked") {
  const Tensor logits({1, 3, 2}, {0, 2, 5, 0, 0, 0}), target({1, 3, 1}, {1, 1, -1});
  const TrainingScore score = score_of(logits, target);
  CHECK(score.accuracy == 0.5);
  CHECK(score.loss == doctest::Approx((std::log1p(std::exp(-2.0)) + 5 + std::log1p(std::exp(-5.0))) / 2));
}

TEST_CASE("copy, reverse, sort, recall and induction are learnt with either seed" *
          doctest::test_suite("long")) {
  TrainingDevice device;
  for (const std::uint64_t seed : {7, 8}) {
    CAPTURE(seed);
    CHECK(learnt_accuracy(TrainingTaskKind::copy, seed, 300, *device.backend) >= 0.99);
    CHECK(learnt_accuracy(TrainingTaskKind::reverse, seed, 300, *device.backend) >= 0.99);
    CHECK(learnt_accuracy(TrainingTaskKind::sort, seed, 600, *device.backend) >= 0.97);
    CHECK(learnt_accuracy(TrainingTaskKind::recall, seed, 1000, *device.backend) >= 0.99);
    CHECK(learnt_accuracy(TrainingTaskKind::induction, seed, 800, *device.backend) >= 0.99);
  }
}

TEST_CASE("reverse without positions is no better than its bound" * doctest::test_suite("long")) {
  TrainingDevice device;
  TrainingSpec spec = default_training(TrainingTaskKind::reverse);
  spec.model.position = TrainingPosition::none;
  Trainer trainer(*device.backend, spec);
  trainer.run(500);
  const TrainingScore score = trainer.score(64);
  const auto bound = bound_without_positions(spec.task, spec.model.decoder);
  REQUIRE(bound);
  const double places = 64 * 32 * 8;  // what is scored is drawn: three standard deviations of it
  CHECK(score.loss >= bound->loss - 3 * 1.0 / std::sqrt(places));
  CHECK(score.accuracy <= bound->accuracy + 3 * 0.5 / std::sqrt(places));
  CHECK(score.loss < 2);  // it learns what there is to learn: a guess loses ln 10
}
