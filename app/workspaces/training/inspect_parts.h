// The blocks of the inspector of training. Private to app/workspaces/training.
#pragma once

#include <vector>

#include "app/inspector/inspector_flow.h"
#include "app/workspaces/training/scene.h"
#include "core/learning/evidence.h"
#include "core/learning/step_arithmetic.h"

namespace attn {

// A number at snapshots.
struct TimeCurve {
  std::vector<std::size_t> steps;
  std::vector<double> values;
};
// Over the steps, with the one that is shown: dragged as any handle of the time.
void draw_time_curve(inspector::Flow& flow, TrainingScene& scene, const char* id, const TimeCurve& curve,
                     ImU32 colour);

// Of the opened parameter: gradient, moments, step, θ before and after; θ over the run.
void draw_optimiser_step(inspector::Flow& flow, TrainingScene& scene);
void draw_learning_rate(inspector::Flow& flow, TrainingScene& scene);
// Gradient against a central difference, the arithmetic against what is stored, row sums of the maps.
void draw_training_checks(inspector::Flow& flow, TrainingScene& scene);
// In Stack, in the Pipeline, as a file.
void draw_training_onward(inspector::Flow& flow, TrainingScene& scene);

}  // namespace attn
