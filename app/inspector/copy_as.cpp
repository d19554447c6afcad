// A chip for each text format; a click copies the matrix of the number's head and says so in the status line.
// Behind them a chip for each kind of program that computes what is on screen.
#include "app/inspector/copy_as.h"

#include "app/cells/cell_marks.h"
#include "app/cells/grid_commands.h"
#include "app/inspector/inspector_flow.h"
#include "core/io/code_kinds.h"
#include "core/io/matrix_text.h"

namespace attn::inspector {

namespace {

void draw_copy_code(Flow& flow) {
  add_heading(flow, "Copy the computation as");
  std::vector<std::string> names;
  const std::vector<CodeKind> kinds = code_kinds();
  for (const CodeKind& kind : kinds) names.emplace_back(kind.title);
  const auto chosen =
      add_chips(flow, "copy code", names,
                "Puts all stages on the clipboard: a program that runs by itself, with every input "
                "and parameter in it, or a text with every number.");
  if (chosen) flow.frame.commands.push_back("edit.copy_code." + std::string(kinds[*chosen].name));
}

}  // namespace

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
  draw_copy_code(flow);
  if (!chosen) return;
  flow.frame.view.say(copy_block(title, matrix, block_or_whole(nullptr, spot.cell.head, matrix.shape()),
                                 kTextFormats[*chosen]));
}

}  // namespace attn::inspector
