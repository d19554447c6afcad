// The row of the table: two layers.
#include "app/workspaces/compare/row.h"

#include "app/workspaces/compare/view.h"
#include "core/compare/graph.h"

namespace attn {

Workspace compare_workspace() {
  Workspace row{kComparePlan};
  row.title = "Compare";
  row.steps = compare_steps;
  row.controls = draw_compare_controls;
  row.draw = draw_compare;
  row.inspect = inspect_compare;
  row.inspects_first = true;
  row.open = open_in_both;
  row.commands = compare_commands;
  row.fields = {named_part<&Document::compare>(), named_part<&Document::check>(), named_view<CompareView>()};
  row.keys = "F next difference   X swap   K copy A   O your file   N one more layer   L layer   M colours";
  row.takes = ImportKind::layer;
  row.take = take_compared_layer;
  return row;
}

}  // namespace attn
