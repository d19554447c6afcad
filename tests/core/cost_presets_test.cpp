// Parameters, cache, crossovers and limits of published shapes.
#include "core/cost/presets.h"

#include <doctest/doctest.h>

#include "core/cost/crossovers.h"
#include "core/cost/parameters.h"

using namespace attn;

namespace {

std::string without(std::string text, char letter) {
  std::erase(text, letter);
  return text;
}

std::string total(std::string_view name) {
  return digits(model_parameters(*find_preset(name)).value());
}

std::optional<std::size_t> crossover(const CostSpec& spec, std::string_view name) {
  for (const Crossover& found : crossovers(spec))
    if (found.name == name) return found.n;
  FAIL("no such crossover");
  return std::nullopt;
}

CostSpec shape_of(std::string_view name) {
  return find_preset(name)->shape;
}

}  // namespace

TEST_CASE("every preset whose parameters were published to the last has exactly them") {
  std::size_t exact = 0;
  for (const Preset& preset : presets()) {
    CAPTURE(preset.word);
    CHECK(!preset.source.empty());
    if (preset.published.find(',') == preset.published.npos) continue;
    CHECK(digits(model_parameters(preset).value()) == without(std::string(preset.published), ','));
    ++exact;
  }
  CHECK(exact == 9);
}

TEST_CASE("the presets have the totals that their publishers' files have") {
  // Once more, so that a slip in the table's own texts is found.
  CHECK(total("bert-base") == "109482240");
  CHECK(total("gpt2") == "124439808");
  CHECK(total("gpt2-medium") == "354823168");
  CHECK(total("gpt2-large") == "774030080");
  CHECK(total("gpt2-xl") == "1557611200");
  CHECK(total("llama2-7b") == "6738415616");
  CHECK(total("llama2-70b") == "68976648192");
  CHECK(total("llama3-8b") == "8030261248");
  CHECK(total("mistral-7b") == "7241732096");
}

TEST_CASE("totals that were published rounded are met where one vocabulary makes them") {
  // 12·12288²·96 and embeddings: 174.6 billion, published as 175.
  const auto gpt3 = static_cast<double>(model_parameters(*find_preset("gpt3")).value());
  CHECK((gpt3 > 174.5e9 && gpt3 < 175.5e9));
  // With the 37 000 words that the paper names, base: 6·(4 + 8)·512² + 6·(8 + 8)·512² = 44 040 192, 18 944
  // 000 of the embedding, 12·2560 biases, 30 norms of 1024; big likewise. The paper has 65 and 213 million,
  // which no one vocabulary makes.
  CHECK(total("transformer-base") == "63045632");
  CHECK(total("transformer-big") == "214171648");
}

TEST_CASE("presets are found by word or title in any spelling") {
  CHECK(find_preset("GPT-2 small")->word == "gpt2");
  CHECK(find_preset("GPT2-XL")->title == "GPT-2 XL");
  CHECK(find_preset("llama-3-8b")->word == "llama3-8b");
  CHECK(find_preset("gpt-5") == nullptr);
  CHECK(find_preset("") == nullptr);
}

TEST_CASE("attention has 4d² parameters and the usual feed-forward 8d² whatever the heads") {
  CostSpec spec;
  spec.d = 512;
  for (const std::size_t heads : {1u, 8u}) {
    spec.heads = spec.kv_heads = heads;
    CHECK(digits(parameters(spec).attention.value()) == "1048576");
    CHECK(digits(parameters(spec).feed_forward.value()) == "2097152");
  }
  spec.kv_heads = 2;  // a quarter of the keys and values: 2·512² + 2·512·128
  CHECK(digits(parameters(spec).attention.value()) == "655360");
  spec.mechanism.kind = MechanismKind::recurrent;
  CHECK(digits(parameters(spec).attention.value()) == "524288");
}

TEST_CASE("biases count as parameters where the preset has them") {
  // GPT-2 small: 4·768² + 4·768 and 8·768² + 5·768.
  const Parameters found = parameters(shape_of("gpt2"));
  CHECK(digits(found.attention.value()) == "2362368");
  CHECK(digits(found.feed_forward.value()) == "4722432");
  // Llama 2 7B: 4·4096² and 3·4096·11008.
  const Parameters llama = parameters(shape_of("llama2-7b"));
  CHECK(digits(llama.attention.value()) == "67108864");
  CHECK(digits(llama.feed_forward.value()) == "135266304");
}

TEST_CASE("the cache takes keys and values of every layer for each token") {
  CostSpec gpt = shape_of("gpt2");
  gpt.format = StoredFormat::float16;
  CHECK(digits(cache_per_token(gpt).value()) == "36864");  // 2·12·12·64·2
  CHECK(digits(cache_of(gpt, 4096).value()) == "150994944");
  CHECK(cache_per_token(gpt).formula() == "2·layers·h·d_k·size");
  CHECK(digits(cache_per_token(shape_of("llama2-70b")).value()) == "655360");  // 2·80·8·128·4
  gpt.batch = 4;
  CHECK(digits(cache_of(gpt, 4096).value()) == "603979776");
  gpt.batch = 1, gpt.mechanism = {MechanismKind::window, 256};
  CHECK(digits(cache_of(gpt, 4096).value()) == "9437184");  // 256 tokens
  gpt.mechanism = {MechanismKind::linear, 0};
  CHECK(digits(cache_per_token(gpt).value()) == "0");
  CHECK(digits(cache_of(gpt, 4096).value()) == "1198080");  // 12·12·64·65·2
  gpt.mechanism = {MechanismKind::recurrent, 0};
  CHECK(digits(cache_of(gpt, 4096).value()) == "18432");  // 12·768·2
}

TEST_CASE("attention overtakes the projections at 2d and all the rest at 6d") {
  const CostSpec gpt = shape_of("gpt2");
  CHECK(crossover(gpt, "attention_projections") == 1536);
  CHECK(crossover(gpt, "attention_rest") == 4608);
  CHECK(crossover(gpt, "linear_full") == 64);
}

TEST_CASE("crossovers are those of the shape and not of the usual one") {
  // Llama 3 8B: projections 2n·d·(2d + 2·1024) = 4n²d at n = d + 1024; the gated feed-forward 2·3·n·d·14336
  // adds 3·14336/2.
  const CostSpec llama = shape_of("llama3-8b");
  CHECK(crossover(llama, "attention_projections") == 5120);
  CHECK(crossover(llama, "attention_rest") == 26624);
  // State of 8 heads, read by 32: 2n·d_k²·(8 + 32) = 4n²·d_k·32 at n = 80.
  CHECK(crossover(llama, "linear_full") == 80);
  CostSpec window = shape_of("gpt2");
  window.mechanism = {MechanismKind::window, 16};
  CHECK(crossover(window, "attention_projections") == std::nullopt);
}

TEST_CASE("with softmax and scale counted too attention overtakes earlier") {
  // 4n²d + 6n²h = 8nd² at n = 8·768²/(4·768 + 6·12) = 1500.9.
  for (const Crossover& found : crossovers(shape_of("gpt2")))
    if (found.name == "attention_projections") CHECK(found.n_of_all == 1501);
}

TEST_CASE("the longest text that fits is the last whose bytes do") {
  CostSpec gpt = shape_of("gpt2");
  gpt.format = StoredFormat::float16;
  constexpr Count kMemory = 24'000'000'000;
  // 2·(12n² + 4·768·n) ≤ 24·10⁹
  CHECK(longest_within(gpt, kMemory) == 31495);
  // (2·4·768 + 2·2·12)·n
  gpt.mechanism.kind = MechanismKind::flash;
  CHECK(longest_within(gpt, kMemory) == 3'875'968);
  for (const MechanismKind kind : {MechanismKind::full, MechanismKind::flash, MechanismKind::window,
                                   MechanismKind::strided, MechanismKind::linear, MechanismKind::recurrent}) {
    gpt.mechanism = {kind, kind == MechanismKind::window ? kUsualWindow : 0};
    const std::size_t n = longest_within(gpt, kMemory);
    CHECK(count_layer(with_tokens(gpt, n)).held.value() <= kMemory);
    CHECK(count_layer(with_tokens(gpt, n + 1)).held.value() > kMemory);
  }
  CHECK(longest_within(gpt, 100) == 0);
}

TEST_CASE("with a cache the next token takes its own row alone and without one every row") {
  const CostSpec gpt = shape_of("gpt2");
  const LayerCost cached = count_layer(decoding(gpt, 1023, KeyCache::kept));
  // One row: 2·768², and scores with 1024 keys: 2·1024·768.
  CHECK(digits(cached[CostStage::k].operations.value()) == "1179648");
  CHECK(digits(cached[CostStage::scores].operations.value()) == "1572864");
  const LayerCost again = count_layer(decoding(gpt, 1023, KeyCache::none));
  CHECK(digits(again[CostStage::k].operations.value()) ==
        digits(1024 * cached[CostStage::k].operations.value()));
  CHECK(digits(operations(again)) == digits(operations(count_layer(with_tokens(gpt, 1024)))));
}
