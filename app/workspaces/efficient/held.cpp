// Numbers held besides Q, K and V: by flash attention, by its output, by all weights.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/theme/toolkit.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/efficient/scene.h"
#include "core/efficient/flash_play.h"
#include "core/text/quantity.h"

namespace attn {
namespace {

constexpr float kHeldLine = 21, kHeldName = 0.27f, kHeldNumber = 90, kHeldBar = 11, kPaleBar = 0.35f;

struct HeldBar {
  std::string name;
  double here = 0, there = 0;  // at this n, and where roads are measured
  ImU32 colour = 0;
  std::string formula;
};

std::string times(std::size_t a, std::size_t b) {
  return std::to_string(a) + " · " + std::to_string(b);
}

std::array<HeldBar, 3> held_bars(const EfficientScene& scene) {
  const Theme& theme = scene.frame.theme;
  const EfficientSpec& spec = scene.spec;
  const std::size_t n = scene.queries(), m = scene.keys(), far = spec.measured_tokens;
  const std::size_t width = scene.stage(scene.places().layer.v).shape.columns;
  const std::size_t rows = std::min(spec.tile_rows, n), columns = std::min(spec.tile_columns, m);
  const double tile = held_by_flash(rows, columns, width);
  const std::string flash = "B_r · B_c + B_r · (2 + d_v) = " + times(rows, columns) + " + " +
                            times(rows, 2 + width) + "\nscores of a tile; m, l and o of its rows";
  const auto count = [](std::size_t a) { return static_cast<double>(a); };
  return {{{"flash: one tile, m, l, o", tile, held_by_flash(spec.tile_rows, spec.tile_columns, width),
            theme.good, flash},
           {"output, n·d", held_by_output(count(n), width), held_by_output(count(far), width), theme.output,
            "n · d_v = " + times(n, width)},
           {"full weights, n²", held_by_weights(count(n), count(m)), held_by_weights(count(far), count(far)),
            theme.bad, "n · m = " + times(n, m) + ", of one head"}}};
}

std::string whole(double number) {
  return grouped(static_cast<Count>(number));
}

}  // namespace

void draw_held(EfficientScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont *font = theme.fonts.small, *body = theme.fonts.body;
  const float number = theme.px(kHeldNumber), here = area.max.x - number;
  draw_title(list, theme, area.min, theme.text, "numbers held", {{"beside Q, K, V"}, {"log scale"}},
             here - number - area.min.x);
  const auto right = [&](const ImFont* with, float x, float y, ImU32 colour, const std::string& text) {
    draw_text(list, with, {x - text_width(with, text), y}, colour, text);
  };
  const float caption = area.min.y + theme.px(4);
  right(font, here, caption, theme.faint, "n " + whole(static_cast<double>(scene.queries())));
  right(font, area.max.x, caption, theme.faint,
        "n " + whole(static_cast<double>(scene.spec.measured_tokens)));
  const std::array<HeldBar, 3> bars = held_bars(scene);
  double most = 10;
  for (const HeldBar& bar : bars) most = std::max({most, bar.here, bar.there});
  const float left = area.min.x + area.width() * kHeldName, room = here - number - left;
  const auto length = [&](double count) {
    return room * static_cast<float>(std::log(std::max(1.0, count)) / std::log(most));
  };
  float y = area.min.y + theme.px(kTitleHeight);
  for (const HeldBar& bar : bars) {
    const float middle = y + theme.px(kHeldLine) / 2, half = theme.px(kHeldBar) / 2, round = theme.px(2);
    const float text = middle - font_size(body) / 2;
    draw_text(list, body, {area.min.x, text}, theme.text, elided(body, bar.name, left - area.min.x));
    list.AddRectFilled({left, middle - half}, {left + length(bar.there), middle + half},
                       with_alpha(bar.colour, kPaleBar), round);
    list.AddRectFilled({left, middle - half}, {left + length(bar.here), middle + half}, bar.colour, round);
    right(body, here, text, theme.text, whole(bar.here));
    right(body, area.max.x, text, theme.dim, whole(bar.there));
    if (ImGui::IsMouseHoveringRect({area.min.x, y}, {area.max.x, y + theme.px(kHeldLine)}))
      show_tooltip(bar.formula);
    y += theme.px(kHeldLine);
  }
}

}  // namespace attn
