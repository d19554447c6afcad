// The descent by name.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/cells/cell_marks.h"
#include "app/frame/desk.h"
#include "app/frame/workspace.h"
#include "app/workspaces/gradients/descend.h"
#include "core/system/error.h"

namespace attn {
namespace {

std::size_t looked_at_head(const Desk& desk, const Results& results) {
  const GradientsPlaces& places = *results.places.as<GradientsPlaces>();
  return std::min(desk.view.layer.head, heads_of(results.graph, places.part) - 1);
}

// Scrolls to it; where nothing is painted yet, with a pattern to begin with.
void begin_descent(Desk& desk) {
  const auto& results = desk.engine.results;
  if (!has_numbers(results)) return;
  const GradientsPlaces& places = *results->places.as<GradientsPlaces>();
  desk.view.canvas().reveal = results->graph.stages[places.wanted].id;
  const PaintedHead head = painted_head(*results, looked_at_head(desk, *results));
  if (rows_asked(wanted_of(desk.draft.gradients, head)) == 0)
    paint_pattern(desk.draft.gradients, head, WantedPattern::previous);
}

// Of the map that is painted, where some of it is selected.
void want_selected(Desk& desk) {
  const auto& results = desk.engine.results;
  const auto& selection = desk.view.grid.selection;
  if (!has_numbers(results)) return;
  const GradientsPlaces& places = *results->places.as<GradientsPlaces>();
  if (!selection || selection->anchor.stage != results->graph.stages[places.wanted].id)
    throw Error("nothing is painted: select cells of the wanted weights first, by Tab and the arrows");
  const PaintedHead head = painted_head(*results, looked_at_head(desk, *results));
  const Tensor wanted = wanted_of(desk.draft.gradients, head);
  const Region block = block_of(*selection);
  std::vector<Cell> cells;
  for (std::size_t row = block.begin.row; row < block.end.row; ++row)
    for (std::size_t column = block.begin.column; column < block.end.column; ++column)
      cells.push_back({0, row, column});
  const bool all = std::ranges::all_of(
      cells, [&](Cell cell) { return wanted[cell] != 0 || head.masked(cell.row, cell.column); });
  paint_wanted(desk.draft.gradients, head, cells, !all);
}

void take_learnt(Desk& desk) {
  const auto& results = desk.engine.results;
  const DescendMemo& memo = desk.memos.of<DescendMemo>();
  if (!has_numbers(results) || !memo.task || !memo.found || memo.found->losses.empty())
    throw Error("nothing was learnt yet: press D, and paint the weights that you want");
  if (!(*memo.task == descent_task(desk.draft, looked_at_head(desk, *results))))
    throw Error("the layer is another since: wait until it has learnt");
  std::size_t& step = desk.view.of<GradientsView>().step;
  const std::size_t taken = memo.found->kept_step(std::min(step, memo.found->losses.size() - 1));
  if (taken == 0) throw Error("at step 0 nothing was learnt yet: choose a later one");
  desk.draft.layer() = with_learnt(desk.draft.layer(), *memo.task, memo.found->at(taken));
  desk.view.say(learner_words(*memo.task) + " of step " + std::to_string(taken) + " taken into the layer");
  step = 0;  // the same weights, from which it goes on
}

}  // namespace

void descent_commands(std::vector<Command>& table, const Desk&) {
  table.push_back({.name = "gradients.descend",
                   .title = "Paint the weights that you want",
                   .menu = kGradientsMenu,
                   .shortcut = plain(GLFW_KEY_D),
                   .run = begin_descent});
  table.push_back({.name = "gradients.want_selected",
                   .title = "Want the selected weights, or none of them",
                   .menu = kGradientsMenu,
                   .shortcut = plain(GLFW_KEY_G),
                   .run = want_selected});
  table.push_back({.name = "gradients.take_learnt",
                   .title = "Take what was learnt into the layer",
                   .menu = kGradientsMenu,
                   .run = take_learnt});
}

}  // namespace attn
