// A large layer and the reference: rows that are spread over it, each compared as results of its own.
#include <algorithm>

#include "core/checks/comparison.h"
#include "core/evaluate/band_run.h"
#include "core/graph/cut_rows.h"

namespace attn {
namespace {

constexpr std::size_t kMostRows = 16;

// Takes in what was found of a row of its own graph.
void include(Comparison& all, const Results& large, const Comparison& one, const Results& band,
             std::size_t row) {
  const auto stage_of = [&](StageIndex of) { return large.graph.find(band.graph.stages[of].id); };
  const auto cell_of_layer = [&](StageIndex of, Cell cell) {
    if (has_query_rows(band.graph.stages[of])) cell.row += row;
    return cell;
  };
  for (StageIndex i = 0; i < one.stages.size(); ++i)
    if (const auto stage = stage_of(i)) all.stages[*stage] = std::max(all.stages[*stage], one.stages[i]);
  if (const auto stage = stage_of(one.largest_stage); stage && one.largest > all.largest) {
    all.largest = one.largest, all.largest_stage = *stage;
    all.largest_cell = cell_of_layer(one.largest_stage, one.largest_cell);
  }
  if (const auto stage = stage_of(one.excess_stage); stage && one.excess > all.excess) {
    all.excess = one.excess, all.excess_stage = *stage;
    all.excess_cell = cell_of_layer(one.excess_stage, one.excess_cell);
  }
}

// What is shown of the row may have been made otherwise (Bands::fused): it is what is compared.
void take_shown(Results& band, const Results& large, std::size_t row) {
  for (StageIndex i = 0; i < band.outputs.size(); ++i) {
    const auto shown = large.graph.find(band.graph.stages[i].id);
    if (shown && large.bands->kept[*shown] && large.outputs[*shown].here())
      band.outputs[i] = take_rows(large.outputs[*shown].whole(), {row, 1});
  }
}

}  // namespace

std::optional<Comparison> compare_rows_with_reference(Backend& backend, const Results& large,
                                                      const std::function<bool()>& give_up) {
  Comparison all;
  all.stages.resize(large.outputs.size());
  all.rows = query_rows(large.graph);
  std::size_t rows = 1;
  for (std::size_t i = 0; i < rows; ++i) {
    if (give_up && give_up()) return std::nullopt;
    const std::size_t row = i == 0 ? 0 : i * (all.rows - 1) / (rows - 1);
    Results band = rows_of(backend, large, {row, 1});
    take_shown(band, large, row);
    const auto one = compare_with_reference(band, give_up);
    if (!one || !one->reason.empty()) return one;
    if (i == 0) {
      const double affordable = kMostComparedOperations / operation_count(band);
      rows = std::min({static_cast<std::size_t>(affordable), kMostRows, all.rows});
    }
    include(all, large, *one, band, row);
    all.rows_compared = i + 1;
  }
  return all;
}

}  // namespace attn
