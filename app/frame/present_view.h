// PresentView: whether the window presents: one matrix, plot or part of the canvas large, and what is said of
// the present step, for a projector.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/frame/view.h"

namespace attn {

struct PresentView {
  bool on = false;
  Viewport sight = {};    // of what is shown: the canvas's own stays as it was
  std::size_t shown = 0;  // which of the things that can be large
  std::size_t count = 1;  // of them, as they were last drawn
  bool parted = false;    // it is a canvas of parts, which chooses among them and the step's matrices
  std::optional<std::size_t> part = {};  // that is shown: it stays while a person walks on
  // What was last shown; another begins anew.
  bool fresh = true;
  const Workspace* workspace = nullptr;
  std::optional<std::string> step = {};
  // Where it began: the workspace, the step that it went to, and the one that was chosen before.
  const Workspace* first_workspace = nullptr;
  std::optional<std::string> first_step = {}, step_before = {};
};

inline bool presents(const View& view) {
  return view.of<PresentView>().on;
}

}  // namespace attn
