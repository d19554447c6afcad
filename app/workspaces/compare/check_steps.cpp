// The stage bar of a check: the stages of the file, and which of them are as ours.
#include <algorithm>

#include "app/canvas/steps.h"
#include "app/workspaces/compare/check_rows.h"
#include "app/workspaces/compare/row.h"
#include "core/compare/check_graph.h"

namespace attn {
namespace {

// The stages of yours are the second part of a check's graph.
constexpr std::size_t kYours = 1;
constexpr const char *kEqual = " ✓", *kDiffers = " ✗";

bool is_check(const Graph& graph) {
  return graph.parts.size() > kYours && graph.parts[kYours].prefix == kYoursPrefix;
}

}  // namespace

std::vector<StepChip> compare_steps(const Graph& graph, const View& view) {
  std::vector<StepChip> steps = graph_steps(graph, view);
  if (!is_check(graph)) return steps;
  const auto& marks = view.of<CompareView>().marks;
  std::erase_if(steps, [&](const StepChip& chip) {
    return std::ranges::none_of(chip.stages, [&](StageIndex i) { return graph.stages[i].part == kYours; });
  });
  for (StepChip& chip : steps) {
    std::string mark;
    for (const StageIndex stage : chip.stages)
      if (const auto found = marks.find(graph.stages[stage].id); found != marks.end() && mark != kDiffers)
        mark = found->second;
    chip.title += mark;
  }
  return steps;
}

void mark_steps(Frame& frame) {
  auto& marks = frame.view.of<CompareView>().marks;
  marks.clear();
  const std::vector<StageVerdict> verdicts = check_verdicts(frame);
  const auto first = first_of(verdicts);
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (verdicts[i].compared && (verdicts[i].equal || first == i))
      marks[verdicts[i].id] = verdicts[i].equal ? kEqual : kDiffers;
}

}  // namespace attn
