// What every program promises, whatever its backend.
#pragma once

#include <doctest/doctest.h>

#include "core/backend/backend.h"
#include "core/graph/graph.h"

namespace attn::tests {

// The operation over its inputs, which are given: the last stage.
inline Graph graph_of(const Operation& operation, Inputs inputs) {
  Graph graph;
  graph.begin_part({});
  std::vector<StageIndex> given;
  for (const Tensor& input : inputs)
    given.push_back(graph.add(
        {.id = "x" + std::to_string(given.size()), .title = "x", .formula = "", .operation = Source{input}}));
  graph.add({.id = "y", .title = "y", .formula = "", .operation = operation, .inputs = given});
  return graph;
}

// y = 2·(2·x), and 3·y: the first product is let go.
struct Doubled {
  StageIndex x, twice, y, z;
  Graph graph;

  explicit Doubled(const Tensor& numbers) {
    graph.begin_part({});
    const auto scaled = [&](const char* id, double factor, StageIndex of) {
      return graph.add({.id = id, .title = id, .formula = "", .operation = by(factor), .inputs = {of}});
    };
    x = graph.add({.id = "x", .title = "x", .formula = "", .operation = Source{numbers}});
    twice = scaled("twice", 2, x), y = scaled("y", 2, twice), z = scaled("z", 3, y);
  }
  static Operation by(double factor) { return Scale{.factor = factor, .text = {}}; }
};

inline void check_what_is_set(Backend& backend) {
  const Tensor first({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const Tensor other({2, 2, 3}, {0, -1, 0, -2, 0, -3, 0, -4, 0, -5, 0, -6});
  const Doubled doubled(first);
  const auto program = backend.compile(doubled.graph, std::vector{doubled.y, doubled.z});
  const auto check = [&](const Tensor& x, float y, float z) {
    CHECK(program->read(doubled.x) == x);
    for (std::size_t i = 0; i < x.values().size(); ++i) {
      CHECK(program->read(doubled.y).values()[i] == y * x.values()[i]);
      CHECK(program->read(doubled.z).values()[i] == z * x.values()[i]);
    }
  };
  program->run_all();
  check(first, 4, 12);
  program->run_all(3);  // each from the beginning
  check(first, 4, 12);
  program->set(doubled.x, Source{other});
  program->run_all();
  check(other, 4, 12);
  program->set(doubled.y, Doubled::by(5));
  program->set(doubled.twice, Doubled::by(3));
  program->run_all();
  check(other, 15, 45);
  program->set(doubled.z, Doubled::by(-1));
  program->run(doubled.z);  // from what y holds
  check(other, 15, -15);
  program->set(doubled.x, Source{first});
  program->run_all(2);
  check(first, 15, -15);
  CHECK(program->read(doubled.y, {{1, 0, 1}, {2, 2, 3}}) == Tensor({1, 2, 2}, {120, 135, 165, 180}));
  CHECK(program->read(doubled.x, {{0, 1, 0}, {2, 2, 1}}) == Tensor({2, 1, 1}, {4, 10}));
  CHECK(program->read(doubled.x, {{0, 1, 1}, {1, 1, 2}}).values().empty());
}

}  // namespace attn::tests
