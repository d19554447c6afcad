// Pipeline: the layer's matrices on a canvas in computation order, and the steps through them.
#pragma once

#include <limits>

#include "app/frame.h"

namespace attn {

void draw_pipeline(Frame& frame, Rect canvas);

inline constexpr double kPatience = 0.25;  // seconds before results that lag behind the document are dimmed

// The stages of the stage bar, in order: each a group of stage ids that light up together ("q", "k", "v").
struct Step {
  std::string title;
  std::vector<std::string> stages;
  bool present = false;  // some of its stages exist in this layer, and the view shows them
  std::string says;      // what happens in it, in a few words
};
// Always the same steps in the same order, so that View::step keeps its meaning; absent ones are skipped.
std::vector<Step> pipeline_steps(const Graph& graph, const View& view);

// Moves to a present step: the next one when `index` is absent, the last when there is none behind it.
void step_to(View& view, const std::vector<Step>& steps, std::size_t index);
// Forward (+1) or back (−1). With no step chosen: to the first, or to the last.
void step_by(View& view, const std::vector<Step>& steps, int direction);
inline constexpr std::size_t kLastStep = std::numeric_limits<std::size_t>::max();  // for step_to
// Everything at full strength again.
void leave_steps(View& view);
// Starts from the beginning when at the end.
void toggle_play(View& view, const std::vector<Step>& steps);

// Time passes: playing goes on about once a second, the dimming follows within 200 ms.
void advance_steps(View& view, const std::vector<Step>& steps, double seconds);

// How strongly a stage is drawn: stages behind the current step are dimmed.
float stage_opacity(const View& view, const std::vector<Step>& steps, std::string_view stage);

}  // namespace attn
