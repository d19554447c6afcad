// The graph of the workspace of positions: what lies beyond the training length, two orders, documents of odd
// sizes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/io/stages_npz.h"
#include "tests/core/positions_exact.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the matrix of similarities holds every row with every other") {
  PositionsSpec spec;
  spec.length = 9, spec.width = 6;
  const Exact exact(spec);
  const Tensor64 &rows = exact.drawn(exact.places.map), &alike = exact.drawn(exact.places.alike);
  REQUIRE(alike.shape() == Shape{1, 9, 9});
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t j = 0; j < 9; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < 6; ++c) sum += rows[{0, i, c}] * rows[{0, j, c}];
      CHECK(alike[{0, i, j}] == doctest::Approx(sum).epsilon(1e-12));
    }
}

TEST_CASE("a learned table has no row behind its end and says which") {
  PositionsSpec spec;
  spec.encodings = {Learned{.seed = 7}, Alibi()};
  spec.trained = 48, spec.shift = 40, spec.tokens = 12;
  const PositionsPlaces places = places_of(spec);
  CHECK_FALSE(places.scores[0].part);
  CHECK(places.scores[0].why == "no row for position 48");
  CHECK(places.scores[1].part);
  CHECK_FALSE(facts_of(spec).encodings[0].moved);
  CHECK(map_rows(spec) == 48);
  CHECK_NOTHROW(build_positions(of_spec(spec)));
}

TEST_CASE("of thousands of positions the first ones are held against each other") {
  PositionsSpec spec;
  spec.length = 1500, spec.width = 2;
  const Exact exact(spec);
  CHECK(exact.drawn(exact.places.map).shape() == Shape{1, 1500, 2});
  const Tensor64& alike = exact.drawn(exact.places.alike);
  CHECK(alike.shape() == Shape{1, 1024, 1024});
  CHECK(alike[{0, 1023, 1000}] == doctest::Approx(std::cos(23)).epsilon(1e-12));
}

TEST_CASE("every traced stage of several heads says so and can be written") {
  const Exact exact(every_kind());
  for (const Stage& stage : exact.graph.stages)
    if (stage.traced && stage.shape.stack > 1) {
      INFO(stage.id);
      CHECK(stage.stack != Stack::joined);
    }
  CHECK(stages_size(exact.graph) > 0);
}

TEST_CASE("the difference is what an encoding adds to the scores of the content") {
  const PositionsSpec spec = every_kind();
  const Exact exact(spec);
  const Tensor64& plain = exact.scores(exact.places.scores[kNone]);
  for (std::size_t i = 0; i < spec.encodings.size(); ++i) {
    INFO(title_of(i));
    const Tensor64 &with = exact.scores(exact.places.scores[i]),
                   &difference = exact.drawn(exact.places.difference, i);
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
  REQUIRE(exact.places.mixed);
  const Tensor64 &right = exact.scores(exact.places.scores[kRope]),
                 &wrong = exact.scores(*exact.places.mixed);
  CHECK(right[{0, 0, 0}] == doctest::Approx(wrong[{0, 0, 0}]));  // nothing is turned at 0
  CHECK(largest_difference(right, wrong) > 0.1);
}

TEST_CASE("far keys fall by their slope under ALiBi and end with a learned table") {
  PositionsSpec spec = every_kind();
  spec.trained = 48, spec.reach = 96;
  const Exact exact(spec);
  for (const PositionsPart& part : exact.places.far) {
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
  const PositionsPlaces places = places_of(spec);
  std::vector<Stretch> stretches;
  for (const PositionsPart& part : places.far) {
    const Rotary& rotary = std::get<Rotary>(part.position);
    stretches.push_back(rotary.stretch);
    CHECK(rotary.trained == 50);
    if (rotary.stretch != Stretch::none) CHECK(rotary.factor == 4);
  }
  CHECK(stretches == std::vector{Stretch::none, Stretch::interpolation, Stretch::ntk, Stretch::yarn,
                                 Stretch::yarn_released, Stretch::llama3});
  const auto slowest = [&](std::size_t i) { return pair_frequencies(places.far[i].position, 32).back(); };
  CHECK(slowest(1) == doctest::Approx(slowest(0) / 4));
  CHECK(slowest(2) == doctest::Approx(slowest(0) / 4));
}

TEST_CASE("without position two orders give the same outputs and with one they do not") {
  for (const Position& shown : std::vector<Position>{Sinusoidal(), Rotary(), Alibi(), T5Bias()}) {
    PositionsSpec spec;
    spec.encodings = {shown};
    const Exact exact(spec);
    INFO(position_text(shown).title);
    CHECK(largest(exact.drawn(exact.places.order_difference, 0)) < 1e-12);
    CHECK(largest(exact.drawn(exact.places.order_difference, 1)) > 1e-3);
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
            CHECK(std::ranges::all_of(output.values(), [](double value) { return std::isfinite(value); }));
        }
      }
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

TEST_CASE("a dimension beyond the width is of no pair") {
  CHECK(pair_of(Sinusoidal{}, 4, 3) == 1);
  CHECK_FALSE(pair_of(Sinusoidal{}, 4, 4));
  CHECK_FALSE(pair_of(Rotary{}, 4, 4));
}
