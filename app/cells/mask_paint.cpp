// Painting: which matrices take it, and what a selection becomes.
#include "app/cells/mask_paint.h"

#include <algorithm>

#include "app/cells/cell_marks.h"
#include "core/document/edit.h"
#include "core/document/stack_edit.h"
#include "core/edits/edit_masks.h"
#include "core/system/error.h"

namespace attn {

bool can_be_painted(const Stage& stage) {
  return stage.rows.along == Axis::queries && stage.columns.along == Axis::keys &&
         (stage.role == Role::score || stage.role == Role::weights);
}

void add_mask_paint(Grid& grid, const Stage& stage, const Frame& frame, Address address) {
  const LayerView::Painting painting = frame.view.layer.painting;
  const LayerSpec& layer = frame.draft.layer(address);
  if (painting == LayerView::nothing || !can_be_painted(stage)) return;
  const auto [queries, keys] = pair_counts(frame.draft, address);
  if (grid.shape != Shape{head_count(layer), queries, keys}) return;  // of older results
  const bool all = painting == LayerView::all_heads;
  grid.edits.paint = std::make_shared<CellPaint>(
      CellPaint{.is_on = [address](const Document& document,
                                   Cell cell) { return is_painted(document.layer(address), cell); },
                .set =
                    [address, all](Document& document, std::span<const Cell> cells, bool on) {
                      paint_mask({document, address}, cells, on, all);
                    }});
}

void paint_selection(Document& document, const View& view, const Graph& graph, bool all_heads) {
  const auto& selection = view.grid.selection;
  const auto stage = selection ? graph.find(selection->anchor.stage) : std::nullopt;
  if (!stage || !can_be_painted(graph.stages[*stage]))
    throw Error("nothing is masked: select cells of scores or weights first");
  const Region block = block_of(*selection);
  std::vector<Cell> cells;
  for (std::size_t row = block.begin.row; row < block.end.row; ++row)
    for (std::size_t column = block.begin.column; column < block.end.column; ++column)
      cells.push_back({block.begin.head, row, column});
  const LayerAt in{document, graph.layer_of(graph.stages[*stage])};
  if (!document.has(in.address)) begin_layer(document, in.address);
  const bool hidden = std::ranges::all_of(cells, [&](Cell cell) { return is_painted(in.layer(), cell); });
  paint_mask(in, cells, !hidden, all_heads);
}

}  // namespace attn
