// The counts of mechanisms and gradients that the reference does not compute, against loops that count.
#include "tests/core/cost_loops.h"

#include <doctest/doctest.h>

#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

Rows random_rows(Random& random, std::size_t rows, std::size_t columns) {
  std::normal_distribution<double> distribution;
  Rows result(rows, Row(columns));
  for (Row& row : result)
    for (Counted& number : row) number = distribution(random);
  return result;
}

CostSpec random_spec(Random& random, MechanismKind kind) {
  CostSpec spec;
  spec.mechanism = {kind, kind == MechanismKind::window ? pick(random, 0, 6) : pick(random, 0, 4)};
  spec.n = pick(random, 1, 9);
  const bool with_past = kind != MechanismKind::linear && kind != MechanismKind::recurrent;
  spec.past = with_past && coin(random) ? pick(random, 1, 12) : 0;
  spec.causal = coin(random);
  spec.heads = spec.kv_heads = pick(random, 1, 2);
  spec.d = spec.heads * pick(random, 1, 4);
  return spec;
}

Mixing random_head(Random& random, const CostSpec& spec) {
  const std::size_t width = spec.head_width();
  return {random_rows(random, spec.n, width), random_rows(random, spec.keys(), width),
          random_rows(random, spec.keys(), width)};
}

// The masks' own definitions.
bool reached(const CostSpec& spec, std::size_t i, std::size_t j) {
  const bool later = j > i;
  const std::size_t apart = later ? j - i : i - j;
  std::size_t reach = spec.mechanism.reach;
  switch (spec.mechanism.kind) {
    case MechanismKind::window:
      return apart <= reach && !(spec.causal && later);
    case MechanismKind::strided:
      while (spec.mechanism.reach == 0 && reach * reach < spec.keys()) ++reach;
      return ((!later && apart <= reach) || apart % reach == 0) && !(spec.causal && later);
    default:
      return true;
  }
}

void check_stages(const CostSpec& spec, const Tallies& tallies) {
  const LayerCost cost = count_layer(spec);
  for (const auto& [stage, found] : tallies) {
    CAPTURE(cost[stage].name);
    CAPTURE(word_of(spec.mechanism));
    CHECK(digits(found.total()) == digits(cost[stage].operations.value()));
  }
}

double loss(const Rows& output, const Rows& g) {
  double sum = 0;
  for (std::size_t i = 0; i < g.size(); ++i)
    for (std::size_t c = 0; c < g[i].size(); ++c) sum += output[i][c].value * g[i][c].value;
  return sum;
}

// `gradient` of what `loss_of` makes of `x`, against central differences.
void check_gradient(Rows& x, const Rows& gradient, const std::function<double()>& loss_of) {
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t c = 0; c < x[i].size(); ++c) {
      const Counted kept = x[i][c];
      x[i][c] = kept.value + kStep;
      const double above = loss_of();
      x[i][c] = kept.value - kStep;
      const double below = loss_of();
      x[i][c] = kept;
      CHECK(gradient[i][c].value == doctest::Approx((above - below) / (2 * kStep)).epsilon(1e-6));
    }
}

}  // namespace

TEST_CASE(
    "full attention and windows and strides take as many operations as loops over the pairs they reach") {
  Random random(11);
  for (const MechanismKind kind : {MechanismKind::full, MechanismKind::window, MechanismKind::strided})
    for (int round = 0; round < 60; ++round) {
      CostSpec spec = random_spec(random, kind);
      ScoresLoop loop{[&](std::size_t i, std::size_t j) { return reached(spec, i, j); }};
      Tallies forward, backward;
      for (std::size_t head = 0; head < spec.heads; ++head) {
        const Mixing x = random_head(random, spec);
        loop.forward(x, forward);
        loop.backward(x, random_rows(random, spec.n, spec.head_width()), false, backward);
      }
      check_stages(spec, forward);
      spec.backward = true;
      check_stages(spec, backward);
    }
}

TEST_CASE("flash makes scores again backward and otherwise does what full attention does") {
  Random random(12);
  for (int round = 0; round < 20; ++round) {
    CostSpec spec = random_spec(random, MechanismKind::flash);
    ScoresLoop loop{[](std::size_t, std::size_t) { return true; }};
    Tallies forward, backward;
    for (std::size_t head = 0; head < spec.heads; ++head) {
      const Mixing x = random_head(random, spec);
      loop.forward(x, forward);
      loop.backward(x, random_rows(random, spec.n, spec.head_width()), true, backward);
    }
    check_stages(spec, forward);
    spec.backward = true;
    check_stages(spec, backward);
  }
}

TEST_CASE("linear attention takes as many operations as loops over its state") {
  Random random(13);
  for (int round = 0; round < 40; ++round) {
    CostSpec spec = random_spec(random, MechanismKind::linear);
    LinearLoop loop;
    Tallies forward, backward;
    for (std::size_t head = 0; head < spec.heads; ++head) {
      const Mixing x = random_head(random, spec);
      loop.forward(x, forward);
      loop.backward(x, random_rows(random, spec.n, spec.head_width()), backward);
    }
    check_stages(spec, forward);
    spec.backward = true;
    check_stages(spec, backward);
  }
}

TEST_CASE("a recurrent layer takes as many operations as loops over its steps") {
  Random random(14);
  for (int round = 0; round < 40; ++round) {
    CostSpec spec = random_spec(random, MechanismKind::recurrent);
    RecurrentLoop loop{random_rows(random, spec.d, spec.d)};
    Tallies forward, backward;
    Rows d_matrix;
    loop.forward(random_rows(random, spec.n, spec.d), forward);
    loop.backward(random_rows(random, spec.n, spec.d), d_matrix, backward);
    check_stages(spec, forward);
    spec.backward = true;
    check_stages(spec, backward);
  }
}

TEST_CASE("the loops whose operations are counted compute the gradients") {
  Random random(15);
  Mixing x{random_rows(random, 3, 2), random_rows(random, 4, 2), random_rows(random, 4, 2)};
  const Rows g = random_rows(random, 3, 2);
  Tallies tallies;
  for (const bool again : {false, true}) {
    ScoresLoop loop{[](std::size_t i, std::size_t j) { return j <= i; }};
    loop.forward(x, tallies);
    const Mixing d = loop.backward(x, g, again, tallies);
    const auto loss_of = [&] { return loop.forward(x, tallies), loss(loop.output, g); };
    check_gradient(x.q, d.q, loss_of);
    check_gradient(x.k, d.k, loss_of);
    check_gradient(x.v, d.v, loss_of);
  }
  LinearLoop linear;
  linear.forward(x, tallies);
  const Mixing d = linear.backward(x, g, tallies);
  const auto loss_of = [&] { return linear.forward(x, tallies), loss(linear.output, g); };
  check_gradient(x.q, d.q, loss_of);
  check_gradient(x.k, d.k, loss_of);
  check_gradient(x.v, d.v, loss_of);
  RecurrentLoop recurrent{random_rows(random, 2, 2)};
  Rows projected = random_rows(random, 3, 2), d_matrix;
  recurrent.forward(projected, tallies);
  const Rows d_projected = recurrent.backward(g, d_matrix, tallies);
  const auto loss_of_steps = [&] { return recurrent.forward(projected, tallies), loss(recurrent.states, g); };
  check_gradient(projected, d_projected, loss_of_steps);
  check_gradient(recurrent.matrix, d_matrix, loss_of_steps);
}

TEST_CASE("the keys that are read are those that some query reaches") {
  Random random(16);
  for (const MechanismKind kind : {MechanismKind::full, MechanismKind::window, MechanismKind::strided})
    for (int round = 0; round < 200; ++round) {
      CostSpec spec = random_spec(random, kind);
      spec.past = pick(random, 0, 30);
      std::size_t keys = 0;
      Count pairs = 0;
      for (std::size_t j = 0; j < spec.keys(); ++j) {
        std::size_t queries = 0;
        for (std::size_t i = spec.past; i < spec.keys(); ++i) queries += reached(spec, i, j);
        keys += queries > 0, pairs += queries;
      }
      CAPTURE(word_of(spec.mechanism));
      CAPTURE(spec.n);
      CAPTURE(spec.past);
      CHECK(reached_keys(spec) == keys);
      CHECK(digits(attended_pairs(spec)) == digits(pairs));
    }
}
