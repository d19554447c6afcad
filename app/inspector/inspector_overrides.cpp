// The numbers that were typed over computed ones, of many the largest, each with a button that gives the
// computed one back.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "app/frame/workspace.h"
#include "app/inspector/inspector_numbers.h"
#include "app/inspector/inspector_sections.h"
#include "core/document/edit.h"

namespace attn::inspector {
namespace {

constexpr std::size_t kMostListed = 8;

// Where the overridden stage is not in the results yet, its id has to do.
std::string name_of(const Results* results, const Spot& spot) {
  return results && exists(*results, spot) ? title_of(*results, spot) : spot.stage;
}

Role role_of(const Graph& graph, const std::string& id) {
  const auto stage = graph.find(id);
  return stage ? graph.stages[*stage].role : Role::plain;
}

float size_of(const StageOverride& o) {
  const float value = o.value.value;
  return std::isnan(value) ? std::numeric_limits<float>::infinity() : std::abs(value);
}

// Of the layers that the graph has.
std::vector<StageOverride> overrides_on_screen(const Frame& frame) {
  std::vector<StageOverride> found;
  for (const StageOverride& o : frame.draft.overrides)
    if (belongs_to(o, frame.workspace) && (o.layer == kLayerA || frame.graph.has(o.layer)))
      found.push_back(o);
  if (found.size() > kMostListed) std::ranges::stable_sort(found, std::greater(), size_of);
  return found;
}

}  // namespace

void draw_overrides(Flow& flow) {
  const std::vector<StageOverride> overrides = overrides_on_screen(flow.frame);
  if (overrides.empty()) return;
  const Theme& theme = flow.theme();
  add_heading(flow, "Your numbers");
  const std::size_t shown = shown_of("more overrides", overrides.size(), kMostListed);
  for (std::size_t i = 0; i < shown; ++i) {
    if (passes_line(flow)) continue;
    const Spot spot{id_of(overrides[i]), overrides[i].value.cell};
    const Rect line = add_line(flow);
    const float button = line.height();
    const Rect remove{{line.max.x - button, line.min.y}, line.max};
    const Rect text{line.min, {remove.min.x - flow.px(6), line.max.y}};
    const std::string value = write(overrides[i].value.value);
    put(flow, text, value, theme.text, 1);
    put_elided(flow, {text.min, {text.max.x - text_width(value) - flow.px(8), text.max.y}},
               name_of(flow.frame.results, spot), role_colour(theme, role_of(flow.frame.graph, spot.stage)));
    press_to_open(flow, "override" + std::to_string(i), text, spot);
    put(flow, remove, "✗", theme.dim, 0.5f);
    if (press(flow, "remove" + std::to_string(i), remove, "Restores the computed number."))
      remove_override(flow.frame.draft, flow.frame.workspace, spot.stage, spot.cell);
  }
  add_more(flow, "more overrides", overrides.size(), kMostListed);
}

}  // namespace attn::inspector
