// The row of the table: attention learns, live.
#include "app/workspaces/training/row.h"
#include "core/training/plan.h"

namespace attn {

Workspace training_workspace() {
  Workspace row{kTrainingPlan};
  row.title = "Training";
  row.steps = training_steps;
  row.controls = draw_training_controls;
  row.draw = draw_training;
  row.inspect = inspect_training;
  row.inspects_first = true;
  row.commands = training_commands;
  row.play = play_training;
  row.plays = "train";
  row.fields = {named_part<&Document::training>(), named_view<TrainingView>()};
  row.own_bench = {timed_training_edits, nullptr};
  row.keys = "drag the time   ← → snapshot   Shift+→ one step   R reset   B run beside   P pin";
  return row;
}

}  // namespace attn
