// A look: what is looked at, in words, as sessions carry it and a person says it:
//   heads: map mean, large_head 4, step scores, pinned scores 0 3 0; positions: p 18
// The first workspace is the one on screen. What is said before a comma is a field of the workspace's part or
// view, of the layer's view, or
//   step STAGE                       the step of the stage bar that computes this stage; none
//   pinned STAGE HEAD ROW COLUMN     the number in the inspector, counted from 0; none
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/frame/workspace.h"

namespace attn {

// Looks at what the words say; what they do not say stays. Throws Error, which names what is wrong and what
// there is, and then nothing has changed.
void look(std::string_view words, Document& document, View& view, std::span<const Workspace> workspaces);

// The workspace that the words show, which may be none; empty for no words.
std::string_view looks_at(std::string_view words);

// What is looked at, where it is not as at first; what is said of the document stands there.
std::string look_of(const View& view, std::span<const Workspace> workspaces);

// The id of the step that computes the stage; none where no step does.
std::optional<std::string> step_of(std::string_view stage, const Graph& graph,
                                   std::span<const StepChip> steps);

}  // namespace attn
