// The search for mistakes, in layers of our own: ties, NaN, fills, noise, and what stages alone can tell.
// Numbers that another program computed with mistakes: tests/oracles/wrong_dumps_test.cpp.
#include <cmath>
#include <limits>

#include "tests/core/diagnosis_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

template <class Change>
Tensor each(const Tensor& from, Change change) {
  std::vector<float> values(from.values().begin(), from.values().end());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = change(i, values[i]);
  return {from.shape(), std::move(values)};
}

LayerSpec causal_layer(std::uint32_t seed) {
  return with_rules(diagnosed_layer(seed), {CausalRule{}, PaddingRule{{5}}});
}

std::vector<GivenStage> noisy(std::vector<GivenStage> stages, double size) {
  std::uint64_t seed = 0;
  for (GivenStage& stage : stages)
    stage.numbers = each(stage.numbers, [&, seed = ++seed](std::size_t i, float x) {
      return x * static_cast<float>(1 + size * random_normal(seed, i));
    });
  return stages;
}

}  // namespace

TEST_CASE("what is ours is equal, whatever the stages are") {
  const LayerSpec layer = causal_layer(1);
  const Diagnosis found =
      diagnosis_of({layer, given_by(layer, {"q", "scaled", "masked", "weights", "output"})});
  CHECK(found.equal());
  CHECK(found.singles.empty());
  CHECK(found.found() == nullptr);
  for (const StageVerdict& stage : found.stages) CHECK(stage.equal);
}

TEST_CASE("two mistakes of the drawing are named together, and what one of them leaves is told") {
  LayerSpec layer = causal_layer(2);
  layer.position = Rotary{.pairing = Pairing::half};
  LayerSpec wrong = layer;
  wrong.head_split = HeadCut::memory;
  wrong.scale = {ScaleMode::number, 0.25};
  const Diagnosis found = diagnosis_of({layer, given_by(wrong, {"scaled", "masked", "weights", "output"})});
  // ÷ √4 twice is ÷ 4: both are right.
  const Words by_d_k{"heads-split-by-reshape", "scale-by-d_k"},
      twice{"heads-split-by-reshape", "scale-twice"};
  CHECK(tied_words(found).contains(by_d_k));
  CHECK(tied_words(found).contains(twice));
  CHECK(found_words(found) == by_d_k);
  CHECK(found.first == std::size_t{0});
  CHECK(found.stages[1].same_masked);
  // The temperature that ties with a scale is told behind it.
  const std::size_t last = found.reproducing.back();
  CHECK(found.together[last].words.back() == "temperature");
  CHECK(found.together[last].details.back() == "T = 2");
  for (const Tried& single : found.singles) CHECK_FALSE(single.reproduces);
  CHECK(found.found()->distance < 1e-6);
  CHECK(found.nothing_changed > 0.1);
}

TEST_CASE("queries, keys and values may have been written before the wrong code cut them into heads") {
  LayerSpec layer = causal_layer(2);
  layer.position = Rotary{.pairing = Pairing::half};
  LayerSpec wrong = layer;
  wrong.head_split = HeadCut::memory;
  wrong.scale = {ScaleMode::number, 0.25};
  // Side by side, q of both layers is the same matrix; a reader cuts it by columns.
  std::vector<GivenStage> yours = given_by(layer, {"q", "k", "v"});
  for (GivenStage& behind : given_by(wrong, {"scaled", "masked", "weights", "output"}))
    yours.push_back(std::move(behind));
  const Diagnosis found = diagnosis_of({layer, yours});
  CHECK(found.first == std::size_t{3});
  CHECK(found_words(found) == Words{"heads-split-by-reshape", "scale-by-d_k"});
  REQUIRE(found.found());
  CHECK(*std::ranges::max_element(found.found()->stages) < 1e-6);
}

TEST_CASE("only queries, keys and values of heads that are cut by memory may be given side by side") {
  LayerSpec layer = causal_layer(2);
  const auto given = [&](const char* id) {
    const Graph graph = build_graph(layer);
    const StageIndex stage = *graph.find(id);
    Random random(4);
    const Tensor ours = normal(random, graph.stages[stage].shape);
    std::vector<float> numbers(ours.shape().size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Cell cell = cell_at(ours.shape(), i);
      numbers[i] = ours.values()[(cell.row * ours.stack() + cell.head) * ours.columns() + cell.column];
    }
    const Tensor yours(ours.shape(), std::move(numbers));
    return as_given(graph, stage, ours, yours) == yours;
  };
  CHECK_FALSE(given("q"));
  layer.head_split = HeadCut::memory;
  CHECK(given("q"));
  CHECK(given("v"));
  layer.softmax_over = SoftmaxOver::heads;
  CHECK_FALSE(given("weights"));
}

TEST_CASE("a fill for −∞ is no difference, and is named") {
  const LayerSpec layer = causal_layer(3);
  std::vector<GivenStage> yours = given_by(layer, {"masked", "weights"});
  yours[0].numbers =
      each(yours[0].numbers, [](std::size_t, float x) { return x == kMinusInfinity ? -1e9f : x; });
  const Diagnosis found = diagnosis_of({layer, yours});
  CHECK(found.equal());
  CHECK(found.stages[0].same_masked);
  CHECK(found.stages[0].note == "−1e9 for −∞: same cells masked");
  yours[0].numbers = each(yours[0].numbers, [](std::size_t i, float x) { return i == 1 ? 0.5f : x; });
  const Diagnosis other = diagnosis_of({layer, yours, {}, false});
  CHECK(other.first == std::size_t{0});
  CHECK_FALSE(other.stages[0].same_masked);
  CHECK(other.stages[0].at == 1);
  CHECK(other.stages[0].note == "other cells are masked");
}

TEST_CASE("stages before a NaN of yours are compared, and name the mistake") {
  const LayerSpec layer = causal_layer(4);
  LayerSpec wrong = layer;
  wrong.scale.mode = ScaleMode::none;
  std::vector<GivenStage> yours = given_by(wrong, kTold);
  yours[1].numbers =
      each(yours[1].numbers, [](std::size_t i, float x) { return i == 8 ? std::nanf("") : x; });
  const Diagnosis found = diagnosis_of({layer, yours});
  CHECK(found.stages[1].note == "NaN first at head 0, row 1, column 1");
  CHECK(found.stages[1].compared);
  CHECK_FALSE(found.stages[2].compared);
  CHECK(text_of(found_words(found)) == text_of({"no-scale"}));
}

TEST_CASE("rows of NaN that nothing explains reproduce nothing; those of a mask do") {
  const LayerSpec layer = with_rules(diagnosed_layer(5), {CausalRule{}});
  std::vector<GivenStage> yours = given_by(layer, kTold);
  yours[1].numbers =
      each(yours[1].numbers, [](std::size_t i, float x) { return i == 8 ? std::nanf("") : x; });
  const Diagnosis unknown = diagnosis_of({layer, yours});
  CHECK(unknown.first == std::size_t{1});
  CHECK(unknown.reproducing.empty());
  CHECK_FALSE(unknown.noise);
  // The first query sees nothing: a softmax of −∞ alone.
  LayerSpec wrong = layer;
  std::vector<float> diagonal(49, 0);
  for (std::size_t i = 0; i < 7; ++i) diagonal[i * 8] = 1;
  wrong.mask = Tensor({1, 7, 7}, diagonal);
  wrong.empty_row = EmptyRow::nan;
  const Diagnosis hidden = diagnosis_of({layer, given_by(wrong, kTold)});
  CHECK(text_of(found_words(hidden)) == text_of({"causal-hides-itself"}));
  CHECK(hidden.found()->details[0] == "rows with no key NaN");
}

TEST_CASE("an output alone names a mistake, and says which tie") {
  LayerSpec layer = diagnosed_layer(6);
  layer.position = Alibi{};
  LayerSpec wrong = layer;
  wrong.scale = {ScaleMode::number, 0.25};
  const Diagnosis found = diagnosis_of({layer, given_by(wrong, {"output"})});
  CHECK(tied_words(found) == std::set<Words>{{"scale-by-d_k"}, {"scale-twice"}, {"scale-by-model-width"}});
}

TEST_CASE("a mistake that this layer has nothing for is said not to be here") {
  const LayerSpec layer = causal_layer(7);
  LayerSpec wrong = layer;
  wrong.scale.mode = ScaleMode::none;
  const Diagnosis found = diagnosis_of({layer, given_by(wrong, kTold)});
  const auto not_here = [&](const char* word) { return std::ranges::count(found.not_here, word) == 1; };
  for (const char* word :
       {"alibi-sign", "causal-alignment", "groups-tiled", "rope-base", "soft-cap-forgotten"})
    CHECK(not_here(word));
  CHECK_FALSE(not_here("padding-forgotten"));
  CHECK(found.singles.size() + found.not_here.size() + 1 == known_mistakes().size());  // no dropout told
}

TEST_CASE("noise is called noise, with its size") {
  for (const double size : {1e-4, 1e-3, 5e-3}) {
    LayerSpec layer = causal_layer(8);
    layer.position = Sinusoidal{};
    const Diagnosis found = diagnosis_of({layer, noisy(given_by(layer, kTold), size)});
    CHECK(found.noise);
    CHECK(found.noise_size > size / 2);
    CHECK(found.noise_size < size * 2);
    CHECK(found.reproducing.empty());
  }
}

TEST_CASE("a mistake of small effect that nobody knows is no noise") {
  LayerSpec layer = causal_layer(9);
  layer.position = Rotary{};
  const std::vector<GivenStage> ours = given_by(layer, {"q", "scaled", "weights", "output"});
  const auto is_noise = [&](auto change) {
    LayerSpec wrong = layer;
    change(wrong);
    const Diagnosis found =
        diagnosis_of({layer, given_by(wrong, {"q", "scaled", "weights", "output"}), {}, false});
    CHECK_FALSE(found.equal());
    CHECK(found.reproducing.empty());
    return found.noise;
  };
  CHECK_FALSE(is_noise([](LayerSpec& l) { l.position = Rotary{.base = 10010}; }));
  CHECK_FALSE(
      is_noise([](LayerSpec& l) { l.b_k = each(l.b_k, [](std::size_t, float x) { return x * 1.01f; }); }));
  CHECK_FALSE(is_noise([](LayerSpec& l) { l.soft_cap = 60; }));
  CHECK_FALSE(is_noise([](LayerSpec& l) {
    l.w_q = each(l.w_q, [](std::size_t i, float x) { return i % 16 == 3 ? x * 1.01f : x; });
  }));
}

TEST_CASE("stages of another shape are told, and the rest goes on") {
  const LayerSpec layer = causal_layer(10);
  LayerSpec wrong = layer;
  wrong.w_o = wrong.b_o = Tensor();
  std::vector<GivenStage> yours = given_by(wrong, {"weights", "output"});
  const Diagnosis found = diagnosis_of({layer, yours});
  CHECK(text_of(found_words(found)) == text_of({"w_o-forgotten"}));
  yours[0].numbers = Tensor({1, 7, 7}, std::vector<float>(49, 0.1f));
  const Diagnosis other = diagnosis_of({layer, yours});
  CHECK_FALSE(other.stages[0].same_shape);
  CHECK(other.stages[0].note == "yours is 7×7, ours 4×7×7");
  CHECK(other.reproducing.empty());
  CHECK(std::isinf(other.nothing_changed));
}

TEST_CASE("three mistakes are found when they are asked for") {
  LayerSpec layer = causal_layer(11);
  LayerSpec wrong = layer;
  wrong.scale.mode = ScaleMode::none, wrong.head_merge = HeadCut::memory;
  wrong.w_o = wrong.b_o = Tensor();
  const std::vector<GivenStage> yours = given_by(wrong, kTold);
  CHECK(diagnosis_of({layer, yours}).reproducing.empty());
  const Diagnosis found = diagnosis_of({layer, yours, {}, true, true});
  CHECK(text_of(found_words(found)) == text_of({"no-scale", "heads-merged-by-reshape", "w_o-forgotten"}));
}
