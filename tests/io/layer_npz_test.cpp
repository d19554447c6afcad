// Arrays in, stages out: shapes and heads of a layer, a message with both numbers for each array that does
// not fit, and every traced stage of a computed layer found again in the file.
#include "core/io/layer_npz.h"
#include "core/io/stages_npz.h"

#include <doctest/doctest.h>
#include <map>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "core/evaluate/evaluator.h"
#include "core/io/npz.h"
#include "core/reference/backend.h"
#include "core/text/bytes.h"
#include "tests/io/io_testing.h"
#include "tests/layers.h"

namespace attn::tests {
namespace {

using Arrays = std::map<std::string, Array>;
using Sizes = std::vector<std::size_t>;

// An array that counts from 1.
Array counting(Sizes shape) {
  std::vector<float> values(std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
  std::iota(values.begin(), values.end(), 1.0f);
  return {std::move(shape), std::move(values)};
}

Arrays direct() {
  return {{"q", counting({3, 4})}, {"k", counting({5, 4})}, {"v", counting({5, 2})}};
}

Arrays projected() {
  return {{"x", counting({3, 4})},
          {"w_q", counting({4, 6})},
          {"w_k", counting({4, 6})},
          {"w_v", counting({4, 6})}};
}

Arrays with(Arrays arrays, const std::string& name, Array array) {
  arrays[name] = std::move(array);
  return arrays;
}

Arrays without(Arrays arrays, const std::string& name) {
  arrays.erase(name);
  return arrays;
}

std::string refusal(const Arrays& arrays) {
  return reason([&] { layer_from_arrays(arrays); });
}

TEST_CASE("q k v of two dimensions make a layer of one head that is edited directly") {
  const LayerSpec layer = layer_from_arrays(direct());
  CHECK(layer.direct);
  CHECK(layer.q.shape() == Shape{1, 3, 4});
  CHECK(layer.v.shape() == Shape{1, 5, 2});
  CHECK(layer.k[{0, 1, 2}] == 7);
  CHECK(build_graph(layer).stages.back().shape == Shape{1, 3, 2});
}

TEST_CASE("q k v of three dimensions carry their heads, and k and v may have fewer") {
  const LayerSpec layer =
      layer_from_arrays({{"q", counting({4, 3, 2})}, {"k", counting({2, 5, 2})}, {"v", counting({2, 5, 1})}});
  CHECK(layer.q.shape() == Shape{4, 3, 2});
  CHECK(layer.k.shape() == Shape{2, 5, 2});
  CHECK(head_count(layer) == 4);
  CHECK(build_graph(layer).stages.back().shape == Shape{1, 3, 4});
}

TEST_CASE("x with projections makes a projected layer with the heads left to the options") {
  Arrays arrays = with(with(projected(), "memory", counting({7, 4})), "w_o", counting({6, 4}));
  for (const char* name : {"b_q", "b_k", "b_v"}) arrays[name] = counting({6});
  arrays["b_o"] = counting({1, 4});
  const LayerSpec layer = layer_from_arrays(arrays);
  CHECK_FALSE(layer.direct);
  CHECK(layer.heads == 1);
  CHECK(layer.kv_heads == 1);
  CHECK(layer.memory.shape() == Shape{1, 7, 4});
  CHECK(layer.w_o.shape() == Shape{1, 6, 4});
  CHECK(layer.b_q.shape() == Shape{1, 1, 6});
  CHECK(layer.b_o.shape() == Shape{1, 1, 4});
  CHECK(build_graph(layer).stages.back().shape == Shape{1, 3, 4});
}

// 3×5 numbers of eight bytes.
std::vector<std::byte> double_npy(std::vector<double> numbers) {
  const std::string dictionary = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 5), }";
  std::vector<std::byte> bytes = bytes_of(std::string("\x93NUMPY\x01\x00", 8));
  append_little(bytes, static_cast<std::uint16_t>(dictionary.size()));
  append(bytes, dictionary);
  numbers.resize(15);
  append(bytes, std::as_bytes(std::span(numbers)));
  return bytes;
}

TEST_CASE("a mask becomes 0 and 1 before it is rounded to float") {
  std::vector<std::pair<std::string, std::vector<std::byte>>> members;
  for (const auto& [name, array] : direct()) members.emplace_back(name, write_npy(array.shape, array.values));
  members.emplace_back("mask", double_npy({0, 1e-60, -3, std::numeric_limits<double>::quiet_NaN()}));
  members.emplace_back("bias", double_npy({0, 1e-60, -3, 1e300}));
  const LayerSpec layer = parse_layer_npz(write_npz(members));
  CHECK(layer.mask.shape() == Shape{1, 3, 5});
  const std::vector<float> mask(layer.mask.data(), layer.mask.data() + 5);
  CHECK(mask == std::vector<float>{0, 1, 1, 1, 0});
  const std::vector<float> bias(layer.bias.data(), layer.bias.data() + 5);
  CHECK(bias == std::vector<float>{0, 0, -3, std::numeric_limits<float>::infinity(), 0});
}

TEST_CASE("mask and bias may have one matrix for each head") {
  Arrays arrays{{"q", counting({2, 3, 4})}, {"k", counting({2, 5, 4})}, {"v", counting({2, 5, 1})}};
  arrays["mask"] = counting({2, 3, 5});
  arrays["bias"] = counting({2, 3, 5});
  CHECK(layer_from_arrays(arrays).bias.shape() == Shape{2, 3, 5});
  arrays["bias"] = counting({3, 3, 5});
  CHECK(mentions(refusal(arrays), {"bias", "3 matrices", "expected 1, or 2"}));
}

TEST_CASE("heads side by side in one matrix may have several masks and narrower keys") {
  Arrays arrays{{"q", counting({3, 8})}, {"k", counting({5, 4})}, {"v", counting({5, 6})}};
  arrays["mask"] = counting({4, 3, 5});
  const LayerSpec layer = layer_from_arrays(arrays);
  CHECK(layer.q.shape() == Shape{1, 3, 8});
  CHECK(layer.mask.shape() == Shape{4, 3, 5});
  CHECK(mentions(reason([&] { build_graph(layer); }), {"q is 3×8", "k is 5×4", "same width", "--heads"}));
  arrays["k"] = counting({2, 5, 4});
  CHECK(layer_from_arrays(arrays).k.stack() == 2);
}

TEST_CASE("a missing array is named together with what needs it") {
  CHECK(mentions(refusal(without(projected(), "w_q")), {"w_q is missing", "with x"}));
  CHECK(mentions(refusal(without(direct(), "v")), {"v is missing"}));
  CHECK(mentions(refusal(with(projected(), "b_o", counting({4}))), {"w_o is missing", "with b_o"}));
  CHECK(mentions(refusal({}), {"neither x nor q, k and v"}));
}

TEST_CASE("arrays of both kinds of layer are refused together") {
  CHECK(mentions(refusal(with(direct(), "x", counting({3, 4}))), {"array x does not go with q, k, v"}));
  CHECK(mentions(refusal(with(projected(), "k", counting({3, 4}))), {"array x does not go with q, k, v"}));
  CHECK(mentions(refusal(with(direct(), "w_o", counting({2, 2}))), {"array w_o does not go with q, k, v"}));
}

TEST_CASE("wrong dimensions are refused with the shape") {
  CHECK(mentions(refusal(with(direct(), "q", counting({4}))),
                 {"array q has the shape 4", "heads×rows×columns"}));
  CHECK(mentions(refusal(with(projected(), "x", counting({1, 1, 3, 4}))),
                 {"array x has the shape 1×1×3×4", "two dimensions"}));
  CHECK(mentions(refusal(with(projected(), "w_k", {{}, {1}})), {"array w_k has the shape one number"}));
  CHECK(mentions(refusal(with(direct(), "k", {{0, 4}, {}})), {"array k is empty (0×4)"}));
}

TEST_CASE("arrays that a layer has no use for are named and left out") {
  Arrays left_out;
  Arrays arrays = with(with(direct(), "weights", counting({1, 3, 5})), "row_sum", counting({1, 3, 1}));
  arrays = with(with(arrays, "x", counting({3, 7})), "memory", counting({5, 7}));
  const LayerSpec layer = layer_from_arrays(arrays, &left_out);
  CHECK(layer == layer_from_arrays(direct()));
  std::vector<std::string> names;
  for (const auto& [name, array] : left_out) names.push_back(name);
  CHECK(names == std::vector<std::string>{"memory", "row_sum", "weights", "x"});
  CHECK(left_out.at("weights").values == counting({1, 3, 5}).values);
  left_out.clear();
  layer_from_arrays(projected(), &left_out);
  CHECK(left_out.empty());
  // With a projection too it is not clear which of the two was meant.
  arrays = with(arrays, "w_q", counting({7, 4}));
  CHECK(mentions(reason([&] { layer_from_arrays(arrays, &left_out); }), {"x does not go with q, k, v"}));
}

TEST_CASE("a batch of one is looked through and one of several is refused") {
  const LayerSpec heads = layer_from_arrays({{"q", counting({1, 4, 3, 2})},
                                             {"k", counting({1, 2, 5, 2})},
                                             {"v", counting({1, 2, 5, 1})},
                                             {"mask", counting({1, 4, 3, 5})},
                                             {"bias", counting({1, 1, 3, 5})}});
  CHECK(heads.q.shape() == Shape{4, 3, 2});
  CHECK(heads.v.shape() == Shape{2, 5, 1});
  CHECK(heads.mask.shape() == Shape{4, 3, 5});
  CHECK(heads.bias.shape() == Shape{1, 3, 5});
  const LayerSpec tokens = layer_from_arrays(with(projected(), "x", counting({1, 3, 4})));
  CHECK(tokens.x == layer_from_arrays(projected()).x);
  CHECK(mentions(refusal(with(projected(), "x", counting({2, 3, 4}))),
                 {"array x has the shape 2×3×4", "a batch of 2", "array[0]"}));
  CHECK(mentions(refusal(with(direct(), "q", counting({2, 1, 3, 4}))), {"array q", "a batch of 2"}));
}

TEST_CASE("shapes that do not fit each other are refused with both numbers") {
  CHECK(mentions(refusal(with(direct(), "v", counting({6, 2}))), {"k has 5 rows", "v has 6"}));
  CHECK(mentions(refusal(with(direct(), "mask", counting({5, 3}))), {"mask is 5×3", "3 rows", "5 columns"}));
  CHECK(mentions(refusal(with(projected(), "w_q", counting({5, 6}))), {"w_q has 5 rows", "x has 4 columns"}));
  CHECK(mentions(refusal(with(projected(), "memory", counting({2, 9}))),
                 {"w_k has 4 rows", "memory has 9 columns"}));
  CHECK(
      mentions(refusal(with(projected(), "b_v", counting({5}))), {"b_v has 5 numbers", "w_v has 6 columns"}));
  CHECK(mentions(refusal(with(projected(), "b_v", counting({2, 3}))), {"b_v has 2 rows"}));
  const Arrays odd{{"q", counting({3, 2, 2})}, {"k", counting({2, 2, 2})}, {"v", counting({2, 2, 2})}};
  CHECK(mentions(refusal(odd), {"2 heads", "don't divide the 3 heads"}));
}

TEST_CASE("an unknown name is refused with the nearest known one") {
  CHECK(mentions(refusal(with(projected(), "w_qq", counting({1}))), {"\"w_qq\"", "did you mean w_q?"}));
  CHECK(mentions(refusal(with(projected(), "../../something", counting({1}))),
                 {"../../something", "is not known"}));
  CHECK(mentions(refusal(with(projected(), "K", counting({2, 2}))), {"\"K\"", "did you mean k?"}));
  CHECK(mentions(refusal(with(projected(), "W_Q", counting({2, 2}))), {"did you mean w_q?"}));
  CHECK(mentions(refusal(with(projected(), "z", counting({1}))), {"is not known: a layer has"}));
}

// The stages of a computed layer as they are read back from the file.
Arrays traced(const LayerSpec& layer, Results& results) {
  const auto backend = make_reference_backend();
  Budget budget;
  results = Evaluator(*backend, budget).evaluate({.layers = {layer}}, build_graph(layer));
  return parse_npz<float>(stages_npz(results));
}

TEST_CASE("every traced stage is written with its shape and numbers") {
  LayerSpec layer = layer_from_arrays(projected());
  layer.heads = 2;
  layer.kv_heads = 1;
  layer.w_k = layer.w_v = Tensor({1, 4, 3}, std::vector<float>(12, 0.25f));
  layer.position = Sinusoidal();
  layer.dropout = 0.5;
  Results results;
  const Arrays arrays = traced(layer, results);
  std::size_t stages = 0;
  for (std::size_t i = 0; i < results.outputs.size(); ++i) {
    const Stage& stage = results.graph.stages[i];
    CAPTURE(stage.id);
    CHECK(arrays.contains(stage.id) == stage.traced);
    if (!stage.traced) continue;
    ++stages;
    const auto expected = results.outputs[i].whole().values();
    CHECK(std::ranges::equal(arrays.at(stage.id).values, expected, std::equal_to<>()));
  }
  CHECK(stages == arrays.size());
  for (const char* id : {"x", "position"}) CHECK(arrays.at(id).shape == Sizes{3, 4});
  for (const char* id : {"concat", "output"}) CHECK(arrays.at(id).shape == Sizes{3, 6});
  CHECK(arrays.at("q").shape == Sizes{2, 3, 3});
  CHECK(arrays.at("k").shape == Sizes{1, 3, 3});
  CHECK(arrays.at("row_max").shape == Sizes{2, 3, 1});
  CHECK(arrays.at("weights").shape == Sizes{2, 3, 3});
}

TEST_CASE("stages by head have three dimensions also with one head") {
  Results results;
  const Arrays arrays = traced(layer_from_arrays(direct()), results);
  CHECK(arrays.at("scores").shape == Sizes{1, 3, 5});
  CHECK(arrays.at("head_output").shape == Sizes{1, 3, 2});
  CHECK(arrays.at("output").shape == Sizes{3, 2});
}

TEST_CASE("a mask that heads share is written once for each head") {
  LayerSpec layer =
      layer_from_arrays({{"q", counting({2, 2, 3})}, {"k", counting({1, 2, 3})}, {"v", counting({1, 2, 1})}});
  set_causal(layer, CausalAlign::lower_right);
  Results results;
  const Array mask = traced(layer, results).at("mask");
  CHECK(results.output("mask").stack() == 1);
  CHECK(mask.shape == Sizes{2, 2, 2});
  CHECK(mask.values == std::vector<float>{0, 1, 0, 0, 0, 1, 0, 0});
}

}  // namespace
}  // namespace attn::tests
