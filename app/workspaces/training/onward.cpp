// From a step of training to other workspaces: the model as a stack, the pinned layer with its input.
#include <algorithm>
#include <filesystem>
#include <span>

#include "app/frame/desk.h"
#include "app/workspaces/training/inspect_parts.h"
#include "app/workspaces/training/onward.h"
#include "core/attention/layer.h"
#include "core/document/layer_plan.h"
#include "core/document/stack_plan.h"
#include "core/io/npz.h"
#include "core/learning/trained_stack.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

constexpr const char *kInStack = "training.in_stack", *kInPipeline = "training.in_pipeline",
                     *kSave = "training.save_npz";

// What is seen, for who has no frame.
struct SeenState {
  const TrainedRun& run;
  const TrainingMemo& memo;
  std::shared_ptr<const TrainingSnapshot> at;
};
SeenState seen_state(Desk& desk) {
  TrainingView& view = desk.view.of<TrainingView>();
  TrainedRun* run = view.runs ? view.runs->seen(view) : nullptr;
  const TrainingMemo& memo = desk.memos.of<TrainingMemo>();
  if (!run || !memo.last || !memo.now)
    throw Error("there is nothing trained yet: press Space, and wait a moment");
  return {*run, memo, memo.now};
}

void open_in_stack(Desk& desk) {
  const SeenState seen = seen_state(desk);
  const std::size_t example = std::min(seen.memo.last->example, seen.memo.rows->size() - 1);
  desk.draft.transformer =
      trained_stack(*seen.run.spec, seen.at->state.parameters, (*seen.memo.rows)[example]);
  desk.view.say("Stack now holds the model of step " + std::to_string(seen.at->state.step));
  if (const Workspace* stack = showing(desk.workspaces, kStackPlan))
    desk.asks.emplace_back(ShowWorkspace{stack});
}

void open_in_pipeline(Desk& desk) {
  const SeenState seen = seen_state(desk);
  const TrainingView& view = desk.view.of<TrainingView>();
  const auto& attentions = seen.memo.last->of->attentions;
  const bool pinned = view.attention != TrainingView::kNewest;
  const MomentAttention& attention =
      attentions[std::min(pinned ? view.attention : seen.memo.best_attention, attentions.size() - 1)];
  const std::size_t example = seen.memo.last->example;
  desk.draft.layer() = trained_layer(*seen.run.spec, seen.at->state.parameters, attention,
                                     (*seen.memo.rows)[example], example);
  desk.view.layer.head = pinned ? view.head : seen.memo.best_head;
  desk.view.say("the Pipeline now holds layer " + std::to_string(attention.layer) + " of step " +
                std::to_string(seen.at->state.step));
  if (const Workspace* pipeline = showing(desk.workspaces, kLayerPlan))
    desk.asks.emplace_back(ShowWorkspace{pipeline});
}

// "training-reverse-step-90.npz" in the folder that the program was started in; with a number where there is
// one already.
std::string free_npz_path(const TrainingSpec& spec, std::size_t step) {
  std::error_code ignored;
  const std::string begin = std::filesystem::current_path(ignored).string() + "/training-" +
                            std::string(task_text(spec.task.kind).word) + "-step-" + std::to_string(step);
  for (int number = 1;; ++number) {
    const std::string path = begin + (number > 1 ? "-" + std::to_string(number) : "") + ".npz";
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return path;
  }
}

// By PyTorch's names.
void save_parameters(Desk& desk) {
  const SeenState seen = seen_state(desk);
  const TrainingSpec& spec = *seen.run.spec;
  std::vector<std::byte> bytes;
  NpzWriter npz{[&bytes](Bytes more) { bytes.insert(bytes.end(), more.begin(), more.end()); }};
  for (const ParameterArray& array :
       parameter_arrays(parameters_of(spec.model, spec.task), seen.at->state.parameters)) {
    const std::span<const float> numbers = array.numbers;
    npz.add(array.name, array.shape, {&numbers, 1});
  }
  npz.finish();
  const std::string path = free_npz_path(spec, seen.at->state.step);
  write_file(path, bytes);
  desk.view.say("parameters saved: " + path);
}

}  // namespace

void onward_commands(std::vector<Command>& table) {
  table.push_back({.name = kInStack,
                   .title = "Open the model of this step in Stack",
                   .menu = kTrainingMenu,
                   .run = open_in_stack});
  table.push_back({.name = kInPipeline,
                   .title = "Open the pinned layer in the Pipeline",
                   .menu = kTrainingMenu,
                   .run = open_in_pipeline});
  table.push_back({.name = kSave,
                   .title = "Save the parameters of this step",
                   .menu = kTrainingMenu,
                   .run = save_parameters,
                   .says = "as .npz, by PyTorch’s names"});
}

void draw_training_onward(inspector::Flow& flow, TrainingScene& scene) {
  if (!scene.seen || !scene.now) return;
  inspector::add_heading(flow, "Open");
  const auto chosen =
      inspector::add_chips(flow, "training onward", {"in Stack", "in Pipeline", "save npz"},
                           "the model of this step as a stack over the row that is shown; the pinned layer "
                           "with what it reads; all parameters as a file, by PyTorch’s names");
  if (chosen) flow.frame.commands.emplace_back(*chosen == 0 ? kInStack : *chosen == 1 ? kInPipeline : kSave);
}

}  // namespace attn
