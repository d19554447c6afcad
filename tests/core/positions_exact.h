// The workspace of positions computed in double, for its tests.
#pragma once

#include <doctest/doctest.h>

#include <cmath>

#include "core/attention/layer_positions.h"
#include "core/attention/position_fields.h"
#include "core/positions/graph.h"
#include "core/positions/numbers.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/layers.h"

namespace attn::tests {

// Every kind once, as far as a test does not say otherwise.
inline PositionsSpec every_kind() {
  PositionsSpec spec;
  spec.encodings.clear();
  for (std::size_t kind = 0; kind < std::variant_size_v<Position>; ++kind)
    spec.encodings.push_back(position_at(kind));
  spec.trained = 4000;
  return spec;
}

inline Document of_spec(const PositionsSpec& spec) {
  Document document;
  document.positions = spec;
  return document;
}

// Every stage in double, nothing rounded.
struct Exact {
  explicit Exact(const PositionsSpec& spec)
      : places(places_of(spec)),
        graph(build_positions(of_spec(spec)).graph),
        outputs(evaluate_in_double(graph)) {}

  const Tensor64& at(StageIndex stage) const { return outputs[stage]; }
  // What the softmax of a part reads.
  const Tensor64& scores(const PositionsPart& part) const {
    const auto weights = graph.find(Role::weights, part.part);
    REQUIRE(weights);
    return at(*graph.stages[*weights].scores);
  }
  // The n-th stage of a part that is drawn.
  const Tensor64& drawn(std::size_t part, std::size_t n = 0) const {
    for (StageIndex i = 0; i < graph.stages.size(); ++i)
      if (graph.stages[i].part == part && graph.stages[i].drawn == Drawn::always && n-- == 0) return at(i);
    FAIL("no such stage");
    return outputs[0];
  }
  PositionsPlaces places;
  Graph graph;
  std::vector<Tensor64> outputs;
};

inline double largest_difference(const Tensor64& a, const Tensor64& b) {
  REQUIRE(a.shape() == b.shape());
  double most = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i)
    most = std::max(most, std::abs(a.values()[i] - b.values()[i]));
  return most;
}

inline double largest(const Tensor64& a) {
  double most = 0;
  for (const double value : a.values()) most = std::max(most, std::abs(value));
  return most;
}

inline std::size_t kind_of(const Position& position) {
  return position.index();
}
inline const std::size_t kNone = kind_of(NoPosition()), kSinusoidal = kind_of(Sinusoidal()),
                         kLearned = kind_of(Learned()), kRope = kind_of(Rotary()), kAlibi = kind_of(Alibi()),
                         kRelative = kind_of(Relative()), kT5 = kind_of(T5Bias());

inline std::string title_of(std::size_t kind) {
  return std::string(position_text(position_at(kind)).title);
}

}  // namespace attn::tests
