// What is true of every layer, on the reference and on the device that "auto" takes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/evaluate/evaluator.h"
#include "core/reference/backend.h"
#include "tests/devices.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr int kDocuments = 150;

struct ChosenMachine {
  Budget budget;
  std::vector<std::string> notes;
  std::unique_ptr<Backend> backend;
  Evaluator evaluator;

  explicit ChosenMachine(const std::string& choice)
      : backend(devices()->choose(choice, budget, notes)), evaluator(*backend, budget) {}

  Results run(const LayerSpec& layer) { return evaluator.evaluate({{layer}}, build_graph(layer)); }
};

const std::array<std::string, 2> kChoices{"reference", "auto"};

// The accepted distance between a device and the reference, on every stage. A number that terms cancel in is
// as far off as they round: they are of the size of the stage's largest.
bool near(double a, double b, double largest) {
  return (std::isnan(a) && std::isnan(b)) || a == b ||
         std::abs(a - b) <= 2e-6 * std::max(1.0, largest) + 2e-5 * std::abs(b);
}

void check_near(const Tensor& a, const Tensor& b) {
  REQUIRE(a.shape() == b.shape());
  double largest = 0;
  for (const float number : b.values())
    if (std::isfinite(number)) largest = std::max<double>(largest, std::abs(number));
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    INFO("number ", i, ": ", a.values()[i], " and ", b.values()[i]);
    CHECK(near(a.values()[i], b.values()[i], largest));
  }
}

// Rows whose keys are all masked are the only ones that may not sum to 1.
bool row_is_empty(const Tensor& masked, std::size_t head, std::size_t row) {
  for (std::size_t j = 0; j < masked.columns(); ++j)
    if (masked[{head, row, j}] != -std::numeric_limits<float>::infinity()) return false;
  return true;
}

Tensor permute_rows(const Tensor& t, const std::vector<std::size_t>& order) {
  std::vector<float> values;
  for (std::size_t s = 0; s < t.stack(); ++s)
    for (const std::size_t i : order)
      for (std::size_t j = 0; j < t.columns(); ++j) values.push_back(t[{s, i, j}]);
  return {t.shape(), std::move(values)};
}

// Each key/value matrix repeated for every query head that shares it.
Tensor repeat_heads(const Tensor& t, std::size_t heads) {
  std::vector<float> values;
  for (std::size_t s = 0; s < heads; ++s)
    for (std::size_t i = 0; i < t.rows(); ++i)
      for (std::size_t j = 0; j < t.columns(); ++j) values.push_back(t[{s / (heads / t.stack()), i, j}]);
  return {{heads, t.rows(), t.columns()}, std::move(values)};
}

}  // namespace

TEST_CASE("every row of weights sums to 1 unless no key is left") {
  for (const std::string& choice : kChoices) {
    ChosenMachine machine(choice);
    Random random(seed(1));
    for (int document = 0; document < kDocuments; ++document) {
      const Results r = machine.run(random_layer(random));
      const Tensor weights = r.output("weights");
      const Tensor before = r.output(r.result("masked").here() ? "masked" : "scaled");
      for (std::size_t h = 0; h < weights.stack(); ++h)
        for (std::size_t i = 0; i < weights.rows(); ++i) {
          double sum = 0;
          for (std::size_t j = 0; j < weights.columns(); ++j) sum += weights[{h, i, j}];
          const EmptyRow empty = r.document.layer().empty_row;
          if (!row_is_empty(before, h, i) || empty == EmptyRow::uniform)
            CHECK(std::abs(sum - 1) <= 1e-6);
          else
            CHECK((empty == EmptyRow::nan ? std::isnan(sum) : sum == 0));
        }
    }
  }
}

TEST_CASE("weights of keys masked with minus infinity are exactly 0") {
  for (const std::string& choice : kChoices) {
    ChosenMachine machine(choice);
    Random random(seed(2));
    std::size_t masked_keys = 0;
    for (int document = 0; document < kDocuments; ++document) {
      LayerSpec layer = random_layer(random);
      layer.fill = Fill::negative_infinity;
      layer.empty_row = EmptyRow::zeros;
      const Results r = machine.run(layer);
      const Tensor weights = r.output("weights");
      if (!r.result("mask").here()) continue;
      const Tensor mask = r.output("mask");
      for (std::size_t i = 0; i < weights.values().size(); ++i) {
        const std::size_t s = i % (mask.values().size());
        if (mask.stack() != 1 && mask.stack() != weights.stack()) continue;
        if (mask.values()[s] == 0) continue;
        ++masked_keys;
        CHECK(weights.values()[i] == 0);
      }
    }
    CHECK(masked_keys > 1000);
  }
}

TEST_CASE("adding a constant to every score of a row changes no weight") {
  for (const std::string& choice : kChoices) {
    ChosenMachine machine(choice);
    Random random(seed(3));
    for (int document = 0; document < kDocuments; ++document) {
      LayerSpec layer = random_layer(random);
      layer.temperature = 1;
      layer.fill = Fill::negative_infinity;
      const std::size_t n = query_count(layer), m = key_count(layer);
      layer.bias = Tensor({1, n, m}, std::vector<float>(n * m, 0.0f));
      const Results plain = machine.run(layer);
      std::vector<float> shift(n * m);
      for (std::size_t i = 0; i < n * m; ++i) shift[i] = static_cast<float>(i / m) - 2;  // one constant a row
      layer.bias = Tensor({1, n, m}, std::move(shift));
      const Results shifted = machine.run(layer);
      // Each shifted score and its row's maximum are rounded once more, by 2^-24 of their size.
      double largest = 4;
      const Tensor scaled = plain.output("scaled");
      for (const float score : scaled.values()) largest = std::max<double>(largest, std::abs(score));
      const double relative = 1e-6 + 4 * std::ldexp(largest + 4, -24);
      const Tensor a = shifted.output("weights"), b = plain.output("weights");
      for (std::size_t i = 0; i < a.values().size(); ++i) {
        const double x = a.values()[i], y = b.values()[i];
        CHECK(((std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= relative * y));
      }
    }
  }
}

TEST_CASE("permuting the tokens permutes the output and changes nothing else") {
  for (const std::string& choice : kChoices) {
    ChosenMachine machine(choice);
    Random random(seed(4));
    for (int document = 0; document < kDocuments; ++document) {
      LayerSpec layer = random_projected(random);
      layer.memory = {};
      layer.position = NoPosition();
      const Results plain = machine.run(layer);
      std::vector<std::size_t> order(layer.x.rows());
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      layer.x = permute_rows(layer.x, order);
      const Results permuted = machine.run(layer);
      check_near(permuted.output("output"), permute_rows(plain.output("output"), order));
    }
  }
}

TEST_CASE("one head is plain attention") {
  for (const std::string& choice : kChoices) {
    ChosenMachine machine(choice);
    Random random(seed(5));
    for (int document = 0; document < kDocuments; ++document) {
      LayerSpec layer = random_projected(random);
      layer.heads = layer.kv_heads = 1;
      layer.w_k = normal(random, {1, layer.w_k.rows(), layer.w_q.columns()});
      layer.b_k = {};
      layer.w_o = layer.b_o = {};
      layer.muted_heads.clear();
      const Results projected = machine.run(layer);
      LayerSpec direct;
      direct.direct = true;
      direct.q = projected.output("q");
      direct.k = projected.output("k");
      direct.v = projected.output("v");
      const Results plain = machine.run(direct);
      CHECK(plain.output("weights") == projected.output("weights"));
      CHECK(plain.output("output") == projected.output("output"));
    }
  }
}

TEST_CASE("shared key and value heads equal full heads that hold copies") {
  for (const std::string& choice : kChoices) {
    ChosenMachine machine(choice);
    Random random(seed(6));
    for (int document = 0; document < kDocuments; ++document) {
      LayerSpec layer = random_direct(random);
      random_masks(random, layer);
      const Results grouped = machine.run(layer);
      layer.k = repeat_heads(layer.k, layer.q.stack());
      layer.v = repeat_heads(layer.v, layer.q.stack());
      const Results full = machine.run(layer);
      CHECK(full.output("weights") == grouped.output("weights"));
      CHECK(full.output("output") == grouped.output("output"));
    }
  }
}

TEST_CASE("at temperature 0 the weights are one-hot on the maximum and ties share") {
  ChosenMachine machine("auto");
  LayerSpec layer;
  layer.direct = true;
  layer.temperature = 0;
  layer.q = Tensor({1, 2, 1}, {1, -1});
  layer.k = Tensor({1, 4, 1}, {3, 5, 5, 1});
  layer.v = Tensor({1, 4, 1}, {1, 2, 4, 8});
  const Results r = machine.run(layer);
  CHECK(r.output("weights") == Tensor({1, 2, 4}, {0, 0.5f, 0.5f, 0, 0, 0, 0, 1}));
  CHECK(r.output("output") == Tensor({1, 2, 1}, {3, 8}));
}

TEST_CASE("every stage of a random layer on the device is near the reference") {
  ChosenMachine device("auto"), reference("reference");
  REQUIRE(device.backend->name() !=
          "reference");  // tests need an OpenCL device; PoCL is one of their packages
  Random random(seed(7));
  for (int document = 0; document < kDocuments; ++document) {
    LayerSpec layer = random_layer(random);
    layer.temperature = std::max(layer.temperature, 0.5);  // at 0 a rounding decides between near-ties
    const Results a = device.run(layer), b = reference.run(layer);
    for (StageIndex i = 0; i < a.graph.stages.size(); ++i) {
      INFO("stage ", a.graph.stages[i].id);
      check_near(a.outputs[i].whole(), b.outputs[i].whole());
    }
  }
}
