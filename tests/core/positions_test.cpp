// The numbers of the workspace of positions, each against sums written out here: similarities, shifts, and
// what depends on the offset alone.
#include <doctest/doctest.h>

#include <cmath>

#include "core/io/session.h"
#include "tests/core/positions_exact.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("frequencies of pairs fall from 1 by the base") {
  for (const double base : {1.0, 10.0, 10000.0, 1e9})
    for (const std::size_t width : {2u, 32u, 512u}) {
      INFO(base, " ", width);
      const std::vector<double> waves = pair_frequencies(Sinusoidal{base}, width);
      REQUIRE(waves.size() == width / 2);
      CHECK(waves == pair_frequencies(Rotary{.base = base}, width));
      for (std::size_t i = 0; i < waves.size(); ++i)
        CHECK(waves[i] ==
              doctest::Approx(std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(width)))
                  .epsilon(1e-12));
    }
}

TEST_CASE("a dimension belongs to its pair in either pairing and to none behind the turned ones") {
  CHECK(pair_of(Sinusoidal(), 32, 7) == 3);
  CHECK(pair_of(Rotary(), 32, 7) == 3);
  CHECK(pair_of(Rotary{.pairing = Pairing::half}, 32, 7) == 7);
  CHECK(pair_of(Rotary{.pairing = Pairing::half}, 32, 23) == 7);
  CHECK(pair_of(Rotary{.part = 4}, 32, 3) == 1);
  CHECK(pair_of(Rotary{.part = 4}, 32, 4) == std::nullopt);
  CHECK(pair_of(Alibi(), 32, 0) == std::nullopt);
}

TEST_CASE("the similarity of sinusoidal rows is a sum of cosines of the offset alone") {
  PositionsSpec spec;
  spec.length = 40, spec.width = 16;
  const Exact exact(spec);
  const Tensor rows = to_float(exact.drawn(exact.places.map));
  for (const std::size_t p : {0u, 7u, 39u}) {
    const std::vector<float> alike = similarity_to(rows, p);
    for (std::size_t i = 0; i < alike.size(); ++i) {
      double sum = 0;
      for (std::size_t pair = 0; pair < 8; ++pair)
        sum += std::cos((static_cast<double>(i) - static_cast<double>(p)) *
                        std::pow(10000, -static_cast<double>(pair) / 8));
      CHECK(static_cast<double>(alike[i]) == doctest::Approx(sum / 8).epsilon(1e-5));
    }
  }
}

TEST_CASE("what RoPE makes of one query by the offset is what turning it gives") {
  PositionsSpec spec;
  spec.width = 12;
  for (const Rotary rotary : {Rotary(), Rotary{.pairing = Pairing::half}, Rotary{.base = 7, .part = 8}}) {
    const std::vector<float> curve = score_by_offset(spec, rotary, 0, 30);
    REQUIRE(curve.size() == 61);
    const LearnedTable drawn{.length = 1, .columns = 12, .seed = 3 * spec.seed, .sd = kLearnedSd, .rows = 1};
    const Tensor64 q = run_in_double(drawn, {});
    double size = 0;
    for (const double value : q.values()) size += value * value;
    for (const std::size_t offset : {0u, 1u, 13u, 30u}) {
      const Tensor64 turned = run_in_double(Rotate{rotary, offset}, std::vector{q});
      double product = 0;
      for (std::size_t c = 0; c < 12; ++c) product += q[{0, 0, c}] * turned[{0, 0, c}];
      CHECK(static_cast<double>(curve[30 + offset]) == doctest::Approx(product / size).epsilon(1e-5));
      CHECK(curve[30 + offset] == curve[30 - offset]);
    }
  }
}

TEST_CASE("curves by offset are 1 at 0 and follow slope or bucket or vector or nothing") {
  const PositionsSpec spec = every_kind();
  for (const Position& position : spec.encodings) {
    if (is_added(position)) continue;
    INFO(title_of(position.index()));
    CHECK(score_by_offset(spec, position, 2, 10)[10] == doctest::Approx(1));
  }
  CHECK(score_by_offset(spec, NoPosition(), 0, 3) == std::vector<float>(7, 1.0f));
  const std::vector<float> alibi = score_by_offset(spec, Alibi(), 2, 10);  // 8 heads: 2^(-3)
  CHECK(alibi[0] == doctest::Approx(1 - 10.0 / 8));
  CHECK(alibi[20] == alibi[0]);
  const std::vector<float> relative = score_by_offset(spec, Relative{.clip = 4}, 0, 10);
  CHECK(relative[0] == relative[6]);    // clipped to −4
  CHECK(relative[20] == relative[14]);  // and to +4
  CHECK(relative[6] != relative[7]);
  const std::vector<float> t5 = score_by_offset(spec, T5Bias(), 0, 200);
  CHECK(t5[0] == t5[200 - 128]);  // from the farthest distance on one bucket
  CHECK(t5[199] != t5[201]);      // each direction its own
}

TEST_CASE("a shift is a rotation to rounding at positions up to 100000") {
  for (const std::size_t p : {0u, 17u, 4095u, 100000u})
    for (const std::ptrdiff_t delta : {-9, 0, 5, 4000}) {
      INFO(p, " ", delta);
      CHECK(shift_residual(Sinusoidal(), 64, p, delta) < 1e-10);
      CHECK(shift_residual(Rotary{.base = 1e6}, 128, p, delta) < 1e-10);
    }
  CHECK(shift_residual(Sinusoidal{1}, 2, 17, 5) < 1e-14);
}

TEST_CASE("scores of RoPE and of biases depend on the offset alone and those of added rows do not") {
  const PositionsSpec spec = every_kind();
  const PositionsFacts facts = facts_of(spec);
  for (const std::size_t kind : {kNone, kRope, kAlibi, kRelative, kT5}) {
    INFO(title_of(kind));
    CHECK(facts.encodings[kind].uneven < 1e-12);
  }
  CHECK(facts.encodings[kSinusoidal].uneven > 0.01);
  CHECK(facts.encodings[kLearned].uneven > 0.01);
}

TEST_CASE("queries and keys of different pairings depend on more than their offset") {
  const PositionsFacts facts = facts_of(every_kind());
  REQUIRE(facts.encodings[kRope].mixed);
  CHECK(*facts.encodings[kRope].mixed > 0.01);
  CHECK_FALSE(facts.encodings[kSinusoidal].mixed);
}

TEST_CASE("what is known of an encoding is taken over where nothing else has changed and nowhere else") {
  const PositionsSpec before = every_kind();
  PositionsFacts planted = facts_of(before);
  for (PositionsFacts::Encoding& fact : planted.encodings) fact.uneven += 42;
  PositionsSpec after = before;
  after.encodings[kSinusoidal] = Sinusoidal{99};
  std::swap(after.encodings[kRope], after.encodings[kAlibi]);
  const PositionsFacts facts = facts_of(after, KnownFacts{before, planted});
  CHECK(facts.encodings[kSinusoidal].uneven == facts_of(after).encodings[kSinusoidal].uneven);
  CHECK(facts.encodings[kAlibi].mixed == planted.encodings[kRope].mixed);
  CHECK(facts.encodings[kAlibi].uneven == planted.encodings[kRope].uneven);
  CHECK(facts.encodings[kLearned].uneven == planted.encodings[kLearned].uneven);
  for (std::size_t PositionsSpec::*member :
       {&PositionsSpec::width, &PositionsSpec::tokens, &PositionsSpec::seed, &PositionsSpec::shift}) {
    PositionsSpec other = before;
    other.*member += 2;
    CHECK(facts_of(other, KnownFacts{before, planted}).encodings[kLearned].uneven ==
          facts_of(other).encodings[kLearned].uneven);
  }
}

TEST_CASE("what a shift of every position moves is what the scores with and without it differ by") {
  PositionsSpec here = every_kind();
  here.heads = 1;
  for (const std::size_t by : {1u, 100u, 3000u}) {
    PositionsSpec there = here;
    there.shift = by;
    const PositionsFacts facts = facts_of(there);
    CHECK(facts.shift == by);
    const Exact before(here), after(there);
    for (std::size_t i = 0; i < here.encodings.size(); ++i) {
      INFO(title_of(i), " by ", by);
      REQUIRE(facts.encodings[i].moved);
      const double moved =
          largest_difference(before.scores(before.places.scores[i]), after.scores(after.places.scores[i]));
      CHECK(*facts.encodings[i].moved == doctest::Approx(moved).epsilon(1e-9));
      const bool absolute = i == kSinusoidal || i == kLearned;
      CHECK((absolute ? moved > 0.01 : moved < 1e-9));
    }
  }
}

TEST_CASE("a width of 1 has no pair to turn and RoPE leaves it as it is") {
  PositionsSpec spec;
  spec.encodings = {Rotary()};
  spec.width = 1;
  CHECK(std::holds_alternative<NoPosition>(fitted(spec.encodings[0], spec)));
  spec.width = 7;
  CHECK(std::get<Rotary>(fitted(spec.encodings[0], spec)).part == 6);
}

TEST_CASE("kinds change places and come and go and the last one stays") {
  PositionsSpec spec;
  spec.encodings = {Sinusoidal{.base = 500}, Alibi()};
  show_encoding(spec, kAlibi);
  CHECK(spec.encodings == std::vector<Position>{Alibi(), Sinusoidal{.base = 500}});
  show_encoding(spec, kRope);
  CHECK(spec.encodings == std::vector<Position>{Rotary(), Sinusoidal{.base = 500}});
  toggle_encoding(spec, kSinusoidal);
  toggle_encoding(spec, kRope);
  CHECK(spec.encodings == std::vector<Position>{Rotary()});
  toggle_encoding(spec, kT5);
  CHECK(has_encoding(spec, kT5));
  draw_dimension(spec, 3);
  draw_dimension(spec, 3);
  CHECK(spec.dimensions == std::vector<std::size_t>{0, 3, 6, 7, 14, 24});
}

TEST_CASE("a session keeps what is shown and drawn in place of the usual") {
  for (const std::vector<std::size_t>& dimensions :
       std::vector<std::vector<std::size_t>>{{}, {3}, {0, 6, 7, 12, 14, 24}}) {
    Document document;
    PositionsSpec& spec = document.positions;
    spec.dimensions = dimensions;
    spec.encodings = {T5Bias{.buckets = 8, .seed = 3}, Rotary{.pairing = Pairing::half, .part = 4}};
    spec.length = 4096, spec.width = 512, spec.trained = 7, spec.shift = 100000, spec.reach = 2;
    spec.tokens = 64, spec.heads = 6, spec.seed = 9;
    CHECK(parse_session(write_session(document)).positions == spec);
  }
}
