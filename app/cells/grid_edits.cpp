// What every stage takes: numbers. Whoever shows a matrix adds what else can be done to it.
#include "app/cells/grid_edits.h"

#include "app/frame/workspace.h"

namespace attn {

GridEdits number_edits(const Frame& frame, const std::string& stage) {
  const Plan& plan = frame.workspace;
  return {.set = [&plan, &graph = frame.given, stage](Document& document, std::span<const CellValue> cells) {
    set_numbers(document, plan, graph, stage, cells);
  }};
}

}  // namespace attn
