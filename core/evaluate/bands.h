// Large layers: what has a number for each query and key, and would take more memory than it is worth, is
// made some rows at a time, looked at, and let go.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/evaluate/results.h"

namespace attn {

// Of the needed stages, whose results would take more than `most_kept` bytes; null where none of them is
// large, or what comes of one cannot be made by rows.
std::shared_ptr<const Bands> bands_of(const Graph& graph, const std::vector<bool>& needed,
                                      std::size_t most_kept);

// `bands` of the graph whose weights, and what comes of them, `fused` makes; null where it does not make all
// of that, not by rows, or more than 256 MiB at once.
std::shared_ptr<const Bands> with_fused(const Bands& bands, const Graph& graph, Graph fused);

// Bytes of a stage that is not kept: a band of it, and the picture.
std::uint64_t band_bytes(const Stage& stage, const Bands& bands);
// Rows that the fused graph makes at once, and bytes of what it makes of them; what only takes columns, and
// nothing comes of, is not made.
std::size_t fused_rows(const Bands& bands);
std::uint64_t fused_bytes(const Bands& bands);

// `made` with what is known of the stages of `graph`, by `outputs`, given under the same ids: all but what is
// made by bands.
Graph with_known(Graph made, const Graph& graph, const Bands& bands, std::span<const StageResult> outputs);
// These rows of what is made by bands (cut_rows), with all that is known.
Graph graph_of_rows(const Graph& graph, const Bands& bands, std::span<const StageResult> outputs,
                    const RowRange& rows);
// A band in its place among the numbers of a whole of this shape.
void put_rows(std::span<float> values, const Shape& shape, std::size_t first, const Tensor& band);

}  // namespace attn
