// Presenting: how it begins and ends, and which part of a canvas is large.
#pragma once

#include <optional>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

// Goes to the step of the pinned number; where none is pinned and no step is chosen, to the first.
void begin_presenting(View& view, const Graph& graph, const std::vector<StepChip>& steps);
// The same where a lesson says what is looked at: it goes nowhere.
void begin_presenting(View& view);
// What is shown large is chosen and fitted anew.
void present_anew(View& view);
// Everything is as it was before, at the step that was walked to.
void end_presenting(View& view);
// The next (+1) or the one before (−1) of what can be shown large.
void present_another(View& view, int direction);

// Its own look at what it shows, in place of the canvas's, while it lives; anew for another step.
class PresentedSight {
 public:
  explicit PresentedSight(View& view);
  ~PresentedSight() { swap(); }
  PresentedSight(const PresentedSight&) = delete;
  PresentedSight& operator=(const PresentedSight&) = delete;

 private:
  void swap();
  View& view_;
};

// Which of so many matrices of a step is shown alone; none: all of them are.
std::optional<std::size_t> presented_one(View& view, std::size_t count);

// What a canvas of parts presents: matrices of the present step, or one of its parts; where neither is there,
// nothing.
struct Presented {
  std::vector<StageIndex> matrices = {};
  std::optional<std::size_t> part = {};
};
// `parts`: where each lies; an area without a size is no part. A step without matrices of its own is seen in
// the part that holds `revealed`.
Presented choose_presented(Frame& frame, const std::vector<Rect>& parts, const std::optional<Rect>& revealed,
                           bool plot_first);

// Stages of the present step as a canvas of blocks.
void draw_presented(Frame& frame, Rect canvas, const std::vector<StageIndex>& matrices);

// Pixels of a part that is shown alone: those of the canvas; where the part is usually much higher, its own.
ImVec2 presented_content(const Frame& frame, Rect canvas, Rect part);
// Where it lies in them.
Rect within_margin(const Theme& theme, ImVec2 content);

}  // namespace attn
