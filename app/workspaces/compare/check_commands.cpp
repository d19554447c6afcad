// A check by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include <cmath>

#include "app/canvas/edits.h"
#include "app/frame/desk.h"
#include "app/frame/visible_stages.h"
#include "app/widgets/focus.h"
#include "app/workspaces/compare/check_file.h"
#include "app/workspaces/compare/check_scene.h"
#include "app/workspaces/compare/view.h"
#include "core/checks/comparison.h"
#include "core/compare/check_edit.h"
#include "core/compare/graph.h"
#include "core/evaluate/results.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr const char* kCheckMenu = "Edit/Check";

const ComparePlaces& places_of(const Desk& desk) {
  const auto& results = desk.engine.results;
  const auto* places = results ? results->places.as<ComparePlaces>() : nullptr;
  if (!has_numbers(results) || !places || !results->document.check.on)
    throw Error("nothing is checked yet: open a file with your numbers");
  return *places;
}

// The same number of ours, of a stage of any column.
Spot ours_of(const Results& results, const ComparePlaces& places, const Spot& spot) {
  const auto stage = results.graph.find(spot.stage);
  for (const ComparedStage& row : places.stages)
    if (stage && (stage == row.a || stage == row.b || stage == row.difference))
      return {results.graph.stages[*row.a].id, spot.cell};
  return spot;
}

// Of all numbers of yours in their order the next that differs, behind the pinned one.
void next_differing_cell(Desk& desk) {
  const ComparePlaces& places = places_of(desk);
  const Results& results = *desk.engine.results;
  const CheckSpec& check = results.document.check;
  const auto& pinned = desk.view.pinned;
  const Spot now = pinned ? ours_of(results, places, *pinned) : Spot();
  std::vector<Spot> off;
  std::size_t next = 0;
  for (const ComparedStage& row : places.stages) {
    if (!row.difference || !results.outputs[*row.difference].here()) continue;
    const Tensor yours = results.outputs[*row.b].whole(), ours = results.outputs[*row.a].whole();
    const Stage& stage = results.graph.stages[*row.a];
    for (std::size_t i = 0; i < ours.shape().size(); ++i) {
      const double a = yours.values()[i], b = ours.values()[i];
      const Spot spot{stage.id, cell_at(ours.shape(), i)};
      if (!(distance(a, b) <= check.absolute + check.relative * std::abs(b))) off.push_back(spot);
      if (now == spot) next = off.size();
    }
  }
  if (off.empty()) return desk.view.say("no number differs by more than the tolerance");
  pin_number(desk.view, results.graph, off[next % off.size()]);
}

void mistakes_into_b(Desk& desk) {
  const Tried* tried = kept_mistakes(desk.memos);
  if (!tried) throw Error("no mistake is shown: choose one in the diagnosis");
  put_mistaken_beside_a(desk.draft, tried->layer);
  desk.view.say("B is your layer with what was found in it");
}

void copy_fix(Desk& desk) {
  const Tried* tried = kept_mistakes(desk.memos);
  if (!tried) throw Error("no mistake is shown, so there is nothing to mend");
  ImGui::SetClipboardText(fix_text(*tried).c_str());
  desk.view.say("copied the fix");
}

void follow_file(Desk& desk) {
  if (desk.draft.check.file.empty()) throw Error("no file was opened: there is none to follow");
  bool& follow = desk.view.of<CompareView>().follow;
  follow = !follow;
  if (!follow) return desk.view.say("followed no more");
  desk.view.say("following " + desk.draft.check.file[0] + ": it is read again when it changes");
  read_check_file(desk.view, desk.draft.check.file[0], desk.draft.check.names);
}

void step_head(Desk& desk, bool back) {
  if (!has_numbers(desk.engine.results)) return;
  const std::size_t heads = heads_of(desk.engine.results->graph);
  std::size_t& head = desk.view.layer.head;
  head = (head + (back ? heads - 1 : 1)) % heads;
}

// Opens the pinned number in the inspector; without one the first that differs. Enter presses what has the
// ring.
void pin_in_both(Desk& desk) {
  if (ringed_item() != 0) return;
  places_of(desk);
  if (!desk.view.pinned) return next_differing_cell(desk);
  pin_number(desk.view, desk.engine.results->graph, *desk.view.pinned);
}

}  // namespace

void check_commands(std::vector<Command>& table, const Desk& now) {
  const auto add = [&](const char* name, const char* title, Shortcut key, std::function<void(Desk&)> edit) {
    table.push_back(
        {.name = name, .title = title, .menu = kCheckMenu, .shortcut = key, .run = std::move(edit)});
  };
  add("check.off", "A with B", {}, [](Desk& desk) { desk.draft.check.on = false; });
  add("check.open", "Check a file…", plain(GLFW_KEY_O),
      [](Desk& desk) { desk.asks.emplace_back(ChooseFile{}); });
  add("check.next_difference", "Next number that differs", plain(GLFW_KEY_F), next_differing_cell);
  add("check.number", "The number in both", plain(GLFW_KEY_ENTER), pin_in_both);
  add("check.previous_head", "Previous head", typed('['), [](Desk& desk) { step_head(desk, true); });
  add("check.next_head", "Next head", typed(']'), [](Desk& desk) { step_head(desk, false); });
  add("check.mistake_to_b", "The mistakes that are shown into B", plain(GLFW_KEY_A), mistakes_into_b);
  add("check.copy_fix", "Copy the fix", ctrl(GLFW_KEY_C), copy_fix);
  add("check.as_b", "Yours as B", {}, [](Desk& desk) { put_check_beside_a(desk.draft); });
  table.push_back(
      ticked("check.follow", "Follow the file", kCheckMenu, now.view.of<CompareView>().follow, follow_file));
  table.push_back(ticked("check.pairs", "Try pairs of mistakes", kCheckMenu, now.draft.check.pairs,
                         [](Desk& desk) { desk.draft.check.pairs = !desk.draft.check.pairs; }));
  table.push_back(ticked("check.three", "Try three mistakes", kCheckMenu, now.draft.check.three,
                         [](Desk& desk) { desk.draft.check.three = !desk.draft.check.three; }));
}

}  // namespace attn
