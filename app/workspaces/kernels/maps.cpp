// The step of the stage bar of each estimate as a map, query × key in the order of x, usually the weights;
// the query's row is outlined in all of them, and below stands what each makes of it.
#include <cmath>

#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/kernels/scene.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kCaption = 62;
enum Step { kDistance, kKappa, kSum, kWeights, kEstimate };

// The stage that the map of a curve shows while the stage bar stands on a step.
std::optional<StageIndex> stage_at(const KernelStages& stages, std::size_t step) {
  switch (step) {
    case kDistance:
      return stages.distances;
    case kKappa:
      return stages.kernels;
    case kSum:
      return stages.sum;
    case kEstimate:
      return stages.line ? *stages.line : stages.estimate;
    default:
      return stages.weights;
  }
}

// Its colours end at its largest share, as its bar says: small shares are to be seen.
float heaviest(const KernelsScene& scene, StageIndex weights) {
  const float most = scene.results.summaries[weights].all.most;
  return most > 0 && std::isfinite(most) ? most : 1;
}

std::size_t current_step(const KernelsScene& scene) {
  const auto& id = scene.frame.canvas().step;
  const auto stage = id ? scene.results.graph.find(*id) : std::nullopt;
  return stage ? scene.results.graph.stages[*stage].step : std::size_t{kWeights};
}

struct Line {
  const KernelsScene& scene;
  Rect area;
  float y;
  void add(const std::string& words, ImU32 colour) {
    const ImFont* font = scene.frame.theme.fonts.small;
    const std::string shown = elided(font, words, area.width());
    draw_text(*ImGui::GetWindowDrawList(), font, {area.min.x, y}, colour, shown);
    if (shown != words && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect({area.min.x, y}, {area.max.x, y + font_size(font)}))
      show_tooltip(words);
    y += font_size(font) + scene.frame.theme.px(3);
  }
};

// The title as a button that shows the curve's weights in the plot.
void title_button(KernelsScene& scene, Rect area, std::size_t curve) {
  const Theme& theme = scene.frame.theme;
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushID(static_cast<int>(curve));
  bool pressed = ImGui::InvisibleButton("curve", {area.width(), theme.px(20)});
  pressed = pressed_by_enter() || pressed;
  draw_focus_ring(theme, theme.px(4));
  if (pressed) scene.view().shown = curve;
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const KernelText& text = kernel_text(scene.curves[curve].kernel);
    const std::string note = text.note.empty() ? "" : "\n" + std::string(text.note);
    show_tooltip("κ(u) = " + std::string(text.formula) + ", " + std::string(text.support) + note +
                 "\nclick: its weights in the plot");
  }
  ImGui::PopID();
}

void draw_title_of(const KernelsScene& scene, Rect area, std::size_t curve) {
  const Theme& theme = scene.frame.theme;
  const KernelText& text = kernel_text(scene.curves[curve].kernel);
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, scene.colour(curve), scene.title(curve),
             {{std::string(text.formula)}, {std::string(text.support)}}, area.width());
  if (curve == scene.shown && scene.curves.size() > 1)
    ImGui::GetWindowDrawList()->AddRectFilled({area.min.x, area.min.y + theme.px(19)},
                                              {area.min.x + theme.px(24), area.min.y + theme.px(21)},
                                              scene.colour(curve));
}

// How many points count at the query, and the best width with a button that takes it.
void draw_captions(KernelsScene& scene, Rect area, std::size_t curve) {
  const Theme& theme = scene.frame.theme;
  Line line{scene, area, area.max.y - theme.px(kCaption - 4)};
  const double f = scene.estimate(curve);
  const std::size_t m = scene.places().sorted.keys.rows();
  std::string reach;
  if (const auto kappa = scene.stages(curve).kernels) {
    const Tensor& all = scene.numbers(*kappa);
    std::size_t count = 0;
    for (std::size_t j = 0; j < all.columns(); ++j) count += all[{0, scene.query, j}] != 0;
    reach = "   reach " + std::to_string(count) + " of " + std::to_string(m);
  }
  line.add(std::isnan(f) ? "no point in reach" : "f = " + four_digits(f) + reach,
           std::isnan(f) ? theme.warning : theme.text);
  const auto& best = scene.memo.best[curve];
  if (!best) return;
  const bool neighbours = scene.spec.width_rule == WidthRule::neighbours;
  const std::string width =
      (neighbours ? "k " : "σ ") +
      (neighbours ? std::to_string(static_cast<int>(best->width)) : brief(three_digits(best->width)));
  line.add("best " + width + ", error² " + four_digits(best->error), theme.dim);
  ImGui::SetCursorScreenPos({area.min.x, line.y});
  ImGui::PushID(static_cast<int>(curve));
  if (draw_chip(theme, {.id = "use it",
                        .text = "use it",
                        .tooltip = "take " + width + ", whose leave-one-out error is the least"})) {
    set_width(scene.frame.draft.kernels, three_digits(best->width));
    scene.view().shown = curve;
  }
  ImGui::PopID();
}

void draw_map(KernelsScene& scene, Rect area, std::size_t curve, std::size_t step) {
  const Theme& theme = scene.frame.theme;
  const auto stage = stage_at(scene.stages(curve), step);
  const Rect room{area.min, {area.max.x, area.max.y - theme.px(kCaption)}};
  if (stage) {
    Grid grid = fitted_grid(scene.frame, *stage, 0, room);
    grid.title = "", grid.subtitle = {};
    if (step == kWeights) grid.map.range = heaviest(scene, *stage);
    draw_grid(scene.frame, grid);
    follow_rows(scene, grid.stage);
    if (grid.shape.rows == scene.queries())
      outline_row(theme, row_rect(scene.frame, grid, scene.query), theme.outline, "");
  } else {
    const bool dot = step == kDistance && scene.curves[curve].kernel == Kernel::dot;
    const std::string words = dot ? "the dot product has no distance"
                                  : std::to_string(scene.spec.queries) + " × " +
                                        std::to_string(scene.places().sorted.keys.rows()) +
                                        " weights are not kept: up to " + std::to_string(kMostPairs) +
                                        " are. Those of the query stand in the plot.";
    const ImFont* font = theme.fonts.small;
    draw_text(*ImGui::GetWindowDrawList(), font, {room.min.x, room.min.y + theme.px(26)}, theme.dim,
              wrapped(font, words, room.width()));
  }
  draw_title_of(scene, area, curve);
  title_button(scene, area, curve);
  draw_captions(scene, area, curve);
}

}  // namespace

void draw_kernel_weights(KernelsScene& scene, Rect area) {
  if (scene.curves.empty()) return;
  const Theme& theme = scene.frame.theme;
  const std::size_t step = current_step(scene);
  const std::string title = step < scene.results.graph.steps.size() && step != kWeights
                                ? scene.results.graph.steps[step].title
                                : "weights";
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, title,
             {{"query × key"}, {"keys in order of x"}, {"the row of q is outlined"}}, area.width());
  const Rect room{{area.min.x, area.min.y + theme.px(kMapTitleHeight)}, area.max};
  const std::vector<Rect> places = shared_out(theme, room, scene.curves.size());
  for (std::size_t curve = 0; curve < scene.curves.size(); ++curve)
    draw_map(scene, places[curve], curve, step);
}

}  // namespace attn
