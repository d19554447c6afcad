// Workspaces found by what they do.
#include "app/frame/workspace.h"

#include <algorithm>

namespace attn {

const Workspace* showing(std::span<const Workspace> workspaces, const Plan& plan) {
  const auto found = std::ranges::find(workspaces, plan.build, &Workspace::build);
  return found == workspaces.end() ? nullptr : &*found;
}

const Workspace* taking(std::span<const Workspace> workspaces, ImportKind what) {
  const auto found = std::ranges::find(workspaces, what, &Workspace::takes);
  return found == workspaces.end() ? nullptr : &*found;
}

}  // namespace attn
