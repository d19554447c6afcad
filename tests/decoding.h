// A graph that decodes: each run puts the new key and value into their caches and lets the new query attend.
#pragma once

#include <doctest/doctest.h>

#include <cmath>

#include "core/backend/backend.h"
#include "core/graph/graph.h"
#include "core/operations/decode.h"
#include "core/tensor/random.h"
#include "tests/program_checks.h"

namespace attn::tests {

inline Tensor random_rows(Shape shape, std::uint64_t seed) {
  std::vector<float> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_normal(seed, i);
  return {shape, std::move(values)};
}

// One row of each matrix.
inline Tensor row_of(const Tensor& x, std::size_t row) {
  std::vector<float> values;
  for (std::size_t head = 0; head < x.stack(); ++head) {
    const auto cells = x.values().subspan(x.index({head, row, 0}), x.columns());
    values.insert(values.end(), cells.begin(), cells.end());
  }
  return {{x.stack(), 1, x.columns()}, std::move(values)};
}

struct Decoding {
  Graph graph;
  StageIndex q, key, value, place, keys, values, attend;
  Tensor all_q, all_k, all_v;

  // Of so many tokens, in caches with room for `more`, whose numbers are none.
  Decoding(const CachedAttention& op, std::size_t heads, std::size_t shared, std::size_t tokens,
           std::size_t more, std::size_t d, std::size_t c) {
    all_q = random_rows({heads, tokens, d}, 1), all_k = random_rows({shared, tokens, d}, 2),
    all_v = random_rows({shared, tokens, c}, 3);
    graph.begin_part({});
    const auto add = [&](const char* id, Operation operation, std::vector<StageIndex> inputs = {}) {
      return graph.add({.id = id,
                        .title = id,
                        .formula = {},
                        .operation = std::move(operation),
                        .inputs = std::move(inputs)});
    };
    const auto room = [&](std::size_t columns) {
      const Shape shape{shared, tokens + more, columns};
      return Source{Tensor(shape, std::vector<float>(shape.size(), std::nanf("")))};
    };
    q = add("q", Source{row_of(all_q, 0)}), key = add("k", Source{row_of(all_k, 0)});
    value = add("v", Source{row_of(all_v, 0)}), place = add("place", at(0));
    keys = add("keys", room(d)), values = add("values", room(c));
    const StageIndex k = add("k_put", PutRows{}, {keys, key, place});
    attend = add("attend", op, {q, k, add("v_put", PutRows{}, {values, value, place}), place});
  }

  static Operation at(std::size_t place) { return Source{Tensor({1, 1, 1}, {static_cast<float>(place)})}; }
  void step(Program& program, std::size_t token) const {
    program.set(q, Source{row_of(all_q, token)});
    program.set(key, Source{row_of(all_k, token)}), program.set(value, Source{row_of(all_v, token)});
    program.set(place, at(token));
    program.run_all();
  }
  // The rows of attention that sees no later key: what the steps have to leave.
  Tensor at_once(const CachedAttention& op, Backend& reference) const {
    FlashAttention flash{.scale = op.scale,
                         .cap = op.cap,
                         .with_one = op.with_one,
                         .masks = {{CausalRule{}}},
                         .alibi = op.alibi};
    if (op.window) flash.masks.push_back({WindowRule{*op.window}});
    return reference.run(flash, std::vector{all_q, all_k, all_v});
  }
};

// A cache that something else reads stays as it was given; one that nothing else reads holds what was put.
inline void check_caches(Backend& backend) {
  const Tensor cache({1, 2, 2}, {1, 2, 3, 4}), row({1, 1, 2}, {5, 6}), place({1, 1, 1}, {1});
  for (const bool shared : {false, true}) {
    CAPTURE(shared);
    Graph graph = graph_of(PutRows{}, std::vector{cache, row, place});
    const StageIndex put = graph.stages.size() - 1;
    if (shared)
      graph.add({.id = "z", .title = "z", .formula = {}, .operation = Doubled::by(2), .inputs = {0}});
    const auto program = backend.compile(graph, std::vector{put});
    for (int run = 0; run < 2; ++run) program->run_all();
    CHECK(program->read(put) == Tensor({1, 2, 2}, {1, 2, 5, 6}));
    CHECK(program->read(0) == (shared ? cache : program->read(put)));
    program->set(put, PutRows{});
    program->set(2, Source{Tensor({1, 1, 1}, {0})});
    program->run_all();
    CHECK(program->read(put) == Tensor({1, 2, 2}, {5, 6, shared ? 3.0f : 5.0f, shared ? 4.0f : 6.0f}));
  }
}

// `accepted`: of the largest number.
inline void check_decoding(Backend& backend, Backend& reference, const CachedAttention& op,
                           std::size_t tokens, double accepted) {
  const Decoding decoding(op, 6, 2, tokens, 3, 9, 5);
  const Tensor all = decoding.at_once(op, reference);
  const auto program = backend.compile(decoding.graph, std::vector{decoding.attend});
  double apart = 0, largest = 0;
  for (std::size_t token = 0; token < tokens; ++token) {
    decoding.step(*program, token);
    const Tensor row = program->read(decoding.attend), right = row_of(all, token);
    REQUIRE(row.shape() == right.shape());
    for (std::size_t i = 0; i < row.values().size(); ++i) {
      const double expected = right.values()[i], found = row.values()[i];
      largest = std::max(largest, std::abs(expected));
      apart = std::isfinite(found) ? std::max(apart, std::abs(found - expected)) : HUGE_VAL;
    }
  }
  CHECK(apart <= accepted * largest);
}

}  // namespace attn::tests
