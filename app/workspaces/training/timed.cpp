// What `bench training` measures of the window: a setting changed while the device trains.
#include "app/workspaces/training/row.h"
#include "app/workspaces/training/runs.h"
#include "core/training/fields.h"

namespace attn {
namespace {

// It trains on with the same numbers.
void ask_for_other_steps(Document& document, View&, int i) {
  document.training.steps = training_field::steps.most - 1 - static_cast<std::size_t>(i % 1000);
}

std::size_t steps_taken(const View& view) {
  const auto& runs = view.of<TrainingView>().runs;
  return runs && runs->a ? runs->a->end() : 0;
}

}  // namespace

// The model with a feed-forward network whose steps `bench training` measures.
std::vector<TimedEdit> timed_training_edits(bool) {
  constexpr double kEdit = 25;  // milliseconds
  Document document;
  TrainingSettings& settings = document.training;
  settings.task = TrainingTaskKind::induction, settings.length = settings.symbols = 32;
  settings.layers = 2, settings.heads = 4, settings.width = 64, settings.inner = 256, settings.batch = 32;
  settings.beside = RunDifference::none, settings.steps = training_field::steps.most;
  return {{.what = "a setting changed while it trains as fast as it goes",
           .target = kEdit,
           .document = document,
           .edit = ask_for_other_steps,
           .most_samples = 64,
           .busy = steps_taken}};
}

}  // namespace attn
