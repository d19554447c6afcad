// Counts of published shapes against numbers derived by hand, and what cannot be counted.
#include "core/cost/count.h"

#include <doctest/doctest.h>

#include <initializer_list>

#include "core/cost/presets.h"
#include "core/system/error.h"
#include "tests/contains.h"

using namespace attn;
using namespace attn::tests;

namespace {

CostSpec preset(std::string_view name, std::size_t n, StoredFormat format = StoredFormat::float16) {
  CostSpec spec = find_preset(name)->shape;
  spec.n = n, spec.format = format;
  return spec;
}

struct Expected {
  CostStage stage;
  std::uint64_t number;
};

void check_operations(const CostSpec& spec, std::initializer_list<Expected> list) {
  const LayerCost cost = count_layer(spec);
  for (const Expected& expected : list) {
    CAPTURE(cost[expected.stage].name);
    CHECK(digits(cost[expected.stage].operations.value()) == std::to_string(expected.number));
  }
}

std::string refusal(const CostSpec& spec) {
  try {
    count_layer(spec);
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::option);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("GPT-2 small takes what is derived by hand at 4096 tokens") {
  // n = 4096 = 2^12, d = 768 = 3·2^8, 12 heads of 64, inner width 3072.
  // X·W: 2·2^12·(3·2^8)² = 9·2^29. Q·Kᵀ: 2·2^24·64·12 = 3·2^33. Scores: 2^24·12 = 3·2^26 of them.
  // Feed-forward: 2·2·2^12·768·3072 = 9·2^32.
  constexpr std::uint64_t kScores = 201'326'592;
  check_operations(preset("gpt2", 4096), {{CostStage::q, 4'831'838'208},
                                          {CostStage::k, 4'831'838'208},
                                          {CostStage::v, 4'831'838'208},
                                          {CostStage::scores, 25'769'803'776},
                                          {CostStage::scaled, kScores},
                                          {CostStage::masked, 0},
                                          {CostStage::weights, 5 * kScores},
                                          {CostStage::head_output, 25'769'803'776},
                                          {CostStage::output, 4'831'838'208},
                                          {CostStage::feed_forward, 38'654'705'664}});
  // 4·4 831 838 208 + 2·25 769 803 776 + 6·201 326 592 + 38 654 705 664
  const LayerCost cost = count_layer(preset("gpt2", 4096));
  CHECK(digits(operations(cost)) == "110729625600");
  CHECK(digits(operations(cost, CostPart::mixing)) == "52747567104");
  CHECK(digits(operations(cost, CostPart::projections)) == "14495514624");
}

TEST_CASE("GPT-2 small moves and holds what is derived by hand at 4096 tokens in float16") {
  // X and Q have 4096·768 = 3 145 728 numbers, W_Q 589 824, the scores 201 326 592; two bytes each.
  const LayerCost cost = count_layer(preset("gpt2", 4096));
  const auto moved = [&](CostStage stage) { return digits(cost[stage].bytes_moved.value()); };
  const auto held = [&](CostStage stage) { return digits(cost[stage].bytes_held.value()); };
  CHECK(moved(CostStage::q) == "13762560");         // 2·(3 145 728 + 589 824 + 3 145 728)
  CHECK(moved(CostStage::scores) == "415236096");   // 2·(2·3 145 728 + 201 326 592)
  CHECK(moved(CostStage::weights) == "805306368");  // 2·2·201 326 592
  CHECK(moved(CostStage::masked) == "805306368");
  CHECK(moved(CostStage::head_output) == "415236096");
  // X in and out, hidden (4096·3072 = 12 582 912) out and in, W₁ and W₂ (4 718 592):
  // 2·(6 291 456 + 25 165 824 + 4 718 592)
  CHECK(moved(CostStage::feed_forward) == "72351744");
  CHECK(held(CostStage::q) == "6291456");
  CHECK(held(CostStage::weights) == "402653184");
  CHECK(held(CostStage::feed_forward) == "31457280");  // 2·(12 582 912 + 3 145 728)
  CHECK(digits(cost.held.value()) == "427819008");     // 402 653 184 + 4·6 291 456
}

TEST_CASE("a gate is a matrix more that is read and a result more that is written and read and held") {
  // Llama 3 8B, float16: n = 4096, d = 4096, inner width 14336. X and the result 4096·4096 = 16 777 216;
  // hidden and gate 4096·14336 = 58 720 256 each; three matrices of 4096·14336.
  const LayerCost cost = count_layer(preset("llama3-8b", 4096));
  const StageCost& stage = cost[CostStage::feed_forward];
  CHECK(digits(stage.bytes_moved.value()) == "889192448");  // 2·(2·16 777 216 + 4·58 720 256 + 3·58 720 256)
  CHECK(digits(stage.bytes_held.value()) == "268435456");  // 2·(16 777 216 + 2·58 720 256)
}

TEST_CASE("Transformer base takes what is derived by hand at 512 tokens") {
  // n = d = 2^9, 8 heads of 64, inner width 2048: X·W 2·2^27, Q·Kᵀ the same, scores 2^18·8 = 2^21,
  // feed-forward 2·2·2^9·2^9·2^11 = 2^31.
  check_operations(preset("Transformer base", 512), {{CostStage::q, 268'435'456},
                                                     {CostStage::scores, 268'435'456},
                                                     {CostStage::scaled, 2'097'152},
                                                     {CostStage::weights, 10'485'760},
                                                     {CostStage::head_output, 268'435'456},
                                                     {CostStage::output, 268'435'456},
                                                     {CostStage::feed_forward, 2'147'483'648}});
}

TEST_CASE("BERT base takes what is derived by hand for a batch of 32") {
  // Of one sequence of 512: X·W 2·512·589 824 = 603 979 776, Q·Kᵀ 2·262 144·768 = 402 653 184, scores 262
  // 144·12 = 3 145 728, feed-forward 4·512·768·3072 = 4 831 838 208.
  CostSpec spec = preset("bert-base", 512, StoredFormat::float32);
  spec.batch = 32;
  check_operations(spec, {{CostStage::q, 32 * std::uint64_t{603'979'776}},
                          {CostStage::scores, 32 * std::uint64_t{402'653'184}},
                          {CostStage::scaled, 32 * std::uint64_t{3'145'728}},
                          {CostStage::weights, 32 * std::uint64_t{15'728'640}},
                          {CostStage::feed_forward, 32 * std::uint64_t{4'831'838'208}}});
  // The weights of a projection are read once for all 32: 4·(2·32·512·768 + 768²).
  CHECK(digits(count_layer(spec)[CostStage::q].bytes_moved.value()) == "103022592");
}

TEST_CASE("Llama 2 70B takes what is derived by hand with shared heads and a gate") {
  // n = 2^12, d = 2^13, 64 heads of 2^7 of which 8 have keys and values, inner width 28672 = 7·2^12.
  // Q 2·2^12·2^26 = 2^39; K and V an eighth; Q·Kᵀ 2·2^24·2^13 = 2^38; scores 2^24·2^6 = 2^30; feed-forward
  // 3·2·2^12·2^13·7·2^12 = 21·2^38.
  const CostSpec spec = preset("llama2-70b", 4096);
  check_operations(spec, {{CostStage::q, std::uint64_t{1} << 39},
                          {CostStage::k, std::uint64_t{1} << 36},
                          {CostStage::v, std::uint64_t{1} << 36},
                          {CostStage::scores, std::uint64_t{1} << 38},
                          {CostStage::scaled, std::uint64_t{1} << 30},
                          {CostStage::weights, std::uint64_t{5} << 30},
                          {CostStage::head_output, std::uint64_t{1} << 38},
                          {CostStage::output, std::uint64_t{1} << 39},
                          {CostStage::feed_forward, std::uint64_t{21} << 38}});
  // Keys of 8 heads are read for 64: 2·(4096·8192 + 4096·1024 + 2^30).
  CHECK(digits(count_layer(spec)[CostStage::scores].bytes_moved.value()) == "2222981120");
}

TEST_CASE("Mistral 7B takes what is derived by hand with its window") {
  // Query i of 32768 sees min(i, 4096) keys before it and itself: 4096·4095/2 + 28672·4096 + 32768 = 125 859
  // 840 pairs. Times 2·128·32, times 32, times 5·32.
  CostSpec spec = preset("mistral-7b", 32768);
  spec.mechanism = {MechanismKind::window, 4096};
  check_operations(spec, {{CostStage::scores, 1'031'043'809'280},
                          {CostStage::scaled, 4'027'514'880},
                          {CostStage::weights, 20'137'574'400},
                          {CostStage::head_output, 1'031'043'809'280}});
  CHECK(digits(count_layer(spec)[CostStage::weights].bytes_held.value()) == "8055029760");
}

TEST_CASE("the backward pass of GPT-3 takes what is derived by hand") {
  // n = 2048, d = 12288: two products for each, so 4·2048·150 994 944; 4·4 194 304·12288; scores 4 194 304·96
  // = 402 653 184, four operations each in the softmax; 8·2048·12288·49152.
  CostSpec spec = preset("GPT-3", 2048);
  spec.backward = true;
  check_operations(spec, {{CostStage::q, 1'236'950'581'248},
                          {CostStage::scores, 206'158'430'208},
                          {CostStage::scaled, 402'653'184},
                          {CostStage::masked, 0},
                          {CostStage::weights, 1'610'612'736},
                          {CostStage::head_output, 206'158'430'208},
                          {CostStage::output, 1'236'950'581'248},
                          {CostStage::feed_forward, 9'895'604'649'984}});
}

TEST_CASE("a count opens into the factors it is the product of") {
  const LayerCost cost = count_layer(preset("gpt2", 4096));
  const Quantity& scores = cost[CostStage::scores].operations;
  CHECK(scores.formula() == "2·n·n·d_k·h");
  CHECK(scores.numbers() == "2·4\u202f096·4\u202f096·64·12");
  CHECK(cost[CostStage::masked].operations.formula() == "0");
  CostSpec shared = preset("llama3-8b", 100);
  shared.batch = 3, shared.past = 50;
  CHECK(count_layer(shared)[CostStage::k].operations.formula() == "2·n·d·h_kv·d_k·batch");
  CHECK(count_layer(shared)[CostStage::scores].operations.formula() == "2·n·m·d_k·h·batch");
  for (const StageCost& stage : count_layer(shared).stages)
    for (const Quantity* quantity : {&stage.operations, &stage.bytes_moved, &stage.bytes_held})
      for (const CostTerm& term : quantity->terms) CHECK(!term.what.empty());
}

TEST_CASE("a layer beyond 64 bits is counted exactly") {
  CostSpec spec;
  spec.n = kMostCostTokens, spec.d = kMostCostWidth, spec.heads = spec.kv_heads = 1;
  spec.batch = kMostCostBatch;
  // 2·2^32·2^32·2^20·2^16
  CHECK(digits(count_layer(spec)[CostStage::scores].operations.value()) == "2535301200456458802993406410752");
}

TEST_CASE("flash holds no scores and reads keys and values once for each tile of queries") {
  CostSpec full = preset("gpt2", 4096), flash = full;
  flash.mechanism.kind = MechanismKind::flash;
  CHECK(digits(operations(count_layer(flash))) == digits(operations(count_layer(full))));
  const LayerCost cost = count_layer(flash);
  // 4·4096·768·2 bytes and of each row of 12 heads two numbers.
  CHECK(digits(cost.held.value()) == "25362432");
  // Q, and 64 tiles of K: 2·65·3 145 728
  CHECK(digits(cost[CostStage::scores].bytes_moved.value()) == "408944640");
  CHECK(digits(cost[CostStage::scores].bytes_held.value()) == "0");
}

TEST_CASE("steps and paths grow with tokens in a recurrent layer alone and with windows") {
  CostSpec spec = preset("gpt2", 4096);
  CHECK((sequential_steps(spec) == 1 && path_length(spec) == 1));
  spec.mechanism.kind = MechanismKind::recurrent;
  CHECK((sequential_steps(spec) == 4096 && path_length(spec) == 4096));
  spec.mechanism = {MechanismKind::window, 256};
  CHECK((sequential_steps(spec) == 1 && path_length(spec) == 16));  // 4095 = 15·256 + 255
}

TEST_CASE("a shape that makes no sense is refused with what does") {
  CostSpec spec;
  spec.d = 768, spec.heads = spec.kv_heads = 10;
  CHECK(contains(refusal(spec), "use 8 or 12 heads"));
  spec.heads = 12, spec.kv_heads = 5;
  CHECK(contains(refusal(spec), "use 4 or 6"));
  spec.kv_heads = 13;
  CHECK(contains(refusal(spec), "take 1 to 12"));
  spec.kv_heads = 12, spec.n = 0;
  CHECK(contains(refusal(spec), "n 0 is too few"));
  spec.n = kMostCostTokens + 1;
  CHECK(contains(refusal(spec), "too large to count"));
  spec.n = 1, spec.layers = 0;
  CHECK(contains(refusal(spec), "layers 0"));
}
