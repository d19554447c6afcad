// A moment of training: logits and maps against a stack of layers and against arithmetic in double, and what
// heads that have learnt look at.
#include "core/learning/moment.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/evaluate/run.h"
#include "core/learning/trained_stack.h"
#include "core/reference/backend.h"
#include "core/transformer/graph.h"
#include "tests/core/learning_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Away from small first numbers, where all maps are alike.
std::vector<Tensor> stirred(const TrainingSpec& spec, Backend& backend) {
  TrainingSpec wild = spec;
  wild.optimizer.rate = 0.2, wild.optimizer.warm_up = 0;
  Trainer trainer(backend, wild);
  trainer.run(3);
  return trainer.state().parameters;
}

struct StackNumbers {
  Tensor logits;
  std::vector<Tensor> weights;  // in the order of the computation
};
StackNumbers of_stack(const StackSpec& stack) {
  Graph graph;
  const StackStages stages = append_stack(graph, stack);
  std::vector<StageIndex> weights;
  for (const auto* side : {&stages.encoder, &stages.decoder})
    if (*side)
      for (const BlockStages& block : (*side)->blocks)
        for (const BoxStages& box : block.boxes)
          if (box.layer) weights.push_back(box.layer->weights);
  StackNumbers found;
  found.weights.resize(weights.size());
  REQUIRE(stages.logits);
  run_stages(*make_reference_backend(), graph, {.done = [&](StageIndex i, const Tensor& t) {
    if (i == *stages.logits) found.logits = t;
    for (std::size_t k = 0; k < weights.size(); ++k)
      if (weights[k] == i) found.weights[k] = t;
  }});
  return found;
}

void check_as_near(std::span<const float> are, std::span<const float> should, double off) {
  REQUIRE(are.size() == should.size());
  double largest = 0;
  for (std::size_t i = 0; i < are.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(are[i]) - static_cast<double>(should[i])));
  CHECK(largest <= off);
}

using Matrix64 = std::vector<std::vector<double>>;

// Rows of the first attention's input: symbol and position, normalised.
Matrix64 first_normed(const TrainingSpec& spec, const std::vector<Tensor>& p, const TaskRow& row) {
  Matrix64 x;
  const std::size_t d = spec.model.width;
  for (std::size_t i = 0; i < row.input.size(); ++i) {
    std::vector<double> r(d);
    double mean = 0, square = 0;
    for (std::size_t k = 0; k < d; ++k)
      mean += r[k] = static_cast<double>(p[0][{0, static_cast<std::size_t>(row.input[i]), k}]) +
                     static_cast<double>(p[1][{0, i, k}]);
    mean /= static_cast<double>(d);
    for (const double v : r) square += (v - mean) * (v - mean);
    const double by = 1 / std::sqrt(square / static_cast<double>(d) + 1e-5);
    for (std::size_t k = 0; k < d; ++k)
      r[k] = (r[k] - mean) * by * static_cast<double>(p[2][{0, 0, k}]) + static_cast<double>(p[3][{0, 0, k}]);
    x.push_back(std::move(r));
  }
  return x;
}

// Weights of the first attention's head, from the parameters alone.
Matrix64 first_map(const TrainingSpec& spec, const std::vector<Tensor>& p, const TaskRow& row,
                   std::size_t head) {
  const Matrix64 x = first_normed(spec, p, row);
  const std::size_t d = spec.model.width, w = d / spec.model.heads;
  const auto projected = [&](std::size_t first, const std::vector<double>& from) {
    std::vector<double> to(w);
    for (std::size_t j = 0; j < w; ++j)
      for (std::size_t k = 0; k < d; ++k)
        to[j] += static_cast<double>(p[4][{0, first + head * w + j, k}]) * from[k];
    return to;
  };
  Matrix64 map;
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<double> weights(x.size());
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (spec.model.sides == TrainingSides::causal && j > i) continue;
      const auto q = projected(0, x[i]), k = projected(d, x[j]);
      double score = 0;
      for (std::size_t c = 0; c < w; ++c) score += q[c] * k[c];
      sum += weights[j] = std::exp(spec.model.scale ? score / std::sqrt(static_cast<double>(w)) : score);
    }
    for (double& weight : weights) weight /= sum;
    map.push_back(std::move(weights));
  }
  return map;
}

std::string spec_label(const TrainingSpec& spec, const TaskRow& row) {
  return symbol_labels(spec.task)[static_cast<std::size_t>(row.input.front())];
}

double share_of_best_head(const TrainingSpec& spec, const TrainingMoment& moment, std::size_t layer) {
  double largest = 0;
  for (const MomentAttention& attention : moment.attentions)
    for (std::size_t head = 0; attention.layer == layer && head < spec.model.heads; ++head) {
      double sum = 0, rows = 0;
      for (std::size_t row = 0; row < moment.rows.size(); ++row) {
        const TaskRow of{moment.rows[row].input, moment.rows[row].target};
        if (const auto share = share_on_right_place(spec.task, of, attention, attention.map(row), head))
          sum += *share, ++rows;
      }
      if (rows > 0) largest = std::max(largest, sum / rows);
    }
  return largest;
}

}  // namespace

TEST_CASE("a moment’s logits and maps are those of a stack with the same numbers, with every switch") {
  TrainingDevice device;
  std::vector<TrainingModel> models(1);
  models.push_back({.position = TrainingPosition::sinusoidal, .scale = false});
  models.push_back({.position = TrainingPosition::alibi, .residual = false});
  models.push_back({.position = TrainingPosition::rope});
  models.push_back({.position = TrainingPosition::none, .tied = true});
  for (const TrainingSpec& small : small_trainings())
    for (const TrainingModel& like : models) {
      TrainingSpec spec = small;
      spec.model.layers = 2;
      spec.model.position = like.position, spec.model.scale = like.scale;
      spec.model.residual = like.residual, spec.model.tied = like.tied;
      INFO(words_of(spec), ", ", name(like.position));
      const auto parameters = stirred(spec, *device.backend);
      const auto rows = held_out_rows(spec, 3);
      MomentMaker maker(*device.backend, spec, rows.size());
      maker.at(initial_parameters(parameters_of(spec.model, spec.task), 1), rows);  // leaves no trace
      const TrainingMoment moment = maker.at(parameters, rows);
      const std::size_t count = answers_of(spec.task) * vocabulary_of(spec.model, spec.task);
      for (std::size_t row = 0; row < rows.size(); ++row) {
        const StackNumbers stack = of_stack(trained_stack(spec, parameters, rows[row]));
        check_as_near(moment.logits.values().subspan(row * count, count), stack.logits.values(), 1e-4);
        REQUIRE(stack.weights.size() == moment.attentions.size());
        for (std::size_t k = 0; k < stack.weights.size(); ++k)
          check_as_near(moment.attentions[k].map(row).values(), stack.weights[k].values(), 1e-4);
      }
    }
}

TEST_CASE("a moment scores what the trainer scores") {
  TrainingDevice device;
  for (const TrainingSpec& spec : small_trainings()) {
    Trainer trainer(*device.backend, spec);
    trainer.run(5);
    const TrainingScore score = trainer.score_batch(0);
    MomentMaker maker(*device.backend, spec, spec.batch);
    const TrainingMoment moment = maker.at(trainer.state().parameters, held_out_rows(spec, spec.batch));
    INFO(words_of(spec));
    CHECK(static_cast<double>(moment.right) ==
          doctest::Approx(score.accuracy * static_cast<double>(moment.asked)));
    double loss = 0;
    for (const MomentRow& row : moment.rows)
      for (std::size_t i = 0; i < row.target.size(); ++i)
        if (row.target[i] >= 0) loss -= std::log(row.probability[i]);
    CHECK(std::abs(loss / static_cast<double>(moment.asked) - score.loss) <= 1e-5);
  }
}

TEST_CASE("maps are the softmax of what the parameters say, in double") {
  const auto backend = make_reference_backend();
  for (const auto kind : {TrainingTaskKind::reverse, TrainingTaskKind::induction})
    for (const bool scale : {true, false}) {
      TrainingSpec spec = small_training(kind);
      spec.model.scale = scale;
      const auto parameters = stirred(spec, *backend);
      const auto rows = held_out_rows(spec, 2);
      MomentMaker maker(*backend, spec, 2);
      const TrainingMoment moment = maker.at(parameters, rows);
      for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t head = 0; head < spec.model.heads; ++head) {
          const Tensor map = moment.attentions[0].map(row);
          const Matrix64 by_hand = first_map(spec, parameters, rows[row], head);
          for (std::size_t i = 0; i < by_hand.size(); ++i)
            for (std::size_t j = 0; j < by_hand.size(); ++j)
              CHECK(std::abs(static_cast<double>(map[{head, i, j}]) - by_hand[i][j]) <= 1e-5);
        }
    }
}

TEST_CASE("a layer of a moment has the maps that the moment has") {
  const auto backend = make_reference_backend();
  struct Taken {
    TrainingTaskKind kind;
    TrainingPosition position;
    TrainingDecoder decoder = TrainingDecoder::slots;
  };
  for (const auto& [kind, position, decoder] :
       {Taken{TrainingTaskKind::copy, TrainingPosition::learned},
        Taken{TrainingTaskKind::induction, TrainingPosition::alibi},
        Taken{TrainingTaskKind::copy, TrainingPosition::rope},
        Taken{TrainingTaskKind::dates, TrainingPosition::learned, TrainingDecoder::written},
        Taken{TrainingTaskKind::dates, TrainingPosition::rope, TrainingDecoder::written}}) {
    TrainingSpec spec = small_training(kind);
    spec.model.position = position, spec.model.decoder = decoder;
    spec.model.scale = false;
    const auto parameters = stirred(spec, *backend);
    const auto rows = held_out_rows(spec, 2);
    MomentMaker maker(*backend, spec, 2);
    const TrainingMoment moment = maker.at(parameters, rows);
    for (const MomentAttention& attention : moment.attentions) {
      const LayerSpec layer = trained_layer(spec, parameters, attention, rows[1], 1);
      CAPTURE(attention.name);
      if (decoder == TrainingDecoder::written)
        CHECK(layer.tokens.front() == (attention.decoder ? "‹s›" : spec_label(spec, rows[1])));
      Graph graph;
      const StageIndex weights = append_layer(graph, layer).weights;
      Tensor map;
      run_stages(*backend, graph, {.done = [&](StageIndex i, const Tensor& t) {
        if (i == weights) map = t;
      }});
      check_as_near(attention.map(1).values(), map.values(), 1e-5);
    }
  }
}

TEST_CASE("where no answer is known, a decoder reads what it has said itself") {
  const auto backend = make_reference_backend();
  TrainingSpec spec = small_training(TrainingTaskKind::dates);
  spec.model.decoder = TrainingDecoder::written;
  const auto parameters = stirred(spec, *backend);
  const TaskRow unknown = typed_row(spec.task, symbols_of_row(spec.task, "1987-mar-12"));
  const TaskRow known = held_out_rows(spec, 1)[0];
  MomentMaker maker(*backend, spec, 2);
  const TrainingMoment moment = maker.at(parameters, {unknown, known});
  CHECK(moment.asked == known.target.size());
  CHECK(moment.rows[0].written == written_before(spec.task, moment.rows[0].says));
  CHECK(moment.rows[1].written == written_before(spec.task, known.target));
  CHECK(moment.rows[1].written.front() == static_cast<std::int32_t>(symbols_of(spec.task)));
  const TrainingMoment again = maker.at(parameters, {{unknown.input, moment.rows[0].says}, known});
  CHECK(again.logits == moment.logits);
  CHECK(trained_stack(spec, parameters, unknown).decoder.tokens == Labels{"‹s›"});
  CHECK(trained_stack(spec, parameters, known).decoder.tokens.size() == known.target.size());
}

TEST_CASE("learned numbers by offset stay here: a stack draws its own, and says so") {
  for (const auto position : {TrainingPosition::relative, TrainingPosition::t5}) {
    TrainingSpec spec = small_training(TrainingTaskKind::induction);
    spec.model.position = position;
    const auto parameters = initial_parameters(parameters_of(spec.model, spec.task), spec.seed);
    CHECK_THROWS_WITH_AS(trained_stack(spec, parameters, held_out_rows(spec, 1)[0]),
                         doctest::Contains("by a seed and takes no learned ones"), Error);
  }
}

TEST_CASE("reverse learns the anti-diagonal, copy the diagonal, and induction’s second layer what followed" *
          doctest::test_suite("long")) {
  TrainingDevice device;
  struct Learnt {
    TrainingTaskKind kind;
    std::size_t steps, layer;
  };
  for (const Learnt& of : {Learnt{TrainingTaskKind::reverse, 500, 0}, Learnt{TrainingTaskKind::copy, 500, 0},
                           Learnt{TrainingTaskKind::induction, 1200, 1}}) {
    const TrainingTaskKind kind = of.kind;
    const TrainingSpec spec = default_training(kind);
    Trainer trainer(*device.backend, spec);
    trainer.run(of.steps);
    MomentMaker maker(*device.backend, spec, 8);
    const TrainingMoment moment = maker.at(trainer.state().parameters, held_out_rows(spec, 8));
    CAPTURE(task_text(kind).word);
    CHECK(share_of_best_head(spec, moment, of.layer) >= 0.7);
    CHECK(moment.mean_probability >= 0.9);
    if (kind == TrainingTaskKind::induction) CHECK(share_of_best_head(spec, moment, 0) <= 0.5);
  }
}
