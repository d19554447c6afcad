// The table of workspaces: each is a part of the document, a graph and a draw; tabs, keys and `render` read
// it.
#pragma once

#include <span>
#include <string_view>

#include "app/frame.h"

namespace attn {

struct Workspace {
  std::string_view name;   // of the command line and the view: "pipeline"
  std::string_view title;  // of the tab
  void (*draw)(Frame& frame, Rect canvas);
};

std::span<const Workspace> workspaces();

// The one with this name; the first when there is none.
const Workspace& workspace_named(std::string_view name);

}  // namespace attn
