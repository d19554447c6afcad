// Central differences in pieces: what they compare, held against whole graphs that are built and computed
// anew with the number changed.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/checks/central_differences.h"
#include "core/gradient/loss.h"
#include "core/reference/backend.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr double kExactNudge = 0x1p-10;  // floats around 1 can be moved by it without rounding

// Numbers of few bits, so that they stay floats when they are nudged.
Tensor rounded(Shape shape, std::uint64_t seed) {
  std::vector<float> values;
  const Tensor normal = drawn(shape, seed);
  for (const float x : normal.values()) values.push_back(std::round(64 * x) / 64);
  return {shape, std::move(values)};
}

LayerSpec proof_layer() {
  LayerSpec layer;
  layer.x = rounded({1, 3, 4}, 1);
  layer.w_q = rounded({1, 4, 4}, 2), layer.w_k = rounded({1, 4, 4}, 3), layer.w_v = rounded({1, 4, 4}, 4);
  return layer;
}

struct ProofGraph {
  explicit ProofGraph(const LayerSpec& layer, std::vector<StageOverride> typed = {}) {
    graph.overrides = std::move(typed);
    output = append_layer(graph, layer).output;
    gradients = append_gradients(
        graph, append_loss(graph, output, {.kind = LossKind::mean_square, .given = rounded({1, 3, 4}, 5)}));
  }
  double loss() const { return evaluate_in_double(graph)[gradients.loss].values()[0]; }
  StageIndex at(const char* id) const { return graph.find(id).value(); }

  Graph graph;
  StageIndex output = 0;
  Gradients gradients;
};

double loss_with(Cell cell, double change) {
  LayerSpec layer = proof_layer();
  layer.x = with_value(layer.x, cell, static_cast<float>(static_cast<double>(layer.x[cell]) + change));
  return ProofGraph(layer).loss();
}

Difference a_difference(double quotient, double least_scale, double rounding) {
  Difference found;
  found.quotient = quotient, found.least_scale = least_scale, found.rounding = rounding;
  return found;
}

StageOverride typed_score(float value) {
  return {.workspace = "layer", .stage = "scores", .value = {{0, 1, 2}, value}};
}

}  // namespace

TEST_CASE("the two losses of an input are those of layers with the number changed") {
  const ProofGraph proof(proof_layer());
  CentralDifferences differences(proof.graph, proof.gradients);
  for (const Cell cell : {Cell{0, 0, 0}, Cell{0, 1, 3}, Cell{0, 2, 2}}) {
    const Difference found = differences.at(proof.at("x"), cell, kExactNudge);
    CHECK(found.number == static_cast<double>(proof_layer().x[cell]));
    CHECK(found.above == loss_with(cell, kExactNudge));
    CHECK(found.below == loss_with(cell, -kExactNudge));
    CHECK(found.quotient == (found.above - found.below) / (2 * kExactNudge));
    CHECK_FALSE(found.crosses);
  }
}

TEST_CASE("a computed number is nudged as one that is typed over it") {
  const float score = 0.75f;
  const auto nudge = static_cast<float>(kExactNudge);
  const ProofGraph proof(proof_layer(), {typed_score(score)});
  CentralDifferences differences(proof.graph, proof.gradients);
  const Difference found = differences.at(proof.at("scores"), {0, 1, 2}, kExactNudge);
  CHECK(found.number == static_cast<double>(score));
  CHECK(found.above == ProofGraph(proof_layer(), {typed_score(score + nudge)}).loss());
  CHECK(found.below == ProofGraph(proof_layer(), {typed_score(score - nudge)}).loss());
  CHECK(found.above != found.below);
}

TEST_CASE("in pieces everything is as it is at once") {
  const ProofGraph proof(proof_layer());
  CentralDifferences at_once(proof.graph, proof.gradients);
  CentralDifferences in_pieces(proof.graph, proof.gradients, CentralDifferences::InPieces{});
  std::size_t pieces = 1;
  while (!in_pieces.prepare()) ++pieces;
  CHECK(pieces == proof.graph.stages.size());
  CHECK(in_pieces.loss() == proof.loss());
  // Two that take turns do not disturb each other.
  CentralDifferences::Nudge one{.stage = proof.at("x"), .cell = {0, 1, 1}},
      other{.stage = proof.at("scores"), .cell = {0, 2, 0}, .h = 1e-3};
  for (bool done = false; !done;) {
    const bool first = in_pieces.step(one), second = in_pieces.step(other);
    done = first && second;
  }
  for (const auto& nudge : {one, other}) {
    const Difference found = in_pieces.found(nudge), expected = at_once.at(nudge.stage, nudge.cell, nudge.h);
    CHECK(found.above == expected.above);
    CHECK(found.below == expected.below);
    CHECK(found.gradient == expected.gradient);
    CHECK(found.error == expected.error);
    CHECK(found.share == expected.share);
    CHECK(found.error < 1e-6);
  }
}

TEST_CASE("every input is checked, piece by piece, and the worst is kept") {
  const ProofGraph proof(proof_layer());
  CentralDifferences differences(proof.graph, proof.gradients);
  EveryDifference every(differences, proof.graph);
  CHECK(every.check().all >= 3 * 4 + 3 * 4 * 4);
  std::size_t before = 0;
  while (!every.step()) {
    CHECK(every.check().numbers - before <= 1);
    before = every.check().numbers;
  }
  CHECK(every.check().numbers == every.check().all);
  double worst = 0;
  for (const StageIndex input : differences.inputs()) {
    const Shape shape = proof.graph.stages[input].shape;
    for (std::size_t i = 0; i < shape.size(); ++i)
      worst = std::max(worst, differences.at(input, cell_at(shape, i)).share);
  }
  CHECK(every.check().worst->share == worst);
  CHECK(every.check().accepted());

  // Beside gradients that are wrong by a thousandth.
  EveryDifference wrong(differences, proof.graph, [](const Difference& found) {
    return found.beside(1.001 * found.gradient, 1e-6 * std::abs(found.gradient));
  });
  while (!wrong.step()) {
  }
  CHECK_FALSE(wrong.check().accepted());
}

TEST_CASE("a difference beside another gradient") {
  const Difference found = a_difference(2, 0.001, 0.01);
  const Difference other = found.beside(2.02, 0.1);
  CHECK(other.gradient == 2.02);
  CHECK(other.error == doctest::Approx(0.02 / 2.02));
  CHECK(other.share == doctest::Approx(0.2));
  CHECK(found.beside(2.02, 1e-9).share == doctest::Approx(2));  // rounding the losses explains 0.01
  const Difference zero = a_difference(0, 0, 0);
  CHECK(zero.beside(0, 1e-6).error == 0);
  CHECK(zero.beside(0, 1e-6).share == 0);
  const Difference small = a_difference(0, 0.5, 0);
  CHECK(small.beside(0.001, 0.01).error == doctest::Approx(0.002));
  CHECK_FALSE(found.beside(std::numeric_limits<double>::quiet_NaN(), 0.1).share <= 1);
}

TEST_CASE("what a graph takes in double is eight bytes a number") {
  Graph graph;
  graph.add({.id = "a", .title = "a", .formula = "given", .operation = Source{drawn({2, 3, 4}, 1)}});
  graph.add({.id = "b", .title = "b", .formula = "2a", .operation = Scale{2, "2"}, .inputs = {0}});
  CHECK(load_in_double(graph).total() == 8 * 2 * (2 * 3 * 4));
}
