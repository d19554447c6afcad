#include "app/workspaces/workspaces.h"

#include <array>

#include "app/workspaces/pipeline.h"

namespace attn {
namespace {

constexpr std::array kWorkspaces{Workspace{"pipeline", "Pipeline", draw_pipeline}};

}  // namespace

std::span<const Workspace> workspaces() {
  return kWorkspaces;
}

const Workspace& workspace_named(std::string_view name) {
  for (const Workspace& workspace : kWorkspaces)
    if (workspace.name == name) return workspace;
  return kWorkspaces.front();
}

}  // namespace attn
