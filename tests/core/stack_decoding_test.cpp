// Decoding with a KV cache: each step is the row that all positions at once have, for every position
// encoding, on the reference and on a device; its costs by hand.
#include "core/stack/decoding.h"

#include <doctest/doctest.h>

#include <chrono>

#include "core/document/stack_plan.h"
#include "core/evaluate/evaluator.h"
#include "core/reference/backend.h"
#include "core/stack/decoding_cost.h"
#include "core/system/budget.h"
#include "core/tensor/random.h"
#include "core/transformer/made.h"
#include "tests/devices.h"

using namespace attn;

namespace {

Tensor decoding_numbers(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_normal(seed, i);
  return {{1, rows, columns}, std::move(values)};
}

struct DecodingSizes {
  std::size_t width = 12, heads = 3, inner = 48, layers = 2, source = 5, target = 9, symbols = 7;
};

// An encoder and a decoder, or a decoder alone, over symbols that are drawn.
StackSpec decoding_stack(const DecodingSizes& sizes, StackSides sides, const Position& position) {
  StackSpec stack;
  stack.sides = sides, stack.position = position, stack.tied = true;
  stack.embedding = decoding_numbers(sizes.symbols, sizes.width, 5);
  const auto give = [&](StackSide& side, std::size_t count) {
    std::vector<float> ids(count);
    for (std::size_t i = 0; i < count; ++i) ids[i] = static_cast<float>((3 * i + 1) % sizes.symbols);
    side.ids = Tensor({1, count, 1}, std::move(ids));
    side.normed = true;
  };
  if (stack.has_encoder()) give(stack.encoder, sizes.source);
  give(stack.decoder, sizes.target);
  return made_stack(stack, {sizes.layers, sizes.heads, sizes.inner}, 3);
}

// All positions at once, and what a decoder needs of them.
struct AtOnce {
  Results results;
  CrossRows cross;

  AtOnce(const StackSpec& stack, Backend& backend, Budget& budget) {
    Document document;
    document.transformer = stack;
    results = Evaluator(backend, budget).evaluate(document, build_stack(document));
    for (const BlockStages& block : places().decoder->blocks) {
      const BoxStages* box = block.find(StackBox::cross);
      cross.push_back(box && box->layer ? std::array{of(box->layer->k), of(box->layer->v)}
                                        : std::array<Tensor, 2>());
    }
  }
  const StackStages& places() const { return *results.places.as<StackStages>(); }
  Tensor of(StageIndex stage) const { return results.outputs[stage].whole(); }
  Tensor outputs() const { return of(places().logits.value_or(places().decoder->output)); }
};

Tensor decoding_row(const Tensor& x, std::size_t row) {
  const auto values = x.values().subspan(row * x.columns(), x.columns());
  return {{1, 1, x.columns()}, std::vector<float>(values.begin(), values.end())};
}

// The largest of all steps' differences, rows of K and V, and where cross-attention looks, among them.
double cached_apart(const StackSpec& stack, Backend& backend) {
  REQUIRE(decoding_obstacle(stack) == "");
  Budget budget;
  const AtOnce all(stack, backend, budget);
  const SideStages& side = *all.places().decoder;
  StackDecoder decoder(stack, all.cross, decoder_room(stack), backend);
  double apart = 0;
  for (std::size_t place = 0; place < token_count(stack.decoder); ++place) {
    Tensor input = decoding_row(all.of(side.input), place);
    if (!stack.decoder.ids.empty()) {
      const auto symbol = static_cast<std::size_t>(stack.decoder.ids.values()[place]);
      apart =
          std::max(apart, largest_difference(decoder.input_row(place, symbol), all.of(side.input), place));
    }
    const DecodedStep step = decoder.step(place, input);
    apart = std::max(apart, largest_difference(step.output, all.outputs(), place));
    for (std::size_t block = 0; block < side.blocks.size(); ++block) {
      const LayerStages& layer = *side.blocks[block].find(StackBox::attention)->layer;
      const Tensor keys = all.of(layer.k);
      for (std::size_t head = 0; head < keys.stack(); ++head)
        for (std::size_t j = 0; j < keys.columns(); ++j)
          apart = std::max(apart, static_cast<double>(
                                      std::abs(step.rows[block][0][{head, 0, j}] - keys[{head, place, j}])));
      if (step.looks[block].empty()) continue;
      const Tensor weights = all.of(side.blocks[block].find(StackBox::cross)->layer->weights);
      for (std::size_t head = 0; head < weights.stack(); ++head)
        for (std::size_t key = 0; key < weights.columns(); ++key)
          apart = std::max(apart, static_cast<double>(std::abs(step.looks[block][{head, 0, key}] -
                                                               weights[{head, place, key}])));
    }
  }
  return apart;
}

const std::vector<Position> kDecodedPositions{
    NoPosition(),
    Sinusoidal(),
    Learned{.seed = 4, .length = 64},
    Rotary(),
    Alibi(),
    Relative{.clip = 3, .seed = 2},
    Relative{.clip = 3, .seed = 2, .values = true},
    T5Bias{.buckets = 8, .max_distance = 16, .seed = 6},
    T5Bias{.buckets = 8, .max_distance = 16, .seed = 6, .causal = true}};

// Its sums are in double: six boxes behind each other, of about ten stages, each rounded to 2⁻²⁴ of its
// numbers, which are about as large as those that come out; both ways: 2·60·2⁻²⁴.
constexpr double kOfReference = 2 * 60 * 0x1p-24;

}  // namespace

TEST_CASE("Token by token with a cache a stack writes what all positions at once do, for every encoding") {
  Budget budget;
  std::vector<std::string> notes;
  const auto device = tests::devices()->choose("auto", budget, notes);
  const auto reference = make_reference_backend();
  for (const Position& position : kDecodedPositions)
    for (const StackSides sides : {StackSides::both, StackSides::decoder}) {
      CAPTURE(position.index());
      CAPTURE(static_cast<int>(sides));
      const StackSpec stack = decoding_stack({}, sides, position);
      CHECK(cached_apart(stack, *reference) <= kOfReference);
      CHECK(cached_apart(stack, *device) <= decoding_tolerance(stack));
    }
}

TEST_CASE(
    "Decoding follows a table of learned positions, norms, activations, windows and boxes that are off") {
  const auto reference = make_reference_backend();
  StackSpec stack = decoding_stack({}, StackSides::both, NoPosition());
  stack.position_table = decoding_numbers(16, 12, 8);
  stack.decoder.first_position = 5;
  CHECK(decoder_room(stack) == 11);
  CHECK(cached_apart(stack, *reference) <= kOfReference);
  for (StackBlock& block : stack.decoder.blocks) block.attention.masks.push_back({.rule = WindowRule{2}});
  CHECK(cached_apart(stack, *reference) <= kOfReference);
  stack.decoder.blocks[1].off = {0};
  stack.decoder.blocks[1].cross->muted_heads = {1};
  stack.norm_at = NormAt::after, stack.norm_kind = NormKind::rms;
  for (StackSide* side : {&stack.encoder, &stack.decoder})
    for (StackBlock& block : side->blocks)
      for (NormWeights& norm : block.norms) norm.bias = {};
  stack.encoder.norm.bias = stack.decoder.norm.bias = {};
  const auto boxes_off = [&] {
    Budget budget;
    const AtOnce all(stack, *reference, budget);
    StackDecoder decoder(stack, all.cross, decoder_room(stack), *reference);
    double apart = 0;
    for (std::size_t place = 0; place < 9; ++place) {
      const Tensor row = decoding_row(all.of(all.places().decoder->input), place);
      apart = std::max(apart, largest_difference(decoder.step(place, row).output, all.outputs(), place));
    }
    return apart;
  };
  CHECK(boxes_off() <= kOfReference);
  CHECK(largest_difference(Tensor({1, 1, 2}, {1, 2}), Tensor({1, 2, 2}, {9, 9, 1, 4}), 1) == 0.5);
  for (const float odd : {NAN, INFINITY}) {
    const Tensor finite({1, 1, 2}, {1, 2}), first({1, 1, 2}, {odd, 2}), last({1, 1, 2}, {1, odd});
    for (const auto& [a, b] : {std::pair{first, finite}, {finite, first}, {last, finite}, {finite, last}})
      CHECK(std::isinf(largest_difference(a, b, 0)));
  }
}

TEST_CASE("A decoder over rows of features replays them") {
  const auto reference = make_reference_backend();
  StackSpec stack;
  stack.sides = StackSides::decoder, stack.swiglu = true, stack.position = Rotary();
  stack.decoder.x = decoding_numbers(6, 12, 1);
  stack = made_stack(stack, {2, 3, 24}, 9);
  CHECK(decoder_room(stack) == 6);
  CHECK(cached_apart(stack, *reference) <= kOfReference);
}

TEST_CASE("What is decoded otherwise, or not at all, says why") {
  StackSpec stack = decoding_stack({}, StackSides::both, NoPosition());
  stack.decoder.blocks[1].attention.masks = {};
  CHECK(decoding_obstacle(stack) == "in layer 1 tokens see later ones: its mask is not causal");
  stack.sides = StackSides::encoder;
  CHECK(decoding_obstacle(stack) == "an encoder alone sees all of its tokens at once");
}

// d 12, inner 48, 2 layers, 7 symbols, 5 memory tokens: a row is multiplied by 2·(4·144 + 2·144 + 2·576) + 84
// = 4,116 numbers; the query meets each key in 24 multiply-adds a layer.
TEST_CASE("A step's cost is that of its row, and of its query with every key") {
  const DecodingCost cost(decoding_stack({}, StackSides::both, NoPosition()));
  CHECK(cost.row == 2 * 4116);
  CHECK(cost.memory.operations == 2 * 2 * 2 * 144 * 5);
  CHECK(cost.kept == 2 * 24 * 4);
  CHECK(cost.cached(3).operations == 2 * 4116 + 2 * 2 * 24 * 4 + 2 * 2 * 24 * 5);
  CHECK(cost.recomputed(3).operations ==
        4 * (2 * 4116 + 2 * 2 * 24 * 4 + 2 * 2 * 24 * 5) + 2 * 2 * 2 * 144 * 5);
  CHECK(cost.cached_so_far(1).operations ==
        cost.memory.operations + cost.cached(0).operations + cost.cached(1).operations);
  CHECK(cost.recomputed_so_far(0).operations == cost.recomputed(0).operations);
  DecodingAmount cached = cost.memory, again;
  for (std::size_t place = 0; place < 40; ++place) {
    cached += cost.cached(place), again += cost.recomputed(place);
    CHECK(cost.cached_so_far(place).operations == cached.operations);
    CHECK(cost.cached_so_far(place).bytes == cached.bytes);
    CHECK(cost.recomputed_so_far(place).operations == again.operations);
    CHECK(cost.recomputed_so_far(place).bytes == again.bytes);
  }
}

TEST_CASE("Writing on keeps what was written and takes symbols behind it") {
  StackSpec stack = decoding_stack({}, StackSides::both, NoPosition());
  stack.symbols = {"a", "b", "c", "d", "e", "f", "g"};
  write_on(stack, 2, {6, 0});
  CHECK(stack.decoder.ids == Tensor({1, 4, 1}, {1, 4, 6, 0}));
  CHECK(stack.decoder.tokens == Labels{"0", "1", "g", "a"});
}

// Measured, not judged: machines that build share their cores.
TEST_CASE("A step of a large decoder against the time that reading its weights takes" *
          doctest::test_suite("long")) {
  Budget budget;
  std::vector<std::string> notes;
  const auto device = tests::devices()->choose("auto", budget, notes);
  const StackSpec stack =
      decoding_stack({.width = 768, .heads = 12, .inner = 3072, .layers = 12, .target = 16},
                     StackSides::decoder, NoPosition());
  StackDecoder decoder(stack, CrossRows(12), 16, *device);
  const Tensor row = decoding_numbers(1, 768, 1);
  double best = HUGE_VAL;
  for (std::size_t place = 0; place < 16; ++place) {
    const auto begin = std::chrono::steady_clock::now();
    decoder.step(place, row, StackDecoder::Reads::output);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  const Drill copy = device->drill(DrillKind::copy);
  double bandwidth = 0;
  for (int run = 0; run < 5; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    copy.run(1);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    bandwidth = std::max(bandwidth, copy.unit / took.count());
  }
  const double read = DecodingCost(stack).weights / bandwidth;
  MESSAGE("a step " << best * 1e3 << " ms, its weights at the bandwidth of a copy, " << bandwidth * 1e-9
                    << " GB/s, " << read * 1e3 << " ms: " << best / read << " times");
}
