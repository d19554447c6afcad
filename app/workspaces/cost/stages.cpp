// The operations of one layer by stage, as stacked bars over n: a press opens the piece.
#include <algorithm>
#include <cmath>

#include "app/plot/plot_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/workspaces/cost/scene.h"

namespace attn {
namespace {

constexpr float kLabel = 80, kBetween = 6, kLegend = 40, kLegendLine = 17, kMostBar = 28, kLeastPiece = 0.5f;

struct BarRow {
  CostScene& scene;
  const CostBar& bar;
  Rect area;
  double all;

  double operations(CostStage stage) const {
    return static_cast<double>(bar.layer[stage].operations.value());
  }
};

std::string percent(double share) {
  return decimal_text(std::round(100 * share), 0) + " %";
}

// Each stage is pressed by itself, also where several share a colour.
void press_stages(BarRow& row, const StageRun& run, float left, float width, double sum) {
  for (auto s = static_cast<std::size_t>(run.first); s <= static_cast<std::size_t>(run.last); ++s) {
    const auto stage = static_cast<CostStage>(s);
    const double count = row.operations(stage);
    if (count == 0) continue;
    const float part = width * static_cast<float>(count / sum);
    const StageCost& cost = row.bar.layer[stage];
    const std::string id = std::string(cost.name) + " " + std::to_string(row.bar.n);
    const std::string says = std::string(cost.title) + ": " + short_count(count) + " operations, " +
                             percent(count / row.all) + " at n " + grouped(row.bar.n) + "\n" +
                             cost.operations.formula();
    if (part >= kLeastPiece && press_area(row.scene.frame.theme, id.c_str(),
                                          {{left, row.area.min.y}, {left + part, row.area.max.y}}, says)) {
      open_cost(row.scene.frame.view, {row.scene.shown(), stage});
      take_tokens(row.scene.study(), static_cast<double>(row.bar.n));
    }
    left += part;
  }
}

void draw_pieces(BarRow row) {
  const Theme& theme = row.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float left = row.area.min.x;
  for (std::size_t i = 0; i < kStageRuns.size(); ++i) {
    const StageRun& run = kStageRuns[i];
    double sum = 0;
    for (auto s = static_cast<std::size_t>(run.first); s <= static_cast<std::size_t>(run.last); ++s)
      sum += row.operations(static_cast<CostStage>(s));
    const float width = row.area.width() * static_cast<float>(sum / row.all);
    if (width >= kLeastPiece) {
      const ImU32 colour = run_colour(theme, i);
      const float right = left + std::max(1.0f, width - theme.px(1.5f));
      list.AddRectFilled({left, row.area.min.y}, {right, row.area.max.y}, colour,
                         std::min(theme.px(3), width / 3));
      const std::string words = percent(sum / row.all);
      const ImFont* font = theme.fonts.small;
      const float wide = text_width(font, words);
      if (wide + theme.px(6) <= right - left)
        draw_text(list, font,
                  {(left + right - wide) / 2, (row.area.min.y + row.area.max.y - font_size(font)) / 2},
                  ink_on(colour), words);
      press_stages(row, run, left, width, sum);
    }
    left += width;
  }
}

void draw_legend(const CostScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const float side = theme.px(10);
  float x = area.min.x, y = area.min.y;
  for (std::size_t i = 0; i < kStageRuns.size(); ++i) {
    const std::string title(kStageRuns[i].title);
    const float width = side + theme.px(5) + text_width(font, title);
    if (x + width > area.max.x && x > area.min.x) x = area.min.x, y += theme.px(kLegendLine);
    list.AddRectFilled({x, y}, {x + side, y + side}, run_colour(theme, i), theme.px(2));
    draw_text(list, font, {x + side + theme.px(5), y + side / 2 - font_size(font) / 2}, theme.text, title);
    x += width + theme.px(12);
  }
}

}  // namespace

void draw_cost_stages(CostScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_title(list, theme, area.min, theme.text, "operations of one layer",
             {{mechanism_title(scene.study(), scene.shown()), true}, {"by stage, as n grows"}}, area.width());
  const auto rows = static_cast<float>(scene.memo.bars.size());
  const float top = area.min.y + theme.px(kTitleHeight), room = area.max.y - theme.px(kLegend) - top;
  const float pitch = std::min(room / rows, theme.px(kMostBar + kBetween));
  ImGui::PushID("stages of the layer");
  for (std::size_t i = 0; i < scene.memo.bars.size(); ++i) {
    const CostBar& bar = scene.memo.bars[i];
    const float y = top + static_cast<float>(i) * pitch;
    const Rect place{{area.min.x + theme.px(kLabel), y}, {area.max.x, y + pitch - theme.px(kBetween)}};
    const bool here = bar.n == scene.n();
    const ImFont* font = here ? theme.fonts.bold : theme.fonts.small;
    const std::string label = elided(font, grouped(bar.n), theme.px(kLabel - 8));
    draw_text(list, font,
              {place.min.x - theme.px(8) - text_width(font, label),
               (place.min.y + place.max.y - font_size(font)) / 2},
              here ? theme.text : theme.dim, label);
    draw_pieces({scene, bar, place, static_cast<double>(operations(bar.layer))});
  }
  ImGui::PopID();
  const float below = top + rows * pitch + theme.px(4);
  draw_legend(scene, {{area.min.x + theme.px(4), below}, area.max});
}

}  // namespace attn
