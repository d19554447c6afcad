// The workspace of positions by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include "app/canvas/edits.h"
#include "app/frame/desk.h"
#include "app/frame/workspace.h"
#include "app/workspaces/positions/row.h"
#include "app/workspaces/positions/view.h"
#include "core/attention/position_fields.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;

void add_edit(Commands& table, std::string name, std::string title, const char* menu, bool checked,
              std::function<void(PositionsSpec&)> edit) {
  table.push_back(ticked("positions." + std::move(name), std::move(title), menu, checked,
                         [edit = std::move(edit)](Desk& desk) { edit(desk.draft.positions); }));
}

// Weights, scores, what the encoding adds, by distance, and again.
void compare(Desk& desk) {
  PositionsView& view = desk.view.of<PositionsView>();
  view.shown = view.shown == PositionsView::distance ? PositionsView::weights
                                                     : static_cast<PositionsView::ScoreView>(view.shown + 1);
}

}  // namespace

void position_commands(Commands& table, const Desk& now) {
  const PositionsSpec& spec = now.draft.positions;
  for (std::size_t kind = 0; kind < kPositions.size(); ++kind) {
    const std::string word(kPositions[kind].word), title(kPositions[kind].title);
    const bool shown = !spec.encodings.empty() && spec.encodings[0].index() == kind;
    add_edit(table, "show." + word, title, "Edit/Positions/Show", shown,
             [kind](PositionsSpec& s) { show_encoding(s, kind); });
    if (!shown)
      add_edit(table, "compare." + word, title, "Edit/Positions/Compare with", has_encoding(spec, kind),
               [kind](PositionsSpec& s) { toggle_encoding(s, kind); });
  }
  add_edit(table, "no_dimensions", "Draw no dimension", "Edit/Positions", false,
           [](PositionsSpec& s) { s.dimensions.clear(); });
  table.push_back({.name = "positions.compare",
                   .title = "Compare weights, scores, difference, by distance",
                   .menu = "Edit/Positions",
                   .shortcut = {.key = GLFW_KEY_C},
                   .run = compare});
}

}  // namespace attn
