// trace --only of a large layer, in small: made some rows at a time where flash attention cannot take it,
// with the numbers of the layer that is made at once.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "app/cli/commands.h"
#include "core/checks/comparison.h"
#include "core/document/layer_plan.h"
#include "core/io/npz.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "tests/app/words.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr std::size_t kTokens = 100, kHeads = 2;
constexpr std::size_t kLittle = 100'000;  // bytes: what is large is made by bands of 16 rows

LayerSpec large_layer() {
  LayerSpec layer;
  layer.x = drawn({1, kTokens, 6}, 1);
  for (Tensor* w : {&layer.w_q, &layer.w_k, &layer.w_v}) *w = drawn({1, 6, 6}, 2);
  layer.heads = layer.kv_heads = kHeads;
  layer.masks = {{CausalRule{}}};
  return layer;
}

// The reference by another name, so that it is watched; how many numbers its largest result had. A number of
// row 20 may be wrong.
class Measured : public Backend {
 public:
  std::string name() const override { return "measured"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
    Tensor result = reference_->run(operation, inputs);
    if (given_tensor(operation)) return result;
    largest = std::max(largest, result.shape().size());
    const Cell cell{0, result.rows() - 1, 0};
    if (wrong && result.columns() == kTokens) result = with_value(result, cell, result[cell] + 0.5f);
    return result;
  }
  std::size_t largest = 0;
  bool wrong = false;

 private:
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

struct Traced {
  std::map<std::string, Array> arrays;
  std::size_t largest;
  std::string notes;
};

Traced traced(const LayerSpec& layer, const std::vector<std::string>& only, std::size_t most_kept,
              bool wrong = false) {
  const TemporaryFolder folder;
  Measured backend;
  backend.wrong = wrong;
  std::ostringstream notes;
  Console console(devices(), notes, [](std::string_view) {});
  const Graph graph = build_layer({.layers = {layer}}, kLayerA).graph;
  trace_stages(backend, Budget(std::size_t{1} << 30, most_kept), graph, folder / "out.npz", console, only);
  console.hand_out();
  return {parse_npz<float>(read_file(folder / "out.npz")), backend.largest, notes.str()};
}

void check_same(const Traced& a, const Traced& b) {
  REQUIRE(a.arrays.size() == b.arrays.size());
  for (const auto& [name, array] : a.arrays) {
    CAPTURE(name);
    const Array& other = b.arrays.at(name);
    REQUIRE(array.shape == other.shape);
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      const double there = static_cast<double>(other.values[i]);
      CHECK(distance(array.values[i], there) <= accepted_distance(there));
    }
  }
}

}  // namespace

TEST_CASE("chosen stages of a large layer are made some rows at a time with the same numbers") {
  using Change = void (*)(LayerSpec&);
  for (const Change change : std::initializer_list<Change>{
           [](LayerSpec& l) { l.weighting = Weighting::sparsemax; }, [](LayerSpec& l) { l.temperature = 0; },
           [](LayerSpec& l) { l.position = Relative{.clip = 3, .seed = 1, .values = true}; },
           [](LayerSpec& l) { l.scoring = Scoring::additive; },
           [](LayerSpec& l) { l.scoring = Scoring::gaussian, l.dropout = 0.2; },
           [](LayerSpec& l) { l.local = Local::predictive; },
           [](LayerSpec& l) { l.mask_at = MaskAt::after, l.position = Alibi{}; },
           [](LayerSpec& l) { l.precision = NumberFormat::float16; }}) {
    LayerSpec layer = large_layer();
    change(layer);
    const std::vector<std::string> only{"x", "head_output", "output"};
    const Traced bands = traced(layer, only, kLittle), whole = traced(layer, only, std::size_t{1} << 30);
    check_same(bands, whole);
    CHECK(whole.largest >= kHeads * kTokens * kTokens);
    CHECK(bands.largest < whole.largest / 4);
    CHECK(contains(bands.notes, "compared with the reference: all numbers"));
  }
}

TEST_CASE("large stages themselves are written some rows at a time") {
  LayerSpec layer = large_layer();
  layer.weighting = Weighting::sparsemax;
  const std::vector<std::string> only{"q", "mask", "weights", "head_output"};
  const Traced bands = traced(layer, only, kLittle), whole = traced(layer, only, std::size_t{1} << 30);
  CHECK(whole.arrays.at("mask").shape == std::vector<std::size_t>{kHeads, kTokens, kTokens});  // one shared
  check_same(bands, whole);
  CHECK(bands.largest < whole.largest / 4);
}

TEST_CASE("what bands cannot make is made at once") {
  LayerSpec layer = large_layer();
  layer.softmax_over = SoftmaxOver::queries;
  const Traced bands = traced(layer, {"output"}, kLittle);
  check_same(bands, traced(layer, {"output"}, std::size_t{1} << 30));
  CHECK(bands.largest >= kHeads * kTokens * kTokens);
}

TEST_CASE("a wrong number among the bands is found with its place") {
  try {
    traced(large_layer(), {"output"}, kLittle, true);
    FAIL("it was accepted");
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::device);
    CHECK(contains(error.what(), "measured computes wrong numbers: scores from row 0 on[0, 15, 0] is "));
  }
}
