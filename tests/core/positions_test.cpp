// The numbers of the workspace of positions, each against sums written out here: similarities, shifts, what
// depends on the offset alone, and what lies beyond the training length.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/positions/positions_graph.h"
#include "core/positions/positions_numbers.h"
#include "core/reference/backend.h"
#include "core/softmax_stages.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Every kind once, as far as a test does not say otherwise.
PositionsSpec every_kind() {
  PositionsSpec spec;
  spec.encodings.clear();
  for (std::size_t kind = 0; kind < std::variant_size_v<Position>; ++kind)
    spec.encodings.push_back(position_at(kind));
  spec.trained = 4000;
  return spec;
}

Document of_spec(const PositionsSpec& spec) {
  Document document;
  document.positions = spec;
  return document;
}

// Every stage in double, nothing rounded.
struct Exact {
  explicit Exact(const PositionsSpec& spec)
      : layout(layout_of(spec)), graph(build_positions(of_spec(spec))), outputs(evaluate_in_double(graph)) {}

  const Tensor64& at(StageIndex stage) const { return outputs[stage]; }
  // What the softmax of a part reads.
  const Tensor64& scores(const PositionsPart& part) const {
    const auto weights = graph.find(Role::weights, part.part);
    REQUIRE(weights);
    return at(softmax_at(graph, *weights)->input);
  }
  // The n-th stage of a part that is drawn.
  const Tensor64& drawn(std::size_t part, std::size_t n = 0) const {
    for (StageIndex i = 0; i < graph.stages.size(); ++i)
      if (graph.stages[i].part == part && graph.stages[i].drawn == Drawn::always && n-- == 0) return at(i);
    FAIL("no such stage");
    return outputs[0];
  }
  PositionsLayout layout;
  Graph graph;
  std::vector<Tensor64> outputs;
};

double largest_difference(const Tensor64& a, const Tensor64& b) {
  REQUIRE(a.shape() == b.shape());
  double most = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i)
    most = std::max(most, std::abs(a.values()[i] - b.values()[i]));
  return most;
}

double largest(const Tensor64& a) {
  double most = 0;
  for (const double value : a.values()) most = std::max(most, std::abs(value));
  return most;
}

std::size_t kind_of(const Position& position) {
  return position.index();
}
const std::size_t kNone = kind_of(NoPosition()), kSinusoidal = kind_of(Sinusoidal()),
                  kLearned = kind_of(Learned()), kRope = kind_of(Rotary()), kAlibi = kind_of(Alibi()),
                  kRelative = kind_of(Relative()), kT5 = kind_of(T5Bias());

std::string title_of(std::size_t kind) {
  return std::string(position_text(position_at(kind)).title);
}

}  // namespace

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
  const Tensor rows = to_float(exact.drawn(exact.layout.map));
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

TEST_CASE("the matrix of similarities holds every row with every other") {
  PositionsSpec spec;
  spec.length = 9, spec.width = 6;
  const Exact exact(spec);
  const Tensor64 &rows = exact.drawn(exact.layout.map), &alike = exact.drawn(exact.layout.alike);
  REQUIRE(alike.shape() == Shape{1, 9, 9});
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 9; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < 6; ++c) sum += rows[{0, i, c}] * rows[{0, j, c}];
      CHECK(alike[{0, i, j}] == doctest::Approx(sum).epsilon(1e-12));
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
  REQUIRE(facts.mixed);
  CHECK(*facts.mixed > 0.01);
  PositionsSpec none;
  none.encodings = {Sinusoidal()};
  CHECK_FALSE(facts_of(none).mixed);
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
          largest_difference(before.scores(before.layout.scores[i]), after.scores(after.layout.scores[i]));
      CHECK(*facts.encodings[i].moved == doctest::Approx(moved).epsilon(1e-9));
      const bool absolute = i == kSinusoidal || i == kLearned;
      absolute ? CHECK(moved > 0.01) : CHECK(moved < 1e-9);
    }
  }
}

TEST_CASE("a learned table has no row behind its end and says which") {
  PositionsSpec spec;
  spec.encodings = {Learned{.seed = 7}, Alibi()};
  spec.trained = 48, spec.shift = 40, spec.tokens = 12;
  const PositionsLayout layout = layout_of(spec);
  CHECK_FALSE(layout.scores[0].part);
  CHECK(layout.scores[0].why == "no row for position 48");
  CHECK(layout.scores[1].part);
  CHECK_FALSE(facts_of(spec).encodings[0].moved);
  CHECK(map_rows(spec) == 48);
  CHECK_NOTHROW(build_positions(of_spec(spec)));
}

TEST_CASE("the difference is what an encoding adds to the scores of the content") {
  const PositionsSpec spec = every_kind();
  const Exact exact(spec);
  const Tensor64& plain = exact.scores(exact.layout.scores[kNone]);
  for (std::size_t i = 0; i < spec.encodings.size(); ++i) {
    INFO(title_of(i));
    const Tensor64 &with = exact.scores(exact.layout.scores[i]),
                   &difference = exact.drawn(exact.layout.difference, i);
    double most = 0;
    for (std::size_t c = 0; c < with.values().size(); ++c)
      most = std::max(most, std::abs(with.values()[c] - plain.values()[c] - difference.values()[c]));
    CHECK(most < 1e-12);
    CHECK((largest(difference) > 1e-3) == (i != kNone));
  }
}

TEST_CASE("a pairing mixed between queries and keys gives other scores from position 1 on") {
  const PositionsSpec spec = every_kind();
  const Exact exact(spec);
  REQUIRE(exact.layout.mixed);
  const Tensor64 &right = exact.scores(exact.layout.scores[kRope]),
                 &wrong = exact.scores(*exact.layout.mixed);
  CHECK(right[{0, 0, 0}] == doctest::Approx(wrong[{0, 0, 0}]));  // nothing is turned at 0
  CHECK(largest_difference(right, wrong) > 0.1);
}

TEST_CASE("far keys fall by their slope under ALiBi and end with a learned table") {
  PositionsSpec spec = every_kind();
  spec.trained = 48, spec.reach = 96;
  const Exact exact(spec);
  for (const PositionsPart& part : exact.layout.far) {
    const Tensor64& scores = exact.scores(part);
    INFO(part.title);
    CHECK(scores.rows() == 1);
    const bool learned = part.position.index() == kLearned;
    CHECK(scores.columns() == (learned ? 48 : 96));
    if (part.position.index() != kAlibi) continue;
    for (std::size_t j = 0; j < 96; ++j)
      CHECK(scores[{0, 0, j}] - scores[{0, 0, 0}] == doctest::Approx(-static_cast<double>(j) / 2));
  }
}

TEST_CASE("RoPE stands beyond training in every stretch by as much as the keys are farther") {
  PositionsSpec spec;
  spec.encodings = {Rotary()};
  spec.trained = 50, spec.reach = 200;
  const PositionsLayout layout = layout_of(spec);
  std::vector<Stretch> stretches;
  for (const PositionsPart& part : layout.far) {
    const Rotary& rotary = std::get<Rotary>(part.position);
    stretches.push_back(rotary.stretch);
    CHECK(rotary.trained == 50);
    if (rotary.stretch != Stretch::none) CHECK(rotary.factor == 4);
  }
  CHECK(stretches == std::vector{Stretch::none, Stretch::interpolation, Stretch::ntk, Stretch::yarn});
  const auto slowest = [&](std::size_t i) { return pair_frequencies(layout.far[i].position, 32).back(); };
  CHECK(slowest(1) == doctest::Approx(slowest(0) / 4));
  CHECK(slowest(2) == doctest::Approx(slowest(0) / 4));
}

TEST_CASE("without position two orders give the same outputs and with one they do not") {
  for (const Position& shown : std::vector<Position>{Sinusoidal(), Rotary(), Alibi(), T5Bias()}) {
    PositionsSpec spec;
    spec.encodings = {shown};
    const Exact exact(spec);
    INFO(position_text(shown).title);
    CHECK(largest(exact.drawn(exact.layout.order_difference, 0)) < 1e-12);
    CHECK(largest(exact.drawn(exact.layout.order_difference, 1)) > 1e-3);
  }
}

TEST_CASE("documents of odd sizes have a graph in which every number is finite") {
  for (const std::size_t length : {1u, 2u, 200u})
    for (const std::size_t width : {1u, 2u, 3u, 512u})
      for (const double base : {1.0, 1e9}) {
        PositionsSpec spec = every_kind();
        spec.length = length, spec.width = width, spec.tokens = 2, spec.heads = 3, spec.reach = 5;
        spec.dimensions = {0, 511};
        std::get<Sinusoidal>(spec.encodings[kSinusoidal]).base = base;
        std::get<Rotary>(spec.encodings[kRope]).base = base;
        for (std::size_t shown = 0; shown < spec.encodings.size(); ++shown) {
          INFO("length ", length, " width ", width, " base ", base, " ", title_of(shown));
          PositionsSpec first = spec;
          show_encoding(first, shown);
          const Exact exact(first);
          for (const Tensor64& output : exact.outputs)
            for (const double value : output.values()) REQUIRE(std::isfinite(value));
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

TEST_CASE("what no workspace can show is refused with what would do") {
  PositionsSpec spec;
  spec.encodings = {Rotary(), Rotary{.base = 5}};
  CHECK_THROWS_WITH_AS(build_positions(of_spec(spec)), doctest::Contains("RoPE is compared with itself"),
                       Error);
  spec.encodings = {};
  CHECK_THROWS_WITH_AS(build_positions(of_spec(spec)), doctest::Contains("choose one"), Error);
  spec = {};
  spec.length = 5000;
  CHECK_THROWS_WITH_AS(build_positions(of_spec(spec)), doctest::Contains("from 1 to 4096"), Error);
}
