// What the workspace of kernels computes behind its results of many points: the estimates between the queries
// that were read at once, and the leave-one-out errors.
#pragma once

#include <optional>
#include <vector>

#include "core/document/plan.h"
#include "core/kernels/part.h"

namespace attn {

// Pairs of a query and a point that are read with the results, of all estimates together: a few frames on two
// slow cores. Of more the first curves are of fewer queries.
inline constexpr std::size_t kMostAtOnce = std::size_t{1} << 25;
// Points up to which errors are computed at all: one width of one kernel takes about as long. The command
// line waits for more.
inline constexpr std::size_t kMostCompared = 5'000;

// 1: all queries are read with the results.
std::size_t queries_apart(const KernelsSpec& spec, std::size_t points);
// Each so-manieth, and the last.
Tensor every_query(const Tensor& queries, std::size_t apart);

// One piece, as deferred_kernels has them in order: queries of an estimate, or the error of a candidate.
struct KernelsPiece {
  std::size_t curve = 0;
  std::optional<std::size_t> candidate = {};
  std::size_t first = 0, count = 0;  // queries
};
std::vector<KernelsPiece> kernels_pieces(const KernelsSpec& spec, std::size_t points, std::size_t candidates);

// `places`: KernelsPlaces.
std::vector<DeferredGraph> deferred_kernels(const Document& document, const Places& places);

}  // namespace attn
