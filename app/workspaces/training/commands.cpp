// The workspace of training by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/canvas/steps.h"
#include "app/frame/desk.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/training/onward.h"
#include "app/workspaces/training/row.h"
#include "app/workspaces/training/scene.h"
#include "core/system/error.h"
#include "core/text/text.h"
#include "core/training/fields.h"

namespace attn {
namespace {

TrainedRun& seen_run(Desk& desk) {
  TrainingView& view = desk.view.of<TrainingView>();
  TrainedRun* run = view.runs ? view.runs->seen(view) : nullptr;
  if (!run) throw Error("there is no run yet: choose a task that can be trained");
  return *run;
}

// To the snapshot before the step that is shown, or behind it.
void by_snapshot(Desk& desk, int direction) {
  const TrainedRun& run = seen_run(desk);
  const std::size_t step = shown_step(desk.view.of<TrainingView>(), run);
  const auto& snapshots = run.log.snapshots;
  if (direction > 0) {
    for (const auto& snapshot : snapshots)
      if (snapshot->state.step > step) return show_step(desk.view, snapshot->state.step);
    return;
  }
  for (std::size_t i = snapshots.size(); i-- > 0;)
    if (snapshots[i]->state.step < step) return show_step(desk.view, snapshots[i]->state.step);
}

// One that was taken is made again; behind the last a new one is taken.
void single_step(Desk& desk) {
  TrainedRun& run = seen_run(desk);
  TrainingView& view = desk.view.of<TrainingView>();
  const std::size_t step = shown_step(view, run);
  if (step < run.end()) return show_step(desk.view, step + 1);
  view.runs->waits = false;
  if (run.seen.stop) throw Error("run " + std::string(1, run.letter) + " stopped: " + run.seen.stop->words);
  for (TrainedRun* each : view.runs->shown())
    if (!each->seen.stop && each->end() <= run.end()) each->runner->order_steps(run.end() + 1);
  show_step(desk.view, TrainingView::kNewest);
}

void single_step_back(Desk& desk) {
  const std::size_t step = shown_step(desk.view.of<TrainingView>(), seen_run(desk));
  if (step > 0) show_step(desk.view, step - 1);
}

void toggle_beside(Desk& desk) {
  TrainingSettings& settings = desk.draft.training;
  const bool on = settings.beside != RunDifference::none;
  if (on) {
    settings.beside = RunDifference::none;
    return;
  }
  for (const RunDifference difference : {RunDifference::no_position, RunDifference::scale_off,
                                         RunDifference::one_head, RunDifference::no_residual})
    if (difference_refusal(settings, difference).empty()) {
      settings.beside = difference;
      return;
    }
}

// Lines of the clipboard, each a pair.
void paste_pairs(Desk& desk) {
  const char* text = ImGui::GetClipboardText();
  if (!text || !*text) throw Error("the clipboard holds no text: copy lines such as “cat = cats” first");
  const OwnPairs own = pairs_of_text(text);
  Labels lines;
  for (std::string& line : split(text, '\n')) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find_first_not_of(" \t") != std::string::npos) lines.push_back(std::move(line));
  }
  desk.draft.training.task = TrainingTaskKind::own;
  desk.draft.training.pairs = std::move(lines);
  desk.view.say(std::to_string(own.pairs.size()) + " pairs of " + std::to_string(own.symbols.size()) +
                " symbols");
}

void see_next_run(Desk& desk) {
  TrainingView& view = desk.view.of<TrainingView>();
  if (!view.runs || !view.runs->a) return;
  if (!view.other && !view.branch && view.runs->b)
    view.other = true;
  else if (!view.branch && view.runs->c)
    view.other = false, view.branch = true;
  else
    view.other = view.branch = false;
}

void next_head(Desk& desk) {
  TrainingView& view = desk.view.of<TrainingView>();
  const TrainingMemo& memo = desk.memos.of<TrainingMemo>();
  const auto& last = memo.last;
  if (!last || last->maps.empty()) return;
  if (view.attention == TrainingView::kNewest)
    view.attention = memo.best_attention, view.head = memo.best_head;
  view.attention = std::min(view.attention, last->maps.size() - 1);
  if (++view.head < last->maps[view.attention].stack()) return;
  view.head = 0;
  view.attention = (view.attention + 1) % last->maps.size();
}

}  // namespace

void training_commands(std::vector<Command>& table, const Desk& desk) {
  const auto add = [&](const char* name, const char* title, Shortcut key, std::function<void(Desk&)> run) {
    const std::string prefix = "training.";
    table.push_back({.name = prefix + name,
                     .title = title,
                     .menu = kTrainingMenu,
                     .shortcut = key,
                     .run = std::move(run)});
  };
  add("play", desk.view.canvas().playing ? "Pause training" : "Train on", {},
      [](Desk& d) { d.view.canvas().playing = !d.view.canvas().playing; });
  add("step", "Take a single step", {.key = GLFW_KEY_RIGHT, .shift = true}, single_step);
  add("step_back", "Go back a single step", {.key = GLFW_KEY_LEFT, .shift = true}, single_step_back);
  add("next_snapshot", "Next snapshot", plain(GLFW_KEY_RIGHT), [](Desk& d) { by_snapshot(d, 1); });
  add("previous_snapshot", "Snapshot before", plain(GLFW_KEY_LEFT), [](Desk& d) { by_snapshot(d, -1); });
  add("reset", "Begin again from step 0", plain(GLFW_KEY_R), [](Desk& d) { reset_runs(d.view); });
  add("beside", "Train a run B beside it, or none", plain(GLFW_KEY_B), toggle_beside);
  add("see_next", "See the maps of the next run", plain(GLFW_KEY_S), see_next_run);
  add("pin_next", "Pin the next head", plain(GLFW_KEY_P), next_head);
  add("paste_pairs", "Paste pairs of your own", {}, paste_pairs);
  onward_commands(table);
}

}  // namespace attn
