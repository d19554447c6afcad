// The workspace that compares by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/canvas/edits.h"
#include "app/frame/desk.h"
#include "app/frame/visible_stages.h"
#include "app/frame/workspace.h"
#include "app/workspaces/compare/check_scene.h"
#include "app/workspaces/compare/row.h"
#include "app/workspaces/compare/scene.h"
#include "app/workspaces/compare/view.h"
#include "core/checks/stage_pairs.h"
#include "core/compare/check_edit.h"
#include "core/compare/fields.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;
constexpr const char* kCompareMenu = "Edit/Compare";

void compute_by_reference(Desk& desk) {
  Document& document = desk.draft;
  copy_a(document);
  set_by_reference(document.compare, compared_address(document), true);
}

void compare_with_float16(Desk& desk) {
  Document& document = desk.draft;
  copy_a(document);
  TypedLayer compared = typed_layer(document);
  document.layer().precision = NumberFormat::float32;
  compared.layer.precision = NumberFormat::float16;
  put_layer(document, compared, compared_address(document));
}

// Pins the largest change of the next stage on screen that differs, behind the one that is pinned.
void next_difference(Desk& desk) {
  const auto& results = desk.engine.results;
  if (!has_numbers(results)) return;
  const CompareFigures figures = compare_figures(*results);
  const auto pinned =
      desk.view.pinned ? compared_place(*results, figures, desk.view.pinned->stage) : std::nullopt;
  const std::size_t count = figures.stages.size(), from = pinned ? *pinned + 1 : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = (from + i) % count;
    const auto& difference = figures.differences[place];
    const Stage& stage = results->graph.stages[figures.stages[place].either()];
    if (!differs(difference) || !on_screen(stage, desk.view)) continue;
    desk.view.pinned = Spot{stage.id, cell_at(stage.shape, difference ? difference->at : 0)};
    return show_stage(desk.view, results->graph, stage.id);
  }
  desk.view.say("no stage differs");
}

void show_next(Desk& desk) {
  const Document& document = desk.draft;
  CompareSpec& spec = desk.draft.compare;
  CompareView& view = desk.view.of<CompareView>();
  if (view.controls_a) {
    view.controls_a = false, spec.shown = 0;
  } else if (document.has({spec.shown + 2})) {
    ++spec.shown;
  } else {
    view.controls_a = true;
  }
}

}  // namespace

void take_compared_layer(Document& document, View& view, const ImportedContent& taken) {
  if (taken.dump) return take_check(document, *taken.dump, taken.path);
  put_layer(document, typed_layer(taken.other), compared_address(document));
  view.of<CompareView>().controls_a = false;
}

void compare_commands(Commands& table, const Desk& now) {
  if (now.draft.check.on) return check_commands(table, now);
  const CompareSpec& spec = now.draft.compare;
  const auto add = [&](const char* name, const char* title, Shortcut key, std::function<void(Desk&)> edit) {
    table.push_back(
        {.name = name, .title = title, .menu = kCompareMenu, .shortcut = key, .run = std::move(edit)});
  };
  add("compare.swap", "Swap A and the other layer", plain(GLFW_KEY_X),
      [](Desk& desk) { swap_with_a(desk.draft); });
  add("compare.copy", "Make the other layer a copy of A", plain(GLFW_KEY_K),
      [](Desk& desk) { copy_a(desk.draft); });
  table.push_back({.name = "compare.open",
                   .title = "Compare with a file…",
                   .menu = kCompareMenu,
                   .shortcut = plain(GLFW_KEY_O),
                   .run = [](Desk& desk) { desk.asks.emplace_back(ChooseFile{.as_compared = true}); }});
  add("check.on", "Check a file", {}, [](Desk& desk) { desk.draft.check.on = true; });
  add("compare.next_difference", "Next difference", plain(GLFW_KEY_F), next_difference);
  add("compare.add", "Add another layer", plain(GLFW_KEY_N), [](Desk& desk) { add_layer(desk.draft); });
  add("compare.remove", "Remove the other layer", plain(GLFW_KEY_R),
      [](Desk& desk) { remove_layer(desk.draft); });
  add("compare.next", "Controls of the next layer", plain(GLFW_KEY_L), show_next);
  add("compare.reference", "The device against the reference", {}, compute_by_reference);
  add("compare.float16", "float16 against float32", {}, compare_with_float16);
  for (const auto& word : compare_field::figure.words)
    table.push_back(ticked("compare.show." + std::string(word.word), std::string(word.title),
                           "Edit/Compare/Show", spec.figure == word.choice,
                           [choice = word.choice](Desk& desk) { desk.draft.compare.figure = choice; }));
  table.push_back(
      {.name = "compare.same_colours",
       .title = "The same colours",
       .menu = kCompareMenu,
       .shortcut = plain(GLFW_KEY_M),
       .run = [](Desk& desk) { desk.draft.compare.same_colours = !desk.draft.compare.same_colours; },
       .enabled = true,
       .checked = spec.same_colours});
  table.push_back(ticked("compare.equal_stages", "Open equal stages", kCompareMenu,
                         now.view.of<CompareView>().equal_stages, [](Desk& desk) {
                           bool& open = desk.view.of<CompareView>().equal_stages;
                           open = !open;
                         }));
}

}  // namespace attn
