// The steps of a workspace's stage bar: which there are, and walking through them.
#pragma once

#include <limits>

#include "app/frame/frame.h"

namespace attn {

// The steps of a graph as the view shows them: those inside a closed softmax belong to the one that they lead
// to.
std::vector<StepChip> graph_steps(const Graph& graph, const View& view);

// The place of a step among the others; none when it is not there.
std::optional<std::size_t> place_of(const std::vector<StepChip>& steps, const std::optional<std::string>& id);

// Moves to a step; to the last when there are not so many.
void step_to(View& view, const std::vector<StepChip>& steps, std::size_t place);
inline constexpr std::size_t kLastStep = std::numeric_limits<std::size_t>::max();
// Forward (+1) or back (−1). With no step chosen: to the first, or to the last.
void step_by(View& view, const std::vector<StepChip>& steps, int direction);
// Everything at full strength again.
void leave_steps(View& view);
// Starts from the beginning when at the end.
void toggle_play(View& view, const Document& document, const std::vector<StepChip>& steps);

// Time passes: playing goes on about once a second, the dimming follows within 200 ms.
void advance_steps(View& view, const Document& document, const Graph& graph,
                   const std::vector<StepChip>& steps, double seconds);

// How strongly a stage is drawn: stages behind the current step are dimmed.
float stage_opacity(const View& view, const std::vector<StepChip>& steps, StageIndex stage);
// The same of a frame's: where some stages are lit (frame/lit.h), these alone are at full strength.
float stage_opacity(const Frame& frame, StageIndex stage);

}  // namespace attn
