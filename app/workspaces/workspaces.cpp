// The rows of the table: one line a workspace, in the order of the tabs.
#include "app/workspaces/workspaces.h"

#include <array>

namespace attn {

// Each in its folder's workspace.cpp.
Workspace pipeline_workspace();
Workspace heads_workspace();
Workspace compare_workspace();
Workspace positions_workspace();
Workspace kernels_workspace();
Workspace softmax_workspace();
Workspace cost_workspace();
Workspace efficient_workspace();
Workspace gradients_workspace();
Workspace stack_workspace();
Workspace training_workspace();

std::span<const Workspace> workspaces() {
  static const std::array kWorkspaces{
      pipeline_workspace(),  heads_workspace(),   compare_workspace(),  positions_workspace(),
      kernels_workspace(),   softmax_workspace(), cost_workspace(),     efficient_workspace(),
      gradients_workspace(), stack_workspace(),   training_workspace(),
  };
  return kWorkspaces;
}

void check_document(const Document& document) {
  for (const Workspace& workspace : workspaces()) workspace.build(document, kLayerA);
}

}  // namespace attn
