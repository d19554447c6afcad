// What `bench training` measures of the window: a setting changed while the device trains.
#include "app/workspaces/training/row.h"
#include "core/training/fields.h"

namespace attn {
namespace {

// It trains on with the same numbers.
void ask_for_other_steps(Document& document, View&, int i) {
  document.training.steps = training_field::steps.most - static_cast<std::size_t>(i % 1000);
}

}  // namespace

std::vector<TimedEdit> timed_training_edits(bool) {
  constexpr double kEdit = 25;  // milliseconds
  Document document;
  document.training.beside = RunDifference::none;
  document.training.steps = training_field::steps.most;
  return {{.what = "training as fast as it goes, a setting changed",
           .target = kEdit,
           .document = document,
           .edit = ask_for_other_steps,
           .busy = true}};
}

}  // namespace attn
