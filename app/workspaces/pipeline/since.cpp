// What has changed since the layer was pinned, in the inspector.
#include "app/frame/before.h"
#include "app/inspector/checks_panel.h"
#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/pipeline/inspect.h"

namespace attn {

using namespace inspector;

void draw_since(Flow& flow) {
  const Changes* found = changes_since(flow.frame);
  if (!found) return;
  const Theme& theme = flow.theme();
  add_heading(flow, "Since then");
  std::size_t stages = 0, others = 0;
  for (const StageChange& change : found->stages) ++(change.count > 0 ? stages : others);
  if (stages == 0 && others == 0)
    return add_text(flow, "Every number is as it was when it was pinned.",
                    has_faults(flow.frame.engine) ? theme.text : theme.good);
  add_text(flow,
           std::to_string(found->count) + (found->count == 1 ? " number" : " numbers") + " changed in " +
               std::to_string(stages) + (stages == 1 ? " stage" : " stages") +
               (others > 0 ? "; " + std::to_string(others) + " had another shape, or were not there" : "") +
               ". B shows them as they were.",
           theme.dim);
  const StageChange* largest = found->largest();
  const Results& results = *flow.frame.results;
  for (const StageChange& change : found->stages) {
    const Stage& stage = results.graph.stages[change.stage];
    if (change.count == 0) {
      add_fact(flow, stage.title, change_words(change), theme.dim);
      continue;
    }
    const Spot spot{stage.id, change.at};
    const Rect line = add_line(flow);
    const std::string values = write(change.before) + " → " + write(change.now);
    put(flow, line, values, &change == largest ? theme.text : theme.dim, 1);
    put_elided(flow, {line.min, {line.max.x - text_width(values) - flow.px(8), line.max.y}},
               (&change == largest ? "largest: " : "") + title_of(results, spot),
               role_colour(theme, stage.role));
    press_to_open(flow, "since" + spot.stage, line, spot);
  }
}

}  // namespace attn
