// Masks, lengths, biases and numbers of a dump, and stages that are told by their numbers.
#include <doctest/doctest.h>

#include <cmath>

#include "core/io/dump.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/text/special.h"
#include "tests/io/io_testing.h"

namespace attn::tests::dumps {
namespace {

using Sizes = std::vector<std::size_t>;

Array filled(Sizes shape, const std::function<double(std::size_t)>& at) {
  Array array{.shape = std::move(shape), .values = {}};
  std::size_t size = 1;
  for (const std::size_t axis : array.shape) size *= axis;
  for (std::size_t i = 0; i < size; ++i) array.values.push_back(static_cast<float>(at(i)));
  return array;
}

// One head, four queries and keys; of each pair a number.
Array pairs(const std::function<double(std::size_t, std::size_t)>& at) {
  return filled({4, 4}, [&](std::size_t i) { return at(i / 4, i % 4); });
}

NamedArrays four_tokens() {
  const auto wave = [](double step) {
    return [step](std::size_t i) { return std::sin(step * static_cast<double>(i + 1)); };
  };
  return {{"q", filled({4, 3}, wave(1.1))},
          {"k", filled({4, 3}, wave(0.7))},
          {"v", filled({4, 3}, wave(1.9))},
          {"output", filled({4, 3}, wave(0.3))}};
}

Dump with(const std::string& name, Array array, NamedArrays arrays = four_tokens()) {
  arrays[name] = std::move(array);
  return read_dump(std::move(arrays));
}

bool upper(std::size_t i, std::size_t j) {
  return j > i;
}
// No rule.
bool odd(std::size_t i, std::size_t j) {
  return i != j && (i + j) % 3 == 0;
}

// Weights of 0 where `hidden` says so.
Array weights_without(const std::function<bool(std::size_t, std::size_t)>& hidden) {
  return pairs(
      [&](std::size_t i, std::size_t j) { return hidden(i, j) ? 0 : 0.25 + 0.01 * static_cast<double>(j); });
}

bool is_causal(const LayerSpec& layer) {
  return find_rule<CausalRule>(layer) != nullptr;
}

// The layer's own mask is what `hidden` says.
bool masks_as(const LayerSpec& layer, const std::function<bool(std::size_t, std::size_t)>& hidden) {
  if (layer.mask.shape() != Shape{1, 4, 4}) return false;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      if ((layer.mask[{0, i, j}] != 0) != hidden(i, j)) return false;
  return true;
}

std::string meaning(const Dump& dump, const std::string& name) {
  for (const ArrayMeaning& each : dump.names)
    if (each.name == name) return each.meaning;
  return "none";
}

const GivenStage* stage(const Dump& dump, const std::string& id) {
  for (const GivenStage& each : dump.stages)
    if (each.id == id) return &each;
  return nullptr;
}

// The scores of the four tokens, times a number.
Array products(double scale) {
  const NamedArrays arrays = four_tokens();
  return pairs([&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c)
      sum += static_cast<double>(arrays.at("q").values[i * 3 + c]) * arrays.at("k").values[j * 3 + c];
    return sum * scale;
  });
}

}  // namespace

TEST_CASE("a mask's convention is told by the weights, by its diagonal, by its name") {
  const auto ones = [](const auto& where) {
    return pairs([&](std::size_t i, std::size_t j) { return where(i, j); });
  };
  const auto not_odd = [](std::size_t i, std::size_t j) { return !odd(i, j); };
  NamedArrays arrays = four_tokens();
  arrays["weights"] = weights_without(odd);
  for (const char* name : {"attn_mask", "mask"}) {
    Dump dump = with(name, ones(odd), arrays);
    CHECK(masks_as(dump.layer, odd));
    CHECK(meaning(dump, name) == "mask");
    dump = with(name, ones(not_odd), arrays);
    CHECK(masks_as(dump.layer, odd));
    CHECK(meaning(dump, name) == "keep");
    CHECK(masks_as(with(name, ones(odd)).layer, odd));  // a query sees itself
    CHECK(masks_as(with(name, ones(not_odd)).layer, odd));
  }
  // Without anything else: SDPA keeps, trace hides, Hugging Face keeps, nn.MultiheadAttention hides.
  const auto first = [](std::size_t i, std::size_t j) { return i == 0 && j < 2; };
  const auto rest = [&](std::size_t i, std::size_t j) { return !first(i, j); };
  CHECK(masks_as(with("attn_mask", ones(first)).layer, rest));
  CHECK(masks_as(with("mask", ones(first)).layer, first));
  const Array keys = filled({1, 4}, [](std::size_t j) { return j < 3; });
  const Dump kept = with("attention_mask", keys);
  REQUIRE(find_rule<PaddingRule>(kept.layer));
  CHECK(find_rule<PaddingRule>(kept.layer)->lengths == std::vector<std::size_t>{3});
  CHECK(masks_as(with("key_padding_mask", keys).layer, [](std::size_t, std::size_t j) { return j < 3; }));
}

TEST_CASE("a mask that is a rule becomes the rule") {
  const auto causal = pairs([](std::size_t i, std::size_t j) { return upper(i, j) ? -kInfinity : 0; });
  const Dump dump = with("attn_mask", causal);
  CHECK(is_causal(dump.layer));
  CHECK(dump.layer.mask.empty());
  CHECK(dump.layer.bias.empty());
  const Dump both =
      with("attn_mask", pairs([](std::size_t i, std::size_t j) { return j > i || j == 3 ? -1e9 : 0; }));
  CHECK(is_causal(both.layer));
  REQUIRE(find_rule<PaddingRule>(both.layer));
  CHECK(find_rule<PaddingRule>(both.layer)->lengths == std::vector<std::size_t>{3});
}

TEST_CASE("numbers that are added are a mask where they are far below, and a bias") {
  const Dump dump = with("attn_bias", pairs([](std::size_t i, std::size_t j) {
                           return odd(i, j) ? -1e9 : 0.5 * static_cast<double>(j);
                         }));
  CHECK(masks_as(dump.layer, odd));
  CHECK(dump.layer.bias[{0, 1, 3}] == 1.5f);
  CHECK(dump.layer.bias[{0, 1, 2}] == 0);
  // One row for all queries, as ALiBi of Bloom has it.
  const Dump alibi =
      with("alibi", filled({1, 1, 4}, [](std::size_t j) { return -0.5 * static_cast<double>(j); }));
  CHECK(alibi.layer.bias[{0, 3, 2}] == -1);
}

TEST_CASE("rules are taken from weights that are 0, and can be taken back") {
  const Dump causal = with("weights", weights_without(upper));
  CHECK(is_causal(causal.layer));
  CHECK(causal.notes.size() == 1);
  const Dump padded =
      with("weights", weights_without([](std::size_t i, std::size_t j) { return j > i || j >= 2; }));
  CHECK(is_causal(padded.layer));
  REQUIRE(find_rule<PaddingRule>(padded.layer));
  CHECK(find_rule<PaddingRule>(padded.layer)->lengths == std::vector<std::size_t>{2});
  CHECK_FALSE(is_causal(with("weights", weights_without(odd)).layer));
  CHECK_FALSE(is_causal(
      with("weights", weights_without([](std::size_t i, std::size_t j) { return j > i + 1; })).layer));
  CHECK(is_causal(
      with("masked", pairs([](std::size_t i, std::size_t j) { return j > i ? -65504.0 : 1; })).layer));
  NamedArrays arrays = four_tokens();
  arrays["weights"] = weights_without(upper);
  CHECK_FALSE(is_causal(read_dump(arrays, {.change = [](LayerSpec& layer) { layer.masks.clear(); }}).layer));
}

TEST_CASE("with more keys than queries the weights tell which corner the triangle starts from") {
  const auto read = [](std::size_t ahead) {
    const auto wave = [](std::size_t i) { return std::sin(static_cast<double>(i)); };
    return read_dump(
        {{"q", filled({2, 3}, wave)},
         {"k", filled({4, 3}, wave)},
         {"v", filled({4, 3}, wave)},
         {"weights", filled({2, 4}, [&](std::size_t at) { return at % 4 > at / 4 + ahead ? 0 : 0.3; })}});
  };
  REQUIRE(is_causal(read(0).layer));
  CHECK(find_rule<CausalRule>(read(0).layer)->align == CausalAlign::top_left);
  CHECK_FALSE(find_rule<PaddingRule>(read(0).layer));
  REQUIRE(is_causal(read(2).layer));
  CHECK(find_rule<CausalRule>(read(2).layer)->align == CausalAlign::lower_right);
  CHECK_FALSE(is_causal(read(3).layer));
}

TEST_CASE("numbers of a configuration choose how the layer computes") {
  NamedArrays arrays = four_tokens();
  const auto number = [](double value) { return filled({}, [=](std::size_t) { return value; }); };
  arrays["is_causal"] = number(1), arrays["softmax_scale"] = number(0.25);
  const Dump dump = read_dump(arrays);
  CHECK(is_causal(dump.layer));
  CHECK(dump.layer.scale == Scaling{ScaleMode::number, 0.25});
  arrays["softmax_scale"] = number(1 / std::sqrt(3.0)), arrays["is_causal"] = number(0);
  CHECK(read_dump(arrays).layer.scale == Scaling());
  CHECK_FALSE(is_causal(read_dump(arrays).layer));
  arrays["lengths"] = filled({4}, [](std::size_t i) { return static_cast<double>(i + 1); });
  REQUIRE(find_rule<PaddingRule>(read_dump(arrays).layer));
  CHECK(find_rule<PaddingRule>(read_dump(arrays).layer)->lengths == std::vector<std::size_t>{1, 2, 3, 4});
  const auto wave = [](std::size_t i) { return std::sin(static_cast<double>(i)); };
  const LayerSpec heads = read_dump({{"x", filled({4, 6}, wave)},
                                     {"wq", filled({6, 6}, wave)},
                                     {"wk", filled({6, 2}, wave)},
                                     {"wv", filled({6, 2}, wave)},
                                     {"num_heads", number(3)},
                                     {"rope_theta", number(500000)},
                                     {"out", filled({4, 6}, wave)}})
                              .layer;
  CHECK(heads.heads == 3);
  CHECK(heads.kv_heads == 1);
  CHECK(heads.position == Position(Rotary{.pairing = Pairing::half, .base = 500000}));
}

TEST_CASE("scores are taken for what their numbers are") {
  const double scale = 1 / std::sqrt(3.0);
  CHECK(stage(with("scores", products(1)), "scores") != nullptr);
  CHECK(stage(with("attn_scores", products(scale)), "scaled") != nullptr);
  CHECK(meaning(with("attn_scores", products(scale)), "attn_scores") == "scaled");
  NamedArrays chosen = four_tokens();
  chosen["attn_scores"] = products(scale);
  CHECK(stage(read_dump(chosen, {.names = {"attn_scores=scores"}}), "scores") != nullptr);
  Array masked = products(scale);
  masked.values[1] = -std::numeric_limits<float>::infinity();
  CHECK(stage(with("attention_scores", masked), "masked") != nullptr);
  NamedArrays arrays = four_tokens();
  arrays["scaled"] = products(scale);
  CHECK(stage(with("scores", products(1.5), arrays), "scores") != nullptr);
}

TEST_CASE("queries that were rotated already are taken as rotated") {
  const auto wave = [](double step) {
    return [step](std::size_t i) { return std::sin(step * static_cast<double>(i + 1)); };
  };
  NamedArrays arrays{{"x", filled({4, 6}, wave(0.9))},
                     {"w_q", filled({6, 4}, wave(1.3))},
                     {"w_k", filled({6, 4}, wave(0.4))},
                     {"w_v", filled({6, 4}, wave(2.2))},
                     {"weights", filled({4, 4}, wave(0.8))}};
  const auto change = [](LayerSpec& layer) { layer.position = Rotary{}; };
  const Graph graph = build_graph(read_dump(arrays, {.change = change}).layer);
  const std::vector<Tensor64> all = evaluate_in_double(graph);
  for (const bool rotated : {false, true}) {
    const Tensor64& q = all[*graph.find(rotated ? "q_rotated" : "q")];
    arrays["query_states"] = filled({4, 4}, [&](std::size_t i) { return q.values()[i]; });
    const Dump dump = read_dump(arrays, {.change = change});
    CHECK((stage(dump, "q_rotated") != nullptr) == rotated);
    CHECK((stage(dump, "q") != nullptr) != rotated);
  }
}

}  // namespace attn::tests::dumps
