// A chip for each text format; a click copies the matrix of the number's head and says so in the status line.
#include "app/inspector/copy_as.h"

#include "app/cells/cell_marks.h"
#include "app/cells/grid_commands.h"
#include "app/inspector/inspector_flow.h"
#include "core/io/matrix_text.h"

namespace attn::inspector {

void draw_copy_as(Flow& flow, const Results& results, const Spot& spot) {
  const StageResult& result = results.outputs[*results.graph.find(spot.stage)];
  if (!result.here()) return;
  add_heading(flow, "Copy as");
  std::vector<std::string> names;
  for (const TextFormatName& format : kTextFormats) names.emplace_back(format.name);
  const Tensor& matrix = result.whole();
  const std::string title = results.graph.stages[*results.graph.find(spot.stage)].title;
  std::string what = title;
  if (matrix.stack() > 1) what += " of head " + std::to_string(spot.cell.head);
  const auto chosen =
      add_chips(flow, "copy", names, "Puts " + what + " on the clipboard, every number exactly.");
  if (!chosen) return;
  flow.frame.view.say(copy_block(title, matrix, block_or_whole(nullptr, spot.cell.head, matrix.shape()),
                                 kTextFormats[*chosen]));
}

}  // namespace attn::inspector
