// Each option of the layer: the written stages are those of the layer that the option describes.
#include <doctest/doctest.h>

#include <functional>

#include "core/evaluate/evaluator.h"
#include "core/io/layer_npz.h"
#include "core/io/npz.h"
#include "core/io/session.h"
#include "core/io/stages_npz.h"
#include "core/reference/backend.h"
#include "core/system/file.h"
#include "tests/app/words.h"
#include "tests/layers.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::vector<std::byte> stages_of(const LayerSpec& layer) {
  Budget budget;
  const auto backend = make_reference_backend();
  return stages_npz(Evaluator(*backend, budget).evaluate({.layers = {layer}}, build_graph(layer)));
}

// Five tokens of width 8, projections 8 wide, two heads; a session that sets what options can override.
LayerSpec projected() {
  Random random(seed(7));
  LayerSpec layer;
  layer.x = normal(random, {1, 5, 8});
  layer.w_q = normal(random, {1, 8, 8});
  layer.w_k = normal(random, {1, 8, 8});
  layer.w_v = normal(random, {1, 8, 8});
  layer.w_o = normal(random, {1, 8, 8});
  layer.heads = layer.kv_heads = 2;
  layer.scale.mode = ScaleMode::none;
  layer.temperature = 3;
  set_causal(layer, CausalAlign::top_left);
  layer.fill = Fill::minus_1e6;
  layer.empty_row = EmptyRow::uniform;
  layer.position = Sinusoidal{50};
  layer.dropout = 0.25;
  layer.dropout_seed = 9;
  return layer;
}

LayerSpec direct(Shape q, Shape k) {
  Random random(seed(8));
  LayerSpec layer;
  layer.direct = true;
  layer.q = normal(random, q);
  layer.k = normal(random, k);
  layer.v = normal(random, k);
  return layer;
}

std::vector<std::byte> traced(const LayerSpec& layer, const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  const std::string session = folder / "session.json", out = folder / "out.npz";
  write_file(session, write_session({.layers = {layer}}));
  std::vector<std::string> words{"trace", session, "-o", out, "--device", "reference"};
  words.insert(words.end(), options.begin(), options.end());
  const Outcome outcome = run_words(words);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  CHECK(outcome.out.empty());
  return read_file(out);
}

struct Given {
  std::vector<std::string> words;
  std::function<void(LayerSpec&)> change;
};

// The option makes a difference, and exactly that of the change.
void check_overrides(const LayerSpec& layer, const std::vector<Given>& overrides) {
  const std::vector<std::byte> unchanged = traced(layer, {});
  CHECK(unchanged == stages_of(layer));
  for (const Given& override : overrides) {
    LayerSpec expected = layer;
    override.change(expected);
    CAPTURE(override.words.back());
    const std::vector<std::byte> stages = traced(layer, override.words);
    CHECK(stages == stages_of(expected));
    CHECK(stages != unchanged);
  }
}

}  // namespace

TEST_CASE("options override what a session says") {
  using Spec = LayerSpec&;
  check_overrides(
      projected(),
      {{{"--heads", "4"}, [](Spec s) { s.heads = s.kv_heads = 4; }},
       {{"--scale", "sqrt"}, [](Spec s) { s.scale.mode = ScaleMode::sqrt; }},
       {{"--scale", "-0.5"}, [](Spec s) { s.scale.mode = ScaleMode::number, s.scale.number = -0.5; }},
       {{"--scale=−0.5"}, [](Spec s) { s.scale.mode = ScaleMode::number, s.scale.number = -0.5; }},
       {{"--temperature", "+0.5"}, [](Spec s) { s.temperature = 0.5; }},
       {{"--temperature", "0"}, [](Spec s) { s.temperature = 0; }},
       {{"--mask", "padding:2"}, [](Spec s) { set_causal(s, {}), set_padding(s, {2}); }},
       {{"--mask", "padding:5,4,3,0,1"},
        [](Spec s) {
          set_causal(s, {}), set_padding(s, {5, 4, 3, 0, 1});
        }},
       {{"--mask", "causal", "--mask", "padding:2"}, [](Spec s) { set_padding(s, {2}); }},
       {{"--mask=padding:3", "--mask=padding:5,4,3,2,1"},
        [](Spec s) {
          set_causal(s, {}), set_padding(s, {3, 3, 3, 2, 1});
        }},
       {{"--fill", "-1e9"}, [](Spec s) { s.fill = Fill::minus_1e9; }},
       {{"--fill", "-inf"}, [](Spec s) { s.fill = Fill::negative_infinity; }},
       {{"--fill=add-1e9"}, [](Spec s) { s.fill = Fill::add_minus_1e9; }},
       {{"--position", "none"}, [](Spec s) { s.position = NoPosition(); }},
       {{"--position", "sinusoidal"}, [](Spec s) { s.position = Sinusoidal{10000}; }},
       {{"--position", "sinusoidal:100.5"}, [](Spec s) { s.position = Sinusoidal{100.5}; }},
       {{"--position", "learned:7"}, [](Spec s) { s.position = Learned{.seed = 7}; }},
       {{"--position", "learned:7:5"}, [](Spec s) { s.position = Learned{.seed = 7, .length = 5}; }},
       {{"--position", "rope"}, [](Spec s) { s.position = Rotary(); }},
       {{"--position", "rope:500"}, [](Spec s) { s.position = Rotary{.base = 500}; }},
       {{"--position", "rope:half"}, [](Spec s) { s.position = Rotary{.pairing = Pairing::half}; }},
       {{"--position", "rope:half:1e5:part=2"},
        [](Spec s) { s.position = Rotary{.pairing = Pairing::half, .base = 1e5, .part = 2}; }},
       {{"--position", "rope:stretch=yarn:factor=4:trained=2"},
        [](Spec s) { s.position = Rotary{.stretch = Stretch::yarn, .factor = 4, .trained = 2}; }},
       {{"--position", "alibi"}, [](Spec s) { s.position = Alibi(); }},
       {{"--position", "relative:2:9"}, [](Spec s) { s.position = Relative{.clip = 2, .seed = 9}; }},
       {{"--position", "relative:2:9:values"},
        [](Spec s) { s.position = Relative{.clip = 2, .seed = 9, .values = true}; }},
       {{"--position", "t5:8:20:1"},
        [](Spec s) { s.position = T5Bias{.buckets = 8, .max_distance = 20, .seed = 1}; }},
       {{"--position", "t5:8:20:1:causal"},
        [](Spec s) { s.position = T5Bias{.buckets = 8, .max_distance = 20, .seed = 1, .causal = true}; }},
       {{"--shift", "3"}, [](Spec s) { s.first_position = 3; }},
       {{"--dropout", "0.5:9"}, [](Spec s) { s.dropout = 0.5; }},
       {{"--dropout", "0.25:18446744073709551615"}, [](Spec s) { s.dropout_seed = 18446744073709551615u; }}});
}

TEST_CASE("scores and weights are made as the options say") {
  using Spec = LayerSpec&;
  std::vector<Given> overrides{
      {{"--qk-norm"}, [](Spec s) { s.qk_norm = true; }},
      {{"--qk-norm", "--qk-gain", "2.5"}, [](Spec s) { s.qk_norm = true, s.qk_gain = 2.5; }},
      {{"--score", "gaussian", "--sigma", "0.25"},
       [](Spec s) { s.scoring = Scoring::gaussian, s.sigma = 0.25; }},
      {{"--soft-cap", "0.75"}, [](Spec s) { s.soft_cap = 0.75; }}};
  for (std::size_t i = 1; i < kScorings.size(); ++i)
    overrides.push_back(
        {{"--score", std::string(kScorings[i].word)}, [i](Spec s) { s.scoring = static_cast<Scoring>(i); }});
  for (std::size_t i = 1; i < kLayerWeightings; ++i)
    overrides.push_back({{"--weighting", std::string(kWeightings[i].word)},
                         [i](Spec s) { s.weighting = static_cast<Weighting>(i); }});
  overrides.push_back({{"--local", "monotonic"}, [](Spec s) { s.local = Local::monotonic; }});
  overrides.push_back({{"--local", "predictive", "--local-reach", "3"},
                       [](Spec s) { s.local = Local::predictive, s.local_reach = 3; }});
  check_overrides(projected(), overrides);
}

TEST_CASE("an unknown score or weighting is refused with those there are and so are caps out of range") {
  const auto refusal = [](const char* option, const char* word) {
    const Outcome outcome = run_words({"trace", "three-tokens", option, word});
    CHECK(outcome.status == kBadWords);
    return outcome.err;
  };
  CHECK(contains(refusal("--score", "aditive"), "additive"));
  CHECK(contains(refusal("--weighting", "hard"), "sparsemax"));
  CHECK(contains(refusal("--soft-cap", "-1"), "0 for none"));
  CHECK(contains(refusal("--sigma", "0"), "from 1e-6"));
  CHECK(contains(refusal("--local", "predict"), "predictive"));
  CHECK(contains(refusal("--local-reach", "0"), "from 1"));
}

TEST_CASE(
    "parameters of the score come from the arrays of the file and queries and keys may differ in width") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.npz", out = folder / "out.npz";
  const auto array = [](const char* name, std::vector<std::size_t> shape, std::vector<float> numbers) {
    return std::pair{std::string(name), write_npy(shape, numbers)};
  };
  const std::vector members{array("q", {3, 2}, {1, 0, 0, 1, 1, 1}), array("k", {2, 3}, {1, 2, 3, 4, 5, 6}),
                            array("v", {2, 1}, {1, 2}), array("score_w", {2, 3}, {1, 0, 0, 0, 0, 2})};
  write_file(in, std::span<const std::byte>(write_npz(members)));
  REQUIRE(run_words({"trace", in, "-o", out, "--device", "reference", "--score", "general"}).status == kDone);
  const auto stages = parse_npz<float>(read_file(out));
  CHECK(stages.at("q_w").values == std::vector<float>{1, 0, 0, 0, 0, 2, 1, 0, 2});
  CHECK(stages.at("scores").values == std::vector<float>{1, 4, 6, 12, 7, 16});
  const Outcome refused = run_words({"trace", in, "-o", out, "--device", "reference"});
  CHECK(refused.status != kDone);
  CHECK(contains(refused.err, "general, concat or additive"));
}

TEST_CASE("mask words and fills of every kind override what a session says") {
  using Spec = LayerSpec&;
  check_overrides(
      projected(),
      {{{"--mask", "window:2", "--mask", "and:not:strided:3", "--mask", "global:0,4"},
        [](Spec s) {
          s.masks = {{WindowRule{2}}, {StridedRule{3}, true, Join::all}, {GlobalRule{{0, 4}}}};
        }},
       {{"--mask", "random:2:9", "--mask", "not:prefix:3", "--mask", "and:blocks:2,2"},
        [](Spec s) {
          s.masks = {{RandomRule{2, 9}}, {PrefixRule{3}, true}, {BlocksRule{{2, 2}}, false, Join::all}};
        }},
       {{"--mask", "causal", "--causal-offset", "2"},
        [](Spec s) {
          s.masks = {{CausalRule{CausalAlign::lower_right, 2}}};
        }},
       {{"--fill", "-65504"}, [](Spec s) { s.fill = Fill::minus_65504; }},
       {{"--fill=add-inf"}, [](Spec s) { s.fill = Fill::add_negative_infinity; }},
       {{"--fill=add-65504"}, [](Spec s) { s.fill = Fill::add_minus_65504; }}});
}

TEST_CASE("empty rows become what the option says") {
  LayerSpec layer = projected();
  set_padding(layer, {5, 0, 5, 0, 5});
  layer.fill = Fill::negative_infinity;
  check_overrides(layer, {{{"--empty-row", "zeros"}, [](LayerSpec& s) { s.empty_row = EmptyRow::zeros; }},
                          {{"--empty-row", "nan"}, [](LayerSpec& s) { s.empty_row = EmptyRow::nan; }}});
}

TEST_CASE("the causal diagonal is aligned as the option says") {
  LayerSpec layer = direct({1, 2, 4}, {1, 5, 4});
  set_causal(layer, CausalAlign::lower_right);
  const auto top_left = [](LayerSpec& s) { set_causal(s, CausalAlign::top_left); };
  check_overrides(layer, {{{"--causal-align", "top-left"}, top_left},
                          {{"--causal-align", "top-left", "--mask", "causal"}, top_left}});
  set_causal(layer, {});
  check_overrides(layer,
                  {{{"--mask", "causal"}, [](LayerSpec& s) { set_causal(s, CausalAlign::lower_right); }}});
}

TEST_CASE("each precision is an option and a word of sessions and another is refused with the list") {
  LayerSpec layer = projected();
  layer.precision = NumberFormat::float16;
  using Spec = LayerSpec&;
  check_overrides(layer,
                  {{{"--precision", "float32"}, [](Spec s) { s.precision = NumberFormat::float32; }},
                   {{"--precision", "bfloat16"}, [](Spec s) { s.precision = NumberFormat::bfloat16; }}});
  layer.precision = NumberFormat::float32;
  check_overrides(layer, {{{"--precision", "float16"}, [](Spec s) { s.precision = NumberFormat::float16; }}});
  const Outcome outcome = run_words({"trace", "three-tokens", "--precision", "float8"});
  CHECK(outcome.status == kBadWords);
  for (const char* word : {"--precision", "float8", "float32", "float16", "bfloat16"})
    CHECK_MESSAGE(contains(outcome.err, word), outcome.err);
}

TEST_CASE("a mask matrix of the file stays when mask options are given") {
  LayerSpec layer = projected();
  layer.mask = Tensor({1, 5, 5}, std::vector<float>{1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1,
                                                    0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1});
  check_overrides(layer,
                  {{{"--mask", "padding:4"}, [](LayerSpec& s) { set_causal(s, {}), set_padding(s, {4}); }}});
}

TEST_CASE("either number of heads follows from the widths when only the other is given") {
  Random random(seed(3));
  LayerSpec layer = projected();
  layer.w_k = normal(random, {1, 8, 4});
  layer.w_v = normal(random, {1, 8, 4});
  layer.kv_heads = 1;
  check_overrides(layer,
                  {{{"--heads", "4"}, [](LayerSpec& s) { s.heads = 4, s.kv_heads = 2; }},
                   {{"--kv-heads", "2"}, [](LayerSpec& s) { s.heads = 4, s.kv_heads = 2; }},
                   {{"--heads", "4", "--kv-heads", "2"}, [](LayerSpec& s) { s.heads = 4, s.kv_heads = 2; }}});
  CHECK(run_words({"trace", "the-cat-sat-on-mat", "--heads", "4", "--kv-heads", "3"}).status == kBadWords);
}

TEST_CASE("matrices q k and v given side by side are split into heads") {
  const LayerSpec layer = direct({1, 3, 4}, {1, 5, 4});
  const auto split = [](const Tensor& t) {
    std::vector<float> values;
    for (std::size_t head = 0; head < 2; ++head)
      for (std::size_t row = 0; row < t.rows(); ++row)
        for (std::size_t column = 0; column < t.columns() / 2; ++column)
          values.push_back(t[{0, row, t.columns() / 2 * head + column}]);
    return Tensor({2, t.rows(), t.columns() / 2}, std::move(values));
  };
  check_overrides(layer, {{{"--heads", "2"}, [&](LayerSpec& s) {
                             s.q = split(s.q);
                             s.k = split(s.k);
                             s.v = split(s.v);
                           }}});
  check_overrides(direct({1, 3, 8}, {1, 5, 8}), {{{"--kv-heads", "2"}, [&](LayerSpec& s) {
                                                    s.q = split(s.q);
                                                    s.k = split(s.k);
                                                    s.v = split(s.v);
                                                  }}});
  const TemporaryFolder folder;
  const std::string session = folder / "stacked.json";
  write_file(session, write_session({.layers = {direct({2, 3, 4}, {2, 5, 4})}}));
  CHECK(run_words({"trace", session, "--heads", "2", "--device", "reference"}).status == kDone);
  const Outcome outcome = run_words({"trace", session, "--heads", "4"});
  CHECK(outcome.status == kBadWords);
  CHECK(contains(outcome.err, "holds 2 already"));
}
