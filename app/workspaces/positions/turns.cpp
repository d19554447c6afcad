// Shift as rotation: the chosen pairs on circles, turned from p to p + Δ.
#include <algorithm>
#include <cmath>

#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/turn.h"
#include "app/workspaces/positions/scene.h"
#include "core/positions/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kCircle = 92, kWords = 34;
constexpr float kPositionsPerPixel = 0.25f;  // of a drag on a circle

// Sideways over a circle the position goes on or back.
void drag_position(PositionsScene& scene, std::size_t rows) {
  PositionsView& view = scene.view();
  if (!ImGui::IsItemActive()) return;
  view.turned += static_cast<double>(ImGui::GetIO().MouseDelta.x * kPositionsPerPixel);
  const double whole = std::trunc(view.turned);
  view.turned -= whole;
  const double to = static_cast<double>(view.p) + whole;
  view.p = static_cast<std::size_t>(std::clamp(to, 0.0, static_cast<double>(rows - 1)));
}

// The pair's direction at p is its angle p·ω: the cosine across, the sine up.
void draw_pair(PositionsScene& scene, Rect box, std::size_t pair, double frequency, TwoPositions at) {
  const Theme& theme = scene.frame.theme;
  const double by = (static_cast<double>(at.q) - static_cast<double>(at.p)) * frequency;
  const Rect circle{box.min, {box.max.x, box.max.y - theme.px(kWords)}};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_turn(list, theme, circle,
            {.from = static_cast<double>(at.p) * frequency,
             .angle = by,
             .before = theme.outline,
             .after = theme.warning,
             .arc = theme.warning});
  const auto put = [&](const ImFont* font, float y, ImU32 colour, const std::string& words) {
    const std::string shown = elided(font, words, box.width());
    draw_text(list, font, {(box.min.x + box.max.x - text_width(font, shown)) / 2, y}, colour, shown);
  };
  put(theme.fonts.small, circle.max.y + theme.px(2), theme.text,
      "pair " + std::to_string(pair) + ": " + in_degrees(by));
  put(theme.fonts.small, circle.max.y + theme.px(17), theme.faint,
      "ω = " + shortest(static_cast<float>(std::round(frequency * 1e4) / 1e4)));
}

}  // namespace

void draw_turns(PositionsScene& scene, Rect area) {
  const auto position = turning(scene.spec);
  if (!position) return;
  const Theme& theme = scene.frame.theme;
  const TwoPositions at = two_positions(scene.view(), scene.spec.length);
  const std::string words = "R(ωΔ) turns p = " + std::to_string(at.p) + " into p+Δ = " + std::to_string(at.q);
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "shift = rotation", {{words}},
             area.width());
  const std::vector<double> frequencies = pair_frequencies(*position, scene.spec.width);
  std::vector<std::size_t> pairs = chosen_pairs(scene.spec, *position);
  if (pairs.empty()) pairs.push_back(0);
  const auto room = static_cast<std::size_t>(std::max(1.0f, area.width() / theme.px(kCircle)));
  pairs.resize(std::min(pairs.size(), room));
  const float width = area.width() / static_cast<float>(pairs.size());
  ImGui::SetCursorScreenPos({area.min.x, area.min.y + theme.px(kTitleHeight)});
  begin_no_tab_stops();  // the position's own track is one
  ImGui::InvisibleButton("turns", {area.width(), area.height() - theme.px(kTitleHeight)});
  end_no_tab_stops();
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  drag_position(scene, std::max<std::size_t>(1, scene.spec.length));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const float x = area.min.x + width * static_cast<float>(i);
    draw_pair(scene, {{x, area.min.y + theme.px(kTitleHeight)}, {x + width, area.max.y}}, pairs[i],
              frequencies[pairs[i]], at);
  }
}

}  // namespace attn
