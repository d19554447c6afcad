// A bar for each head: how evenly it shares its weight out, and how far the output moves without it; and how
// alike each two are.
#include <algorithm>
#include <cmath>

#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "app/widgets/press.h"
#include "app/workspaces/heads/scene.h"
#include "core/heads/fields.h"

namespace attn {
namespace {

constexpr float kLine = 22, kLeastWords = 14, kIndex = 26;

struct HeadBar {
  double fraction;  // of the width
  std::string number, tooltip;
  ImU32 colour;
};

// One below the other, from head 0 on; as thin as they have to be, with words where there is room.
void draw_head_bars(HeadsScene& scene, Rect area, const char* id, float numbers,
                    const std::vector<HeadBar>& bars) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const float line = std::min(theme.px(kLine), area.height() / static_cast<float>(bars.size()));
  const bool words = line >= theme.px(kLeastWords);
  const float left = area.min.x + (words ? theme.px(kIndex) : 0),
              right = area.max.x - (words ? theme.px(numbers) : 0), gap = line * 0.16f;
  ImGui::PushID(id);
  for (std::size_t r = 0; r < bars.size(); ++r) {
    const float y = area.min.y + static_cast<float>(r) * line;
    const Rect row{{area.min.x, y}, {area.max.x, y + line}}, bar{{left, y + gap}, {right, y + line - gap}};
    if (press_area(theme, ("head " + std::to_string(r)).c_str(), row, bars[r].tooltip))
      scene.frame.view.layer.head = r;
    const float opacity = scene.muted(r) ? 0.35f : 1;
    draw_bar(list, bar, 1, 0, r == scene.head ? theme.accent_soft : theme.chip, theme);
    draw_bar(list, bar, std::clamp(bars[r].fraction, 0.0, 1.0), 0, with_alpha(bars[r].colour, opacity),
             theme);
    if (!words) continue;
    const float text = y + (line - font_size(font)) / 2;
    draw_text(list, theme.fonts.bold, {area.min.x, y + (line - font_size(theme.fonts.bold)) / 2},
              read_colour(theme, scene.colour(r), theme.canvas), std::to_string(r));
    draw_text(list, font, {right + theme.px(7), text}, r == scene.head ? theme.text : theme.dim,
              bars[r].number);
  }
  ImGui::PopID();
}

std::string of_head(std::size_t head, const std::string& what) {
  return "head " + std::to_string(head) + ": " + what + "\nclick: large";
}

}  // namespace

void draw_head_entropies(HeadsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "entropy",
             {{"of each head, in nats"}, {"mean of its rows"}}, area.width());
  const double keys = std::log(static_cast<double>(scene.weights().columns()));
  const double most = scene.memo.most_entropy > 0 ? scene.memo.most_entropy : keys;
  std::vector<HeadBar> bars;
  for (std::size_t r = 0; r < scene.heads(); ++r) {
    const double entropy = scene.memo.entropy[r];
    const std::string number = share_text(entropy, 2) + " of " + share_text(most, 2);
    bars.push_back({most > 0 ? entropy / most : 0, number,
                    of_head(r, number + " nats; equal weights would have the second"), scene.colour(r)});
  }
  draw_head_bars(scene, {{area.min.x, area.min.y + theme.px(kTitleHeight)}, area.max}, "entropy", 92, bars);
}

void draw_without_head(HeadsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "without this head",
             {{"change of the output, relative"}}, area.width());
  double most = 0;
  for (const double change : scene.memo.change)
    if (std::isfinite(change)) most = std::max(most, change);
  std::vector<HeadBar> bars;
  for (std::size_t r = 0; r < scene.heads(); ++r) {
    const double change = scene.memo.change[r];
    const std::string token =
        scene.memo.queries.empty() ? "" : "; most for “" + scene.memo.queries[scene.memo.moved[r]] + "”";
    const std::string how = scene.muted(r) ? "it is off; on, it would add " : "the output moves by ";
    bars.push_back({std::isfinite(change) && most > 0 ? change / most : 0, share_text(change, 2),
                    of_head(r, how + share_text(change, 3) + " of its length" + token), theme.output});
  }
  draw_head_bars(scene, {{area.min.x, area.min.y + theme.px(kTitleHeight)}, area.max}, "without", 46, bars);
}

void draw_likeness(HeadsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  Grid grid = fitted_grid(scene.frame, scene.places().likeness, 0, area);
  const float pitch = std::min(grid.cell_width, grid.cell_height);
  grid.cell_width = std::min(grid.cell_width, pitch * 1.3f), grid.cell_height = pitch;
  grid.title = "", grid.subtitle = {};
  draw_grid(scene.frame, grid);
  const bool cosine = scene.spec.measure == HeadLikeness::cosine;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "alike",
             {{cosine ? "cosine of the weights" : "overlap, Σ min ÷ Σ max"}}, area.width());
}

}  // namespace attn
