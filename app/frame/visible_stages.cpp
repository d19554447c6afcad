// What hides a stage, and which arrangement a canvas has.
#include "app/frame/visible_stages.h"

#include <algorithm>

namespace attn {

bool on_screen(const Stage& stage, const View& view) {
  switch (stage.drawn) {
    case Drawn::always:
      return true;
    case Drawn::inside:
      return view.layer.open_softmax;
    case Drawn::parameters:
      return view.layer.show_parameters;
    case Drawn::never:
      return false;
  }
  return false;
}

void show_stage(View& view, const Graph& graph, const std::string& id) {
  view.canvas().reveal = id;
  const auto stage = graph.find(id);
  if (!stage) return;
  view.layer.open_softmax |= graph.stages[*stage].drawn == Drawn::inside;
  view.layer.show_parameters |= graph.stages[*stage].drawn == Drawn::parameters;
}

void pin_number(View& view, const Graph& graph, const Spot& spot) {
  view.pinned = spot;
  show_stage(view, graph, spot.stage);
  const auto stage = graph.find(spot.stage);
  const std::size_t stack = stage ? graph.stages[*stage].shape.stack : 1;
  if (stack <= 1) return;
  const std::size_t shared = std::max<std::size_t>(1, heads_of(graph, graph.stages[*stage].part) / stack);
  std::size_t& head = view.layer.head;
  if (head / shared != spot.cell.head) head = spot.cell.head * shared;  // of those that read it
}

void arrange_all(CanvasView& view, bool all) {
  view.fit();
  view.all = all;
}

void toggle_filled(CanvasView& view, const std::string& stage) {
  Viewport& sight = view;
  if (view.filled == stage) {
    sight = view.unfilled;
    return;
  }
  if (view.filled.empty()) view.unfilled = sight;
  view.fit();
  view.filled = stage;
}

}  // namespace attn
