// From a step of training to other workspaces and to files: the model as a stack, the pinned layer with its
// input, and of two runs side by side.
#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "app/frame/desk.h"
#include "app/workspaces/training/inspect_parts.h"
#include "app/workspaces/training/onward.h"
#include "core/attention/layer.h"
#include "core/document/layer_plan.h"
#include "core/document/stack_plan.h"
#include "core/edits/compared_layers.h"
#include "core/io/model_folder.h"
#include "core/io/npz.h"
#include "core/learning/trained_stack.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

constexpr const char *kInStack = "training.in_stack", *kInPipeline = "training.in_pipeline",
                     *kInCompare = "training.in_compare", *kSave = "training.save_npz",
                     *kSaveFolder = "training.save_folder";

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

// The head that is pinned; of none the one that has learnt most.
struct PinnedHead {
  std::size_t attention = 0, head = 0;
};
PinnedHead pinned_head(const TrainingView& view, const TrainingMemo& memo) {
  if (view.attention == TrainingView::kNewest) return {memo.best_attention, memo.best_head};
  return {view.attention, view.head};
}

void open_in_pipeline(Desk& desk) {
  const SeenState seen = seen_state(desk);
  const PinnedHead pinned = pinned_head(desk.view.of<TrainingView>(), seen.memo);
  const auto& attentions = seen.memo.last->of->attentions;
  const MomentAttention& attention = attentions[std::min(pinned.attention, attentions.size() - 1)];
  const std::size_t example = seen.memo.last->example;
  put_layer(desk.draft, {trained_layer(*seen.run.spec, seen.at->state.parameters, attention,
                                       (*seen.memo.rows)[example], example)});
  desk.view.layer.head = pinned.head;
  desk.view.say("the Pipeline now holds layer " + std::to_string(attention.layer) + " of step " +
                std::to_string(seen.at->state.step));
  if (const Workspace* pipeline = showing(desk.workspaces, kLayerPlan))
    desk.asks.emplace_back(ShowWorkspace{pipeline});
}

// One of the attentions of a run at a snapshot, with what it reads of the row; the last where there are
// fewer.
LayerSpec layer_at(const TrainingSpec& spec, const TrainingSnapshot& at, std::size_t attention,
                   const TaskRow& row) {
  const auto reference = make_reference_backend();
  const std::vector<Tensor>& parameters = at.state.parameters;
  const TrainingMoment moment = MomentMaker(*reference, spec, 1).at(parameters, {row});
  return trained_layer(spec, parameters, moment.attentions[std::min(attention, moment.attentions.size() - 1)],
                       row, 0);
}

// The pinned layer of runs A and B at the step that is shown, over the same row.
void open_in_compare(Desk& desk) {
  const Workspace* compares = taking(desk.workspaces, ImportKind::layer);
  if (!compares) return;
  const SeenState seen = seen_state(desk);
  const TrainingView& view = desk.view.of<TrainingView>();
  if (!view.runs->b) throw Error("there is one run alone: choose what B does otherwise, and train both");
  const TrainedRun &a = *view.runs->a, &b = *view.runs->b;
  for (const auto& [run, name] : {std::pair(&a, "A"), std::pair(&b, "B")})
    if (run->log.snapshots.empty())
      throw Error(std::string("run ") + name + " has not begun yet: press Space, and wait a moment");
  const PinnedHead pinned = pinned_head(view, seen.memo);
  const TaskRow& row = (*seen.memo.rows)[std::min(seen.memo.last->example, seen.memo.rows->size() - 1)];
  const TrainingSnapshot &of_a = a.log.nearest(seen.at->state.step),
                         &of_b = b.log.nearest(seen.at->state.step);
  Document other;
  put_layer(other, {layer_at(*b.spec, of_b, pinned.attention, row)});
  put_layer(desk.draft, {layer_at(*a.spec, of_a, pinned.attention, row)});
  compares->take(desk.draft, desk.view, {.points = {}, .other = std::move(other)});
  desk.view.layer.head = pinned.head;
  desk.view.say("Compare now holds step " + std::to_string(of_a.state.step) + " of run A, and step " +
                std::to_string(of_b.state.step) + " of run B");
  desk.asks.emplace_back(ShowWorkspace{compares});
}

// "training-reverse-step-90" and the ending, in the folder that the program was started in; with a number
// where there is one already.
std::string free_path(const TrainingSpec& spec, std::size_t step, const std::string& ending) {
  std::error_code ignored;
  const std::string begin = std::filesystem::current_path(ignored).string() + "/training-" +
                            std::string(task_text(spec.task.kind).word) + "-step-" + std::to_string(step);
  for (int number = 1;; ++number) {
    const std::string path = begin + (number > 1 ? "-" + std::to_string(number) : "") + ending;
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
  const std::string path = free_path(spec, seen.at->state.step, ".npz");
  write_file(path, bytes);
  desk.view.say("parameters saved: " + path);
}

void save_folder(Desk& desk) {
  const SeenState seen = seen_state(desk);
  const std::size_t step = seen.at->state.step;
  const std::string path = free_path(*seen.run.spec, step, "");
  const auto files = model_folder(*seen.run.spec, seen.at->state.parameters, step);
  std::error_code error;
  std::filesystem::create_directory(path, error);
  if (error) throw Error("the folder " + path + " cannot be made (" + error.message() + ")", Fault::output);
  try {
    for (const FolderFile& file : files) write_file(path + "/" + file.name, file.bytes);
  } catch (const Error&) {
    std::filesystem::remove_all(path, error);  // half a model is none
    throw;
  }
  desk.view.say("model saved: " + path);
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
  table.push_back({.name = kInCompare,
                   .title = "Open the pinned layer of both runs in Compare",
                   .menu = kTrainingMenu,
                   .run = open_in_compare});
  table.push_back({.name = kSave,
                   .title = "Save the parameters of this step",
                   .menu = kTrainingMenu,
                   .run = save_parameters,
                   .says = "as .npz, by PyTorch’s names"});
  table.push_back({.name = kSaveFolder,
                   .title = "Save the model of this step as a folder",
                   .menu = kTrainingMenu,
                   .run = save_folder,
                   .says = "as Hugging Face lays models out: configuration, parameters, symbols"});
}

void draw_training_onward(inspector::Flow& flow, TrainingScene& scene) {
  if (!scene.seen || !scene.now) return;
  struct Way {
    const char *chip, *command;
  };
  std::vector<Way> ways{{"in Stack", kInStack}, {"in Pipeline", kInPipeline}};
  if (scene.runs.b) ways.push_back({"in Compare", kInCompare});
  ways.insert(ways.end(), {{"save npz", kSave}, {"save folder", kSaveFolder}});
  std::vector<std::string> chips;
  for (const Way& way : ways) chips.emplace_back(way.chip);
  inspector::add_heading(flow, "Open");
  const auto chosen = inspector::add_chips(flow, "training onward", chips,
                                           "the model of this step as a stack over the row that is shown; "
                                           "the pinned layer with what it reads, of both runs "
                                           "side by side; all parameters as a file, by PyTorch’s names; the "
                                           "model as a folder in Hugging Face’s layout");
  if (chosen) flow.frame.commands.emplace_back(ways[*chosen].command);
}

}  // namespace attn
