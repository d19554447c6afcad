// What linear attention's families, there and back, share. For their own files alone.
#pragma once

#include <string>
#include <vector>

#include "core/operations/family.h"
#include "core/operations/linear_attention.h"

namespace attn {

// The first query that sees the key; `queries`: none does.
std::size_t first_query_of(const LinearAttention& op, std::size_t queries, std::size_t keys, std::size_t key);

// Sizes for counting: rows of queries and of keys that are seen in all matrices, and pairs of both.
struct LinearWork {
  LinearWork(const LinearAttention& op, Shapes inputs);
  double queries = 0, keys = 0, features = 0, values = 0, pairs = 0;
};

Explanation explained_sum(std::vector<Term> terms, const char* rule, const char* none);

// Euclidean: of a row, and of the longest.
double length_of(const Tensor& x, std::size_t matrix, std::size_t row);
double largest_row(const Tensor& x);

}  // namespace attn
