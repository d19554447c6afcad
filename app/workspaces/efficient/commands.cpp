// The commands of the workspace of efficient attention.
#include "app/workspaces/efficient/row.h"
#include "app/workspaces/efficient/scene.h"

namespace attn {

void efficient_commands(std::vector<Command>& table, const Desk& desk) {
  tile_commands(table, desk);
  linear_commands(table, desk);
  road_commands(table, desk);
}

}  // namespace attn
