// What of a graph is made by bands, in bands of how many rows, and what a band takes.
#include "core/evaluate/bands.h"

#include <algorithm>
#include <utility>

#include "core/evaluate/summary.h"
#include "core/graph/cut_rows.h"

namespace attn {
namespace {

// Of the most that is kept: what has no more is not large; of one stage, what a band of it may have.
constexpr std::size_t kOfLarge = 64, kOfBand = 64;
// Bands that are fused at once: each lays all keys and values out anew.
constexpr std::size_t kFusedBands = 4;
constexpr std::uint64_t kMostFused = std::uint64_t{256} << 20;  // bytes

bool is_large(const Stage& stage, std::size_t most_kept) {
  return !stage.given() && has_query_rows(stage) && stage.columns.along == Axis::keys &&
         stage.shape.size() > most_kept / kOfLarge / sizeof(float);
}

// Whole blocks of the picture, so that bands do not share one.
std::size_t rows_of_band(const Shape& shape, std::size_t most_kept) {
  const std::size_t rows = most_kept / kOfBand / sizeof(float) / (shape.stack * shape.columns);
  return std::max<std::size_t>(1, rows / kCoarseBlock) * kCoarseBlock;
}

}  // namespace

std::shared_ptr<const Bands> bands_of(const Graph& graph, const std::vector<bool>& needed,
                                      std::size_t most_kept) {
  const std::size_t count = graph.stages.size(), rows = query_rows(graph);
  Bands bands{std::vector<bool>(count), std::vector<bool>(count), std::vector<bool>(count), rows};
  bool any = false;
  for (StageIndex i = 0; i < count; ++i) {
    const Stage& stage = graph.stages[i];
    if (!needed[i] || stage.given()) continue;
    const auto comes_of = [&](const auto& some) {
      return std::ranges::any_of(stage.inputs, [&](StageIndex input) { return some(input); });
    };
    if (is_large(stage, most_kept)) {
      bands.passing[i] = any = true;
      bands.rows = std::min(bands.rows, rows_of_band(stage.shape, most_kept));
    } else if (comes_of([&](StageIndex of) { return bands.has(of); })) {
      bands.kept[i] = true;
    } else {
      continue;
    }
    bands.first[i] = stage.role == Role::weights || comes_of([&](StageIndex of) { return bands.first[of]; });
    const auto made = cut(stage.operation, graph.input_shapes(stage), {0, 1});
    if (!made || stage.shape.rows != rows) return nullptr;
    for (std::size_t input = 0; input < stage.inputs.size(); ++input)
      if (made->reads[input] == RowsRead::all && bands.has(stage.inputs[input])) return nullptr;
  }
  return any ? std::make_shared<const Bands>(std::move(bands)) : nullptr;
}

std::uint64_t band_bytes(const Stage& stage, const Bands& bands) {
  const Shape& shape = stage.shape;
  const std::size_t band = shape.stack * std::min(bands.rows, shape.rows) * shape.columns;
  return sizeof(float) * (band + shape.size() / (kCoarseBlock * kCoarseBlock) * 2);
}

std::shared_ptr<const Bands> with_fused(const Bands& bands, const Graph& graph, Graph fused) {
  const auto is_made = [&](const Stage& stage) {
    const auto known = graph.find(stage.id);
    return !stage.given() && has_query_rows(stage) && (!known || bands.has(*known));
  };
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (bands.first[i])
      if (const auto made = fused.find(graph.stages[i].id);
          !made || fused.stages[*made].shape != graph.stages[i].shape)
        return nullptr;
  for (const Stage& stage : fused.stages) {
    if (!is_made(stage)) continue;
    const auto made = cut(stage.operation, fused.input_shapes(stage), {0, 1});
    if (!made) return nullptr;
    for (std::size_t input = 0; input < stage.inputs.size(); ++input)
      if (made->reads[input] == RowsRead::all && is_made(fused.stages[stage.inputs[input]])) return nullptr;
  }
  Bands both = bands;
  both.fused = std::make_shared<const Graph>(std::move(fused));
  return fused_bytes(both) <= kMostFused ? std::make_shared<const Bands>(std::move(both)) : nullptr;
}

std::size_t fused_rows(const Bands& bands) {
  return kFusedBands * bands.rows;
}

std::uint64_t fused_bytes(const Bands& bands) {
  const Graph& graph = *bands.fused;
  std::vector<bool> read(graph.stages.size());
  for (const Stage& stage : graph.stages)
    for (const StageIndex input : stage.inputs) read[input] = true;
  std::uint64_t bytes = 0;
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (const Stage& stage = graph.stages[i];
        has_query_rows(stage) && !stage.given() && (read[i] || !stage.traits.takes_from))
      bytes += sizeof(float) * stage.shape.stack * std::min(fused_rows(bands), stage.shape.rows) *
               stage.shape.columns;
  return bytes;
}

Graph with_known(Graph made, const Graph& graph, const Bands& bands, std::span<const StageResult> outputs) {
  for (Stage& stage : made.stages) {
    const auto known = graph.find(stage.id);
    if (!known || !outputs[*known].here() || bands.has(*known)) continue;
    stage.operation = Source{outputs[*known].whole()};
    stage.inputs.clear();
  }
  return made;
}

Graph graph_of_rows(const Graph& graph, const Bands& bands, std::span<const StageResult> outputs,
                    const RowRange& rows) {
  return cut_rows(with_known(graph, graph, bands, outputs), rows);
}

void put_rows(std::span<float> values, const Shape& shape, std::size_t first, const Tensor& band) {
  const std::size_t size = band.rows() * shape.columns;
  for (std::size_t s = 0; s < shape.stack; ++s)
    std::ranges::copy(band.values().subspan(s * size, size),
                      values.subspan((s * shape.rows + first) * shape.columns, size).begin());
}

}  // namespace attn
