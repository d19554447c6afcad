// What the commands of the workspace of stacks share. Private to app/workspaces/stack.
#pragma once

#include <optional>
#include <vector>

#include "app/frame/commands.h"
#include "app/frame/desk.h"
#include "app/workspaces/stack/row.h"
#include "app/workspaces/stack/scene.h"

namespace attn {

inline constexpr const char* kStackEditMenu = "Edit/Stack";

// What is looked at when a command runs, as far as the stack has it.
struct StackAt {
  const Results& results;
  StackView& view;
  StackRows rows = StackRows::encoder;
  std::size_t layer = 0, row = 0;
  const StackStages& places() const { return *results.places.as<StackStages>(); }
  bool decoder() const { return rows != StackRows::encoder; }
  const SideStages& side() const { return *places().side(decoder()); }
  const BlockStages& block() const { return side().blocks[layer]; }
  const Stage& stage(StageIndex index) const { return results.graph.stages[index]; }
  // Of the rows' maps in that layer; null: the box is off.
  const LayerStages* attention() const;
};
// None before the first results.
std::optional<StackAt> stack_at(Desk& desk);

void stack_edit_commands(std::vector<Command>& table, const Desk& now);

}  // namespace attn
