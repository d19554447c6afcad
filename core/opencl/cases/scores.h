// Inputs of scores that are no products, and of what flows back through them.
#pragma once

#include "core/opencl/cases/families.h"

namespace attn::opencl {

inline constexpr std::size_t kScoreWidth = 5;  // of queries and keys

// Of queries and keys whose pairs make the shape; the keys serve two heads each where these are even.
inline std::size_t heads_of_keys(Shape pairs) {
  return pairs.stack % 2 == 0 ? pairs.stack / 2 : pairs.stack;
}
inline Tensor queries_for(Shape pairs, Kind kind, std::uint64_t seed) {
  return numbers({pairs.stack, pairs.rows, kScoreWidth}, kind, seed);
}
inline Tensor keys_for(Shape pairs, Kind kind, std::uint64_t seed) {
  return numbers({heads_of_keys(pairs), pairs.columns, kScoreWidth}, kind, seed + 1000);
}
inline Tensor vector_for(Kind kind, std::uint64_t seed) {
  return numbers({1, 1, kScoreWidth}, kind, seed + 2000);
}

// What flows into scores: 0 in a third of them, and in a whole row of some.
inline Tensor flows_for(Shape pairs, Kind kind, std::uint64_t seed) {
  const Tensor flows = numbers(pairs, kind, seed + 3000), hidden = zeros_and_ones(pairs, seed, seed % 2 == 0);
  std::vector<float> values(flows.values().begin(), flows.values().end());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (hidden.values()[i] != 0) values[i] = 0;
  return {pairs, std::move(values)};
}

// Cases of an operation with parameters of the shape: make(shape, kind, seed) gives operation and inputs.
struct PairCase {
  Operation operation;
  std::vector<Tensor> inputs;
};
template <class Make>
std::vector<Case> over_pairs(Scope scope, std::uint64_t seed, Make make) {
  std::vector<Case> cases;
  for (const Shape& shape : shapes(scope))
    for (const Kind kind : kinds(scope, shape)) {
      PairCase made = make(shape, kind, ++seed);
      cases.push_back({to_string(shape) + " " + name(kind), std::move(made.operation), std::move(made.inputs),
                       kind == Kind::subnormal});
    }
  return cases;
}
inline Shape rows_of_pairs(Shape pairs) {
  return {pairs.stack, pairs.rows * pairs.columns, kScoreWidth};
}

}  // namespace attn::opencl
