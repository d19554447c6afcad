// What the workspace of efficient attention says in the inspector.
#include "app/inspector/inspector_flow.h"
#include "app/workspaces/efficient/row.h"
#include "app/workspaces/efficient/scene.h"

namespace attn {

void inspect_efficient(Frame& frame, inspector::Flow& flow) {
  if (auto scene = efficient_scene(frame)) inspect_tile(*scene, flow);
}

void check_efficient(Frame& frame, std::vector<inspector::CheckLine>& lines) {
  auto scene = efficient_scene(frame);
  if (!scene) return;
  tile_checks(*scene, lines);
  linear_checks(*scene, lines);
}

}  // namespace attn
