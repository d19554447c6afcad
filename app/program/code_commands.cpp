// Every traced stage of the workspace on screen, with what these are made of.
#include "app/program/code_commands.h"

#include <imgui.h>

#include "app/frame/desk.h"
#include "core/evaluate/evaluator.h"
#include "core/io/code_kinds.h"
#include "core/system/error.h"
#include "core/text/quantity.h"

namespace attn {
namespace {

// It is written on the thread that draws: more takes longer than a frame.
constexpr std::size_t kMostCopied = 50'000;

std::vector<bool> all_stages(const Graph& graph) {
  std::vector<std::string> ids;
  for (const Stage& stage : graph.stages)
    if (stage.traced) ids.push_back(stage.id);
  return needed_stages(graph, ids);
}

// Numbers that would be written.
std::size_t numbers_in(const Graph& graph, const std::vector<bool>& needed, bool all) {
  std::size_t numbers = 0;
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (needed[i] && (all || graph.stages[i].given())) numbers += graph.stages[i].shape.size();
  return numbers;
}

void copy_code(Desk& desk, const CodeKind& kind) {
  if (!desk.engine.results) throw Error("nothing is computed yet");
  const Results& results = *desk.engine.results;
  const std::vector<bool> needed = all_stages(results.graph);
  if (const std::size_t numbers = numbers_in(results.graph, needed, kind.reads_numbers);
      numbers > kMostCopied)
    throw Error("this computation has " + grouped(numbers) +
                " numbers: save it, and write them with attention-lab code FILE --as " +
                std::string(kind.name));
  const std::string text = kind.write(results.graph, needed, [&](StageIndex stage) {
    if (!results.outputs[stage].here())
      throw Error(results.graph.stages[stage].title + " is not computed here");
    return results.outputs[stage].whole();
  });
  ImGui::SetClipboardText(text.c_str());
  desk.view.say("the computation, copied as " + std::string(kind.title));
}

}  // namespace

void code_commands(std::vector<Command>& table) {
  for (const CodeKind& kind : code_kinds())
    table.push_back({.name = "edit.copy_code." + std::string(kind.name),
                     .title = std::string(kind.title),
                     .menu = "Edit/Copy the computation as",
                     .run = [kind](Desk& desk) { copy_code(desk, kind); }});
}

}  // namespace attn
