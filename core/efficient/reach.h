// Reach: how many layers a pattern of attention needs until every token can have met every other.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace attn {

// A number for each query and key, row after row.
struct PairSet {
  std::size_t queries = 0, keys = 0;
  std::vector<char> has = {};

  PairSet() = default;
  PairSet(std::size_t n, std::size_t m, bool all = false) : queries(n), keys(m), has(n * m, all) {}
  char& at(std::size_t query, std::size_t key) { return has[query * keys + key]; }
  bool at(std::size_t query, std::size_t key) const { return has[query * keys + key] != 0; }
  std::size_t count() const;
};

// The least number of layers after which each wanted pair is joined by a path of kept ones, a layer a step; a
// token keeps what it has. None: it never is. Keys that are not the queries' own tokens are the same in every
// layer: what the first does not join is never joined. By powers of the pattern, as rows of bits.
std::optional<std::size_t> reach_of(const PairSet& kept, const PairSet& wanted, bool own_tokens);

}  // namespace attn
