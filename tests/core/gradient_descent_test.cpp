// What the loss of wanted weights asks of scores, and the descent against one that is written out here, in
// double, with its gradients by central differences.
#include "core/gradients/descent.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>

#include "core/gradients/wanted.h"
#include "core/operations/backward.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/layers.h"
#include "tests/random_layer.h"
#include "tests/sanitized.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::string refusal_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// −Σ wanted · ln softmax(scores), the mean over rows that ask, as a book has it.
double loss_by_hand(const std::vector<double>& scores, const Tensor& wanted, bool one_more = false) {
  double loss = 0, asked = 0;
  for (std::size_t i = 0; i < wanted.rows(); ++i) {
    double sum = one_more ? 1 : 0, row = 0;
    for (std::size_t j = 0; j < wanted.columns(); ++j) sum += std::exp(scores[i * wanted.columns() + j]);
    for (std::size_t j = 0; j < wanted.columns(); ++j) {
      const double share = static_cast<double>(wanted[{0, i, j}]);
      if (share > 0) loss -= share * std::log(std::exp(scores[i * wanted.columns() + j]) / sum);
      row += share;
    }
    asked += row > 0;
  }
  return loss / asked;
}

// X·W_Q·(X·W_K)ᵀ ÷ √d_k under a causal mask, three tokens of two features.
double attention_loss(const std::array<std::vector<double>, 3>& learnt, const Tensor& wanted) {
  const auto& [x, w_q, w_k] = learnt;
  const auto row = [&](const std::vector<double>& w, std::size_t i, std::size_t f) {
    return x[2 * i] * w[f] + x[2 * i + 1] * w[2 + f];
  };
  std::vector<double> scores(9, -HUGE_VAL);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      scores[3 * i + j] =
          (row(w_q, i, 0) * row(w_k, j, 0) + row(w_q, i, 1) * row(w_k, j, 1)) / std::sqrt(2.0);
  return loss_by_hand(scores, wanted);
}

// Adam as Kingma and Ba have it.
std::vector<double> losses_by_hand(std::array<std::vector<double>, 3> learnt, const std::vector<bool>& learns,
                                   const Tensor& wanted, double rate, int steps) {
  std::array<std::vector<double>, 3> m, v;
  for (std::size_t t = 0; t < 3; ++t) m[t].resize(learnt[t].size()), v[t].resize(learnt[t].size());
  std::vector<double> losses{attention_loss(learnt, wanted)};
  for (int step = 1; step <= steps; ++step) {
    auto next = learnt;
    for (std::size_t t = 0; t < 3; ++t)
      for (std::size_t i = 0; learns[t] && i < learnt[t].size(); ++i) {
        auto above = learnt, below = learnt;
        above[t][i] += 1e-5, below[t][i] -= 1e-5;
        const double g = (attention_loss(above, wanted) - attention_loss(below, wanted)) / 2e-5;
        m[t][i] = 0.9 * m[t][i] + 0.1 * g, v[t][i] = 0.999 * v[t][i] + 0.001 * g * g;
        next[t][i] -= rate * (m[t][i] / (1 - std::pow(0.9, step))) /
                      (std::sqrt(v[t][i] / (1 - std::pow(0.999, step))) + 1e-8);
      }
    learnt = next;
    losses.push_back(attention_loss(learnt, wanted));
  }
  return losses;
}

LayerSpec three_causal_tokens() {
  LayerSpec layer;
  layer.x = drawn({1, 3, 2}, 1), layer.w_q = drawn({1, 2, 2}, 2), layer.w_k = drawn({1, 2, 2}, 3);
  layer.w_v = drawn({1, 2, 2}, 4);
  set_causal(layer, CausalAlign::lower_right);
  return layer;
}

Descent went_down(const DescentTask& task) {
  const auto backend = make_reference_backend();
  Descender descender(task);
  Descent found;
  while (!descender.step(found, *backend)) {
  }
  return found;
}

// Of a head, from its layer in double, end to end.
double exact_loss(const DescentTask& task) {
  Graph graph;
  const LayerStages stages = append_layer(graph, task.layer, {.address = kLayerA});
  const Tensor64 scores = evaluate_in_double(graph)[stages.weighed];
  const std::size_t count = task.wanted.values().size();
  const auto head = scores.values().subspan(task.head * count, count);
  return loss_by_hand({head.begin(), head.end()}, task.wanted,
                      weighting_of(task.layer) == Weighting::softmax_1);
}

Tensor nudged(const Tensor& tensor, std::size_t at, float by) {
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  values[at] += by;
  return {tensor.shape(), std::move(values)};
}

// A weight for each key that the scores let it have.
Tensor random_wanted(Random& random, const DescentTask& task) {
  Graph graph;
  const LayerStages stages = append_layer(graph, task.layer, {.address = kLayerA});
  const Tensor64 scores = evaluate_in_double(graph)[stages.weighed];
  const Shape shape{1, scores.rows(), scores.columns()};
  std::vector<float> values(shape.size(), 0);
  for (std::size_t i = 0; i < shape.rows; ++i) {
    const std::size_t j = pick(random, 0, shape.columns - 1);
    const double score = scores[Cell{task.head, i, j}];
    if (std::isfinite(score) && score > -1e3) values[i * shape.columns + j] = 1;
  }
  return {shape, std::move(values)};
}

}  // namespace

TEST_CASE("what the loss asks of scores is its central difference, of softmax and softmax-1") {
  const Tensor scores = drawn({1, 4, 5}, 9);
  const Tensor wanted({1, 4, 5}, {0, 1, 0, 0, 0, 0.5f, 0, 0.25f, 0.25f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  for (const Weighting weighting : {Weighting::softmax, Weighting::softmax_1}) {
    const bool one_more = weighting == Weighting::softmax_1;
    const WantedLoss found = wanted_loss(scores, wanted, weighting);
    const std::vector<double> at(scores.values().begin(), scores.values().end());
    CHECK(found.loss == doctest::Approx(loss_by_hand(at, wanted, one_more)).epsilon(1e-12));
    for (std::size_t i = 0; i < at.size(); ++i) {
      std::vector<double> above = at, below = at;
      above[i] += 1e-5, below[i] -= 1e-5;
      const double quotient =
          (loss_by_hand(above, wanted, one_more) - loss_by_hand(below, wanted, one_more)) / 2e-5;
      CHECK(std::abs(found.upstream[i] - quotient) <= 1e-9);
    }
  }
}

TEST_CASE("scores of tens of thousands have a loss, and the row of a masked query none") {
  const Tensor scores({1, 2, 2}, {-80000, 80000, -HUGE_VALF, -HUGE_VALF});
  const Tensor wanted({1, 2, 2}, {1, 0, 0, 0});
  const WantedLoss found = wanted_loss(scores, wanted, Weighting::softmax);
  CHECK(found.loss == 160000);
  CHECK(found.weights == std::vector<double>{0, 1, 0, 0});
  CHECK(found.upstream == std::vector<double>{-1, 1, 0, 0});
}

TEST_CASE("steps of the descent are those of Adam written out in double") {
  const Tensor wanted({1, 3, 3}, {0, 0, 0, 1, 0, 0, 0.25f, 0.75f, 0});
  const LayerSpec layer = three_causal_tokens();
  std::array<std::vector<double>, 3> start;
  const std::array<const Tensor*, 3> from{&layer.x, &layer.w_q, &layer.w_k};
  for (std::size_t t = 0; t < 3; ++t) start[t].assign(from[t]->values().begin(), from[t]->values().end());
  for (const std::vector<bool>& learns :
       {std::vector<bool>{false, true, false}, {false, false, true}, {true, true, true}}) {
    const DescentTask task{.layer = layer,
                           .wanted = wanted,
                           .learn_x = learns[0],
                           .learn_q = learns[1],
                           .learn_k = learns[2],
                           .rate = 0.05};
    const Descent found = went_down(task);
    REQUIRE(found.losses.size() == kDescentSteps + 1);
    const std::vector<double> by_hand = losses_by_hand(start, learns, wanted, 0.05, 20);
    for (std::size_t step = 0; step < by_hand.size(); ++step) {
      CAPTURE(step);
      CHECK(found.losses[step] == doctest::Approx(by_hand[step]).epsilon(1e-5));
    }
    CHECK(found.losses.back() < found.losses.front());
  }
}

TEST_CASE("of any layer the first step goes against the loss’s differences") {
  Random random(seed(417));
  std::size_t layers = 0, numbers = 0;
  for (int run = 0; run < (kSanitized ? 120 : 300); ++run) {
    CAPTURE(run);
    DescentTask task{.layer = random_scored_layer(random), .learn_x = true, .learn_q = true, .learn_k = true};
    if (!descent_refusal(task.layer).empty()) continue;
    task.head = pick(random, 0, head_count(task.layer) - 1);
    task.wanted = random_wanted(random, task);
    if (rows_asked(task.wanted) == 0) continue;
    task.rate = 0x1p-6;
    const auto backend = make_reference_backend();
    Descent found;
    Descender descender(task);
    descender.step(found, *backend);
    REQUIRE(found.ended == "");
    CHECK(found.losses[0] == doctest::Approx(exact_loss(task)).epsilon(1e-5));
    descender.step(found, *backend);
    ++layers;
    const std::vector<Learner> learns = learners(task);
    for (std::size_t t = 0; t < learns.size(); ++t) {
      const Tensor& start = task.layer.*learns[t].tensor;
      const Tensor& moved = found.kept[1]->learnt[t];
      for (std::size_t i = 0; i < start.values().size(); ++i) {
        DescentTask above = task, below = task;
        above.layer.*learns[t].tensor = nudged(start, i, 0x1p-10f);
        below.layer.*learns[t].tensor = nudged(start, i, -0x1p-10f);
        const double slope = (exact_loss(above) - exact_loss(below)) / 0x1p-9;
        if (std::abs(slope) < 1e-2) continue;
        ++numbers;
        const double way = static_cast<double>(moved.values()[i]) - static_cast<double>(start.values()[i]);
        CHECK(way == doctest::Approx(slope > 0 ? -0x1p-6 : 0x1p-6).epsilon(1e-4));
      }
    }
  }
  CHECK(layers >= (kSanitized ? 4 : 10));
  CHECK(numbers >= (kSanitized ? 120 : 300));
}

TEST_CASE("what was learnt makes the weights of its step, in a layer by itself") {
  DescentTask task{.layer = three_causal_tokens(),
                   .wanted = Tensor({1, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 1, 0}),
                   .learn_q = true,
                   .learn_k = true,
                   .rate = 0.1};
  const Descent found = went_down(task);
  CHECK(learner_words(task) == "W_Q + W_K");
  const LayerSpec learnt = with_learnt(task.layer, task, found.at(60));
  CHECK_FALSE(learnt.w_q == task.layer.w_q);
  CHECK(learnt.x == task.layer.x);
  Document document;
  document.layer() = learnt;
  const Results results = evaluated(document);
  const Tensor& weights = results.outputs[*results.graph.find(Role::weights)].whole();
  for (std::size_t i = 0; i < 9; ++i)
    CHECK(weights.values()[i] == doctest::Approx(found.at(60).weights.values()[i]).epsilon(1e-6));
}

TEST_CASE("layers that cannot learn their weights are refused by name") {
  const auto refusal = [](const std::function<void(LayerSpec&)>& change) {
    DescentTask task{.layer = three_causal_tokens(), .wanted = ones_of({1, 3, 3}), .learn_q = true};
    change(task.layer);
    return refusal_of([&] { Descender descender(task); });
  };
  const auto says = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(refusal([](LayerSpec&) {}).empty());
  CHECK(refusal([](LayerSpec& l) { l.weighting = Weighting::softmax_1; }).empty());
  CHECK(says(refusal([](LayerSpec& l) { l.temperature = 0; }), "temperature 0"));
  CHECK(says(refusal([](LayerSpec& l) { l.weighting = Weighting::sparsemax; }), "sparsemax"));
  CHECK(says(refusal([](LayerSpec& l) { l.weighting = Weighting::sigmoid; }), "sigmoid"));
  CHECK(says(refusal([](LayerSpec& l) { l.weighting = Weighting::relu; }), "ReLU"));
  CHECK(says(refusal([](LayerSpec& l) { l.softmax_over = SoftmaxOver::queries; }), "over queries"));
  CHECK(says(refusal([](LayerSpec& l) { l.precision = NumberFormat::bfloat16; }), "bfloat16"));
  DescentTask many{.learn_q = true};
  many.layer.direct = true;
  many.layer.q = many.layer.k = many.layer.v = ones_of({1, 1025, 1});
  CHECK(says(refusal_of([&] { Descender descender(many); }), "1050625 scores"));
  DescentTask idle{.layer = three_causal_tokens(), .wanted = ones_of({1, 3, 3})};
  CHECK(says(refusal_of([&] { Descender descender(idle); }), "nothing may learn"));
  idle.learn_q = true;
  idle.typed = {typed("weights", {0, 1, 0}, 0.5f)};
  CHECK(says(refusal_of([&] { Descender descender(idle); }), "typed over the weights"));
}

TEST_CASE("a loss that is no number ends the descent in words") {
  DescentTask task{.layer = three_causal_tokens(), .wanted = ones_of({1, 3, 3}), .learn_q = true, .rate = 1};
  const Descent masked = went_down(task);  // of masked keys too
  CHECK(masked.losses.empty());
  CHECK(masked.ended.find("−∞") != std::string::npos);
}

TEST_CASE("steps that are not kept are shown by the one before") {
  Descent found{.every = 50};
  for (int i = 0; i < 3; ++i) found.kept.push_back(std::make_shared<const DescentStep>());
  CHECK(found.kept_step(0) == 0);
  CHECK(found.kept_step(99) == 50);
  CHECK(found.kept_step(200) == 100);
}
