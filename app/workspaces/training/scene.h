// What the parts of the workspace of training share: the runs, the step that all of them show, and what is
// seen there. Private to app/workspaces/training.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/shelf.h"
#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/plot/plot.h"
#include "app/widgets/chips.h"
#include "app/widgets/words.h"
#include "app/workspaces/training/runs.h"

namespace attn {

// Where the parts lie, from the content's top left corner.
struct TrainingAreas {
  Rect loss, accuracy, time, maps, examples, gradient, weights, why;
  ImVec2 content{};
};

// A run as its plots draw it.
struct RunCurves {
  std::shared_ptr<TrainingRunner> of = {};
  std::uint64_t version = 0;
  std::size_t first = 0;                             // step of the first batch
  Samples batches = {};                              // loss of each step
  Samples steps = {}, losses = {}, accuracies = {};  // of snapshots
  std::array<Samples, kParameterGroups> norms = {};  // empty: the model has none of it
  std::size_t bytes() const { return bytes_of_all(batches, steps, losses, accuracies); }
};

// The maps of an example at a moment, and how much of each head lies where the answer stands.
struct MomentMaps {
  std::shared_ptr<const TrainingMoment> of = {};
  std::size_t example = 0;
  std::vector<Tensor> maps = {};                                // by attention: heads×queries×keys
  std::vector<std::vector<std::optional<double>>> shares = {};  // by attention and head
  std::size_t bytes() const {
    std::size_t all = 0;
    for (const Tensor& map : maps) all += map.bytes();
    return all;
  }
};

// W_Q, W_K and W_V of the pinned head at a state, and how far each has moved since the first.
struct HeadWeights {
  std::shared_ptr<const TrainingSnapshot> of = {};
  std::string attention = {};
  std::size_t head = 0;
  std::array<Tensor, 3> matrices = {};
  std::array<double, 3> moved = {};
  std::array<float, 3> ranges = {};  // of the largest number
};

// What is worked out of the runs, for the next frame and for commands.
struct TrainingMemo {
  std::vector<RunCurves> curves = {};
  std::vector<std::shared_ptr<const MomentMaps>> maps = {};
  std::shared_ptr<const TrainingSpec> rows_of = {};
  std::map<std::size_t, std::string> typed = {};
  std::shared_ptr<const std::vector<TaskRow>> rows = {};  // the examples
  std::shared_ptr<const MomentMaps> last = {};            // that were drawn, while none are there
  std::size_t last_step = 0;
  std::shared_ptr<const TrainingSpec> last_of = {};
  std::shared_ptr<const TrainingSnapshot> now = {};  // whose they are
  HeadWeights weights = {};
  std::size_t best_attention = 0, best_head = 0;  // of the last snapshot
  std::size_t bytes() const {
    std::size_t all = bytes_of(curves);
    for (const auto& each : maps) all += each->bytes();
    return all;
  }
};

struct TrainingScene {
  Frame& frame;
  TrainingRuns& runs;
  TrainingMemo& memo;
  TrainedRun& run;                                   // whose maps are seen
  std::size_t step = 0;                              // that everything shows
  std::size_t last = 1;                              // right end of all axes of time
  std::shared_ptr<const TrainingSnapshot> now = {};  // of the step, or the last snapshot before it
  std::shared_ptr<const StepTaken> taken = {};       // the step that led there; null: not made again yet
  std::shared_ptr<const MomentMaps> seen = {};  // of `now`; of before, while it is not there; may be null
  bool lags = false;                            // what is seen is of another step

  TrainingView& view() const { return frame.view.of<TrainingView>(); }
  TrainingSettings& draft() const { return frame.draft.training; }
  const Theme& theme() const { return frame.theme; }
  const TrainingLog& log() const { return run.log; }
  const TrainingTask& task() const { return run.spec->task; }
  std::vector<std::string> labels() const { return vocabulary_labels(run.spec->model, run.spec->task); }
  ImU32 colour(const TrainedRun& of) const;
  // The pinned head, as far as there is one; of none the one that has most weight where the answers stand.
  std::size_t attention() const;
  std::size_t head() const;
  Cell cell() const;  // the pinned weight of its map
};
// None before there is a run.
std::optional<TrainingScene> training_scene(Frame& frame);

const RunCurves& curves_of(TrainingMemo& memo, const TrainedRun& run);
// Of a snapshot; null: its moment is not there yet.
std::shared_ptr<const MomentMaps> maps_at(const TrainingScene& scene, const TrainingSnapshot& at);
std::string head_name(const TrainingScene& scene, std::size_t attention, std::size_t head);  // "L0 H1"
// What no model without positions can be better than; none: the task needs none, or it is not known yet.
std::optional<TrainingBound> known_bound(const TrainingScene& scene);
// The symbols at the places of an attention of what is seen, on the side that asks or the one that answers;
// none of blank slots.
const std::vector<std::int32_t>& placed_symbols(const MomentMaps& seen, std::size_t attention, bool asks);

// Of the pinned head at the step that is shown; null: there is none yet.
const HeadWeights* head_weights_of(const TrainingScene& scene);
// The number of the parameters that is opened: of one of the pinned head's matrices.
struct OpenedParameter {
  ParameterCell cell{};
  std::string title = {};  // "W_Q[5, 3] · L0 H1"
};
std::optional<OpenedParameter> opened_parameter(const TrainingScene& scene);

// A handle of the time: the step that the person wants.
void take_step(TrainingScene& scene, double at);
// Matrices without words, cell by cell or as a texture.
void draw_small_map(const TrainingScene& scene, const Tensor& stack, std::size_t head, Rect area,
                    const ColourMap& map);

void draw_training_loss(TrainingScene& scene, Rect area);
void draw_training_accuracy(TrainingScene& scene, Rect area);
void draw_training_time(TrainingScene& scene, Rect area);
void draw_training_maps(TrainingScene& scene, Rect area);
void draw_training_examples(TrainingScene& scene, Rect area);
void draw_training_norms(TrainingScene& scene, Rect area);
void draw_training_weights(TrainingScene& scene, Rect area);
void draw_training_why(TrainingScene& scene, Rect area);
// Pixels that it takes; 0: there is nothing to say.
float training_why_height(const TrainingScene& scene, float width);

inline constexpr const char* kTrainingMenu = "Edit/Training";

}  // namespace attn
