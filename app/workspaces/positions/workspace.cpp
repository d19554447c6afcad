// The row of the table: encodings of positions.
#include "app/workspaces/positions/row.h"

#include <algorithm>

#include "app/canvas/steps.h"
#include "app/workspaces/positions/view.h"
#include "core/positions/graph.h"

namespace attn {
namespace {

constexpr std::size_t kTimedLength = 512, kTimedWidth = 128;
constexpr int kTimedWidths = 56;

// The base, the width and two positions changed, in a window so tall that every part is in sight.
std::vector<TimedEdit> timed_positions() {
  Document document;
  document.positions.length = kTimedLength, document.positions.width = kTimedWidth;
  document.positions.trained = kTimedLength * 3 / 4;
  const auto of = [&](std::string_view what, void (*edit)(Document&, View&, int)) {
    return TimedEdit{.what = what, .target = 33, .document = document, .edit = edit, .window = {1600, 2000}};
  };
  std::vector<TimedEdit> rows{of("positions 512×128, base",
                                 [](Document& d, View&, int i) {
                                   std::get<Sinusoidal>(d.positions.encodings[0]).base = 10000 + 10 * i;
                                 }),
                              of("positions 512×128, width d",
                                 [](Document& d, View&, int i) {
                                   d.positions.width = kTimedWidth - 2 * (1 + static_cast<std::size_t>(i));
                                 }),
                              of("positions 512×128, p",
                                 [](Document&, View& v, int i) {
                                   v.of<PositionsView>().p = static_cast<std::size_t>(i) % kTimedLength;
                                 }),
                              of("positions 512×128, Δ", [](Document&, View& v, int i) {
                                v.of<PositionsView>().delta = i % 200 - 100;
                              })};
  rows[1].most_samples = kTimedWidths;
  return rows;
}

}  // namespace

Workspace positions_workspace() {
  Workspace row{kPositionsPlan};
  row.title = "Positions";
  row.steps = graph_steps;
  row.controls = draw_positions_controls;
  row.draw = draw_positions;
  row.inspect = inspect_positions;
  row.commands = position_commands;
  row.play = play_positions;
  row.plays = "turn the position";
  row.fields = {named_part<&Document::positions>(), named_view<PositionsView>()};
  row.keys = "drag the map   C compare";
  row.place = {"ROW,COLUMN, counted from 0, as in 17,6", 2, look_at_position};
  row.timed = timed_positions;
  return row;
}

}  // namespace attn
