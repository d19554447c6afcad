// A layer's attention as lines of PyTorch, run by torch where it is importable and else by its documented
// definition (tests/io/torch_stand_in.py).
#include "core/io/attention_code.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/attention/attention_call.h"
#include "core/io/matrix_text.h"
#include "core/io/npz.h"
#include "core/system/file.h"
#include "tests/app/scratch_folder.h"
#include "tests/contains.h"
#include "tests/hostile.h"
#include "tests/places.h"
#include "tests/random_layer.h"
#include "tests/sanitized.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr auto kProduct = AttentionFunction::scaled_dot_product_attention;
constexpr auto kModule = AttentionFunction::multihead_attention;

AttentionCode code_of(const LayerSpec& layer, AttentionFunction function = kProduct) {
  const auto code = attention_code(evaluated({{layer}}), 0, function);
  REQUIRE(code);
  return *code;
}

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// NAME.py and NAME.npz.
void save(const ScratchFolder& folder, const std::string& name, const std::string& code,
          const NamedTensors& tensors) {
  write_file(folder / (name + ".py"), code);
  std::vector<std::byte> file;
  NpzWriter npz([&](Bytes bytes) { file.insert(file.end(), bytes.begin(), bytes.end()); });
  for (const auto& [array, tensor] : tensors) {
    std::vector<std::size_t> shape{tensor.rows(), tensor.columns()};
    if (array == "q" || array == "k" || array == "v" || (array == "expected" && tensors[0].first == "q"))
      shape.insert(shape.begin(), tensor.stack());
    const std::span<const float> numbers = tensor.values();
    npz.add(array, shape, {&numbers, 1});
  }
  npz.finish();
  write_file(folder / (name + ".npz"), file);
}

// Python is watched by no sanitizer.
bool runs_to_the_expected(const ScratchFolder& folder) {
  if (kSanitized) return true;
  const std::string script = std::string(kSourceDir) + "/tests/io/run_attention_code.py";
  return std::system(("/usr/bin/python3 -B '" + script + "' '" + folder / "" + "'").c_str()) == 0;
}

// One that a call of PyTorch can say: dot products, a softmax, any position, mask, bias, scale, shared heads.
LayerSpec sayable_layer(Random& random) {
  LayerSpec layer = random_layer(random);
  if (layer.temperature == 0) layer.temperature = 2;
  layer.dropout = 0;
  if (auto* relative = std::get_if<Relative>(&layer.position)) relative->values = false;
  layer.scoring = std::array{Scoring::dot, Scoring::general, Scoring::cosine}[pick(random, 0, 2)];
  layer.qk_norm = coin(random);
  if (pick(random, 0, 3) == 0) {
    layer.mask = {}, layer.masks.clear();
    set_causal(layer, coin(random) ? CausalAlign::lower_right : CausalAlign::top_left);
  }
  return layer;
}

// One that torch.nn.MultiheadAttention computes, but for empty rows and numbers that replace scores.
LayerSpec module_layer(Random& random) {
  LayerSpec layer = random_projected(random);
  const std::size_t h = layer.heads, d = h * 2 * pick(random, 1, 2);
  const auto projection = [&] { return normal(random, {1, d, d}, 1 / std::sqrt(static_cast<float>(d))); };
  const auto bias = [&] { return coin(random) ? normal(random, {1, 1, d}) : Tensor(); };
  layer.kv_heads = h;
  layer.x = normal(random, {1, layer.x.rows(), d});
  if (!layer.memory.empty()) layer.memory = normal(random, {1, layer.memory.rows(), d});
  layer.w_q = projection(), layer.w_k = projection(), layer.w_v = projection(), layer.w_o = projection();
  layer.b_q = bias(), layer.b_v = {}, layer.b_o = bias();
  random_masks(random, layer);
  layer.position = std::array<Position, 3>{NoPosition{}, Alibi{}, Sinusoidal{}}[pick(random, 0, 2)];
  if (coin(random)) layer.bias = normal(random, {coin(random) ? h : 1, query_count(layer), key_count(layer)});
  return layer;
}

}  // namespace

TEST_CASE("the call of PyTorch computes what the layer does or says what it leaves out") {
  Random random(seed(71));
  const ScratchFolder folder;
  std::size_t same = 0, causal = 0, grouped = 0;
  for (int i = 0; i < 300; ++i) {
    const LayerSpec layer = i % 2 == 0 ? sayable_layer(random) : random_scored_layer(random);
    const Results results = evaluated({{layer}});
    const AttentionCall call = *attention_call(results.graph, 0);
    const auto code = attention_code(results, 0, kProduct);
    REQUIRE(code);
    CHECK(code->same != contains(code->text, "#   "));
    CHECK(call.of_products == contains(code->text, "scaled_dot_product_attention(q, k, v"));
    if (!call.of_products)
      for (const auto function : {kProduct, kModule})
        CHECK(!contains(attention_code(results, 0, function)->text, "attention("));
    if (!code->same) continue;
    save(folder, "call" + std::to_string(i), code->text,
         {{"q", results.outputs[call.q].whole()},
          {"k", results.outputs[call.k].whole()},
          {"v", results.outputs[call.v].whole()},
          {"expected", results.outputs[call.output].whole()}});
    ++same;
    causal += contains(code->text, "is_causal=True") || contains(code->text, "torch.tril");
    grouped += contains(code->text, "enable_gqa=True");
  }
  CHECK(same >= 60);
  CHECK(causal >= 10);
  CHECK(grouped >= 20);
  CHECK(runs_to_the_expected(folder));
}

TEST_CASE("the call of a MultiheadAttention computes what the layer does or says what it leaves out") {
  Random random(seed(72));
  const ScratchFolder folder;
  std::size_t same = 0;
  for (int i = 0; i < 150; ++i) {
    const LayerSpec layer = module_layer(random);
    const Results results = evaluated({{layer}});
    const auto code = attention_code(results, 0, kModule);
    REQUIRE(code);
    if (!code->same) continue;
    ++same;
    const Tensor x = is_added(layer.position) ? results.output("position") : layer.x;
    NamedTensors arrays{{"x", x},           {"w_q", layer.w_q}, {"w_k", layer.w_k},
                        {"w_v", layer.w_v}, {"w_o", layer.w_o}, {"expected", results.output("output")}};
    if (!layer.memory.empty()) arrays.push_back({"memory", layer.memory});
    for (const auto& [name, tensor] : NamedTensors{{"b_q", layer.b_q}, {"b_o", layer.b_o}})
      if (!tensor.empty()) arrays.push_back({name, tensor});
    arrays.push_back({"heads", Tensor({1, 1, 1}, {static_cast<float>(layer.heads)})});
    save(folder, "module" + std::to_string(i), code->text, arrays);
  }
  CHECK(same >= 50);
  CHECK(runs_to_the_expected(folder));
}

TEST_CASE("masks and biases that several heads share are repeated for each") {
  Random random(5);
  const ScratchFolder folder;
  for (int i = 0; i < 8; ++i) {
    LayerSpec layer;
    layer.direct = true;
    layer.q = normal(random, {4, 3, 6}), layer.k = layer.v = normal(random, {4, 5, 6});
    if (i % 4 != 0) layer.bias = normal(random, {i % 4 == 1 ? 4u : 2u, 3, 5});
    std::vector<float> hidden(2 * 3 * 5);
    for (std::size_t cell = 0; cell < hidden.size(); ++cell) hidden[cell] = cell % 5 != 0 && coin(random);
    layer.mask = Tensor({2, 3, 5}, hidden);
    layer.fill = i < 4 ? Fill::negative_infinity : Fill::minus_1e9;
    const Results results = evaluated({{layer}});
    const auto code = attention_code(results, 0, kProduct);
    REQUIRE(code);
    CHECK(code->same);
    save(folder, "shared" + std::to_string(i), code->text,
         {{"q", layer.q},
          {"k", layer.k},
          {"v", layer.v},
          {"expected", results.outputs[attention_call(results.graph, 0)->output].whole()}});
  }
  CHECK(runs_to_the_expected(folder));
}

TEST_CASE("a causal mask is a word or a triangle instead of a matrix") {
  Random random(3);
  LayerSpec layer;
  layer.direct = true;
  layer.q = normal(random, {4, 3, 4}), layer.k = layer.v = normal(random, {2, 5, 4});
  set_causal(layer, CausalAlign::top_left);
  CHECK(code_of(layer).text ==
        "# q, k, v: heads × tokens × features, the stages q, k, v; output: head_output\n"
        "output = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, "
        "enable_gqa=True)\n");
  set_causal(layer, CausalAlign::lower_right);
  layer.temperature = 8, layer.kv_heads = 2;
  const std::string text = code_of(layer).text;
  CHECK(
      text.starts_with("mask = torch.tril(torch.ones(3, 5, dtype=torch.bool), diagonal=2)  # True = kept\n"));
  CHECK(contains(text, "(q, k, v, attn_mask=mask, scale=0.0625, enable_gqa=True)"));
  set_rule(layer, std::optional(CausalRule{.ahead = 1}));
  CHECK(contains(code_of(layer).text, "dtype=torch.bool), diagonal=3)"));
  layer.position = Alibi{};
  CHECK(contains(code_of(layer).text, "mask = torch.where(mask, bias, torch.tensor(float('-inf')))\n"));
  CHECK(contains(code_of(layer).text, "bias = -slopes[:, None, None] * "));
}

TEST_CASE("what the call has no word for is named in a comment") {
  Random random(4);
  LayerSpec layer = random_projected(random);
  const auto says = [&](const LayerSpec& changed, const std::string& line) {
    const AttentionCode code = code_of(changed);
    CHECK(!code.same);
    CHECK_MESSAGE(contains(code.text, "#   " + line), code.text);
  };
  LayerSpec capped = layer, chance = layer, sparse = layer, hard = layer, half = layer, added = layer;
  LayerSpec late = layer, turned = layer;
  capped.soft_cap = 50, chance.dropout = 0.5, sparse.weighting = Weighting::sparsemax;
  hard.temperature = 0, half.precision = NumberFormat::float16, added.scoring = Scoring::gaussian;
  says(capped, "capped: 50·tanh(scaled ÷ 50)\n");
  says(chance, "dropped: dropout p 0.5\n");
  says(sparse, "weights: sparsemax by row\n");
  says(hard, "temperature 0: all weight on the largest score\n");
  says(half, "the numbers of every stage rounded to float16\n");
  says(added, "scores: −|q − k|² ÷ 2σ²\n");
  late.masks = {{CausalRule{}}}, late.mask_at = MaskAt::after;
  says(late, "masked weights: causal → 0\n");
  turned.softmax_over = SoftmaxOver::queries;
  says(turned, "weights: softmax over queries\n");
  CHECK(!contains(code_of(added).text, "output ="));

  Document typed_over{{layer}};
  set_number(typed_over, "scores", {0, 0, 0}, 3);
  const auto code = attention_code(evaluated(typed_over), 0, kProduct);
  REQUIRE(code);
  CHECK(contains(code->text, "#   numbers typed over scores\n"));
}

TEST_CASE("no label gets into copied code") {
  Random random(seed(73));
  for (int i = 0; i < 60; ++i) {
    LayerSpec layer = random_scored_layer(random), labelled = layer;
    for (std::size_t t = 0; t < query_count(layer); ++t) labelled.tokens.push_back(hostile_text(random));
    for (std::size_t t = 0; t < key_count(layer); ++t) labelled.memory_tokens.push_back(hostile_text(random));
    for (const auto function : {kProduct, kModule})
      CHECK(code_of(labelled, function).text == code_of(layer, function).text);
    const Results plain = evaluated({{layer}}), named = evaluated({{labelled}});
    for (const TextFormatName& format : kTextFormats)
      CHECK(write_matrix(plain.output(Role::weights), 0, format.format) ==
            write_matrix(named.output(Role::weights), 0, format.format));
  }
}
