// How large each gradient is, as a part of that of the output, and each token's; hollow ticks where they
// would be with one thing of the layer otherwise.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "app/widgets/press.h"
#include "app/widgets/strokes.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/gradients/size_rows.h"

namespace attn {
namespace {

constexpr float kSizeLine = 19, kLeastSizeWords = 12, kLeastSizeLine = 2, kSizeNumber = 46, kZoneWords = 17;
constexpr float kTickWidth = 5, kMostNameShare = 0.3f;
constexpr double kFarthestTick = 1000;
constexpr std::size_t kTickColours = 3;  // the first series colour of ticks: no stage has those

// Where a size lies on the line of a bar.
struct SizeAxis {
  float left = 0, right = 0;
  double reach = 0;
  double fraction(double part) const {  // of the half to the left or right of 1
    return std::clamp(std::log(part) / std::log(reach), -1.0, 1.0);
  }
  float at(double part) const {
    return (left + right) / 2 + static_cast<float>(fraction(part)) * (right - left) / 2;
  }
};

ImU32 size_tick_colour(WhatIf what) {
  return series_colour(kTickColours + static_cast<std::size_t>(what));
}

struct SizesPlace {
  Rect area;
  SizeAxis axis = {};
  float line = 0, names = 0;
  bool words = true;
  bool stale_ticks = false;
};

void draw_size_tick(const Theme& theme, ImVec2 top, float height, WhatIf what, bool stale = false) {
  const float half = theme.px(kTickWidth) / 2;
  const ImU32 colour = set_off(theme, size_tick_colour(what), theme.canvas, 3);
  ImGui::GetWindowDrawList()->AddRect({top.x - half, top.y}, {top.x + half, top.y + height},
                                      stale ? with_alpha(colour, kLagging) : colour, theme.px(1), 0,
                                      theme.px(1.2f));
}

void draw_size_ticks(const GradientsScene& scene, const SizesPlace& place, const SizeRow& row, Rect bar) {
  const Theme& theme = scene.frame.theme;
  const float out = theme.px(1);
  for (const auto& [what, part] : row.ticks)
    if (part > 0)
      draw_size_tick(theme, {std::round(place.axis.at(part)), bar.min.y - out}, bar.height() + 2 * out, what,
                     place.stale_ticks);
}

void draw_size_number(const GradientsScene& scene, Rect line, const SizeRow& row) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  const SizeName name = size_name(row.part, scene.view().vanishing, scene.view().exploding);
  const bool fault = name == SizeName::exploding || name == SizeName::unknown;
  const ImU32 ink = fault ? theme.bad : name == SizeName::usual ? theme.text : theme.warning;
  const std::string text = size_text(row.part) + (name == SizeName::dead ? " dead" : "");
  draw_text(*ImGui::GetWindowDrawList(), font,
            {line.max.x - text_width(font, text), line.min.y + (line.height() - font_size(font)) / 2}, ink,
            text);
}

void draw_size_row(GradientsScene& scene, const SizesPlace& place, float top, const SizeRow& row) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const Rect line{{place.area.min.x, top}, {place.area.max.x, top + place.line}};
  if (press_area(theme, row.id.c_str(), line, about_size(scene, row))) go_to_largest(scene, row);
  const float edge = place.line * 0.18f;
  const Rect bar{{place.axis.left, line.min.y + edge}, {place.axis.right, line.max.y - edge}};
  if (row.part > 0)
    draw_bar(list, bar, place.axis.fraction(row.part), 0.5f, row.colour, theme);
  else if (row.part == 0)
    draw_bar(list, bar, -1, 0.5f, theme.chip, theme);
  draw_size_ticks(scene, place, row, bar);
  if (!place.words) return;
  const float room = place.axis.left - place.area.min.x - theme.px(kWordGap);
  draw_text(list, font, {line.min.x, line.min.y + (place.line - font_size(font)) / 2}, theme.text,
            elided(font, row.name, room));
  draw_size_number(scene, line, row);
}

void draw_size_bound(const GradientsScene& scene, const SizesPlace& place, float bottom, double bound,
                     float edge, ImU32 colour) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = std::round(place.axis.at(bound));
  list.AddRectFilled({std::min(x, edge), place.area.min.y}, {std::max(x, edge), bottom},
                     with_alpha(colour, 0.14f));
  const std::array<ImVec2, 2> ends{ImVec2{x, place.area.min.y}, ImVec2{x, bottom}};
  draw_dashes(list, theme, ends, colour, theme.px(1), theme.px(4), theme.px(3));
}

// The zones with their names, and the line of 1.
void draw_size_zones(const GradientsScene& scene, const SizesPlace& place, float bottom) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const float y = place.area.min.y - theme.px(kZoneWords);
  const std::string low = "vanishing", high = "exploding";
  draw_text(list, font, {place.axis.left, y}, theme.warning, low);
  draw_text(list, font, {place.area.max.x - text_width(font, high), y}, theme.bad, high);
  draw_size_bound(scene, place, bottom, scene.view().vanishing, place.axis.left, theme.warning);
  draw_size_bound(scene, place, bottom, scene.view().exploding, place.axis.right, theme.bad);
  const float one = std::round(place.axis.at(1));
  list.AddRectFilled({one, place.area.min.y}, {one + theme.px(1), bottom}, theme.border);
}

// Which ticks are which; what is still computed, and what could not be. In lines from this one on; the pixels
// that they take.
float draw_size_legend(const GradientsScene& scene, Rect line, const Study<WhatIfsFound>& study) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const std::vector<WhatIf> asked = what_ifs_of(scene.spec);
  const float top = line.min.y, next = theme.px(kZoneWords);
  float x = line.min.x;
  for (const WhatIf what : asked) {
    const WhatIfSizes* found = nullptr;
    if (study.found && !study.stale)
      for (const WhatIfSizes& each : study.found->all)
        if (each.what == what) found = &each;
    const std::string error = found ? found->error : study.error;
    const std::string text = std::string(title_of(what)) + (!error.empty() ? " ✗" : found ? "" : " …");
    const float sign = theme.px(kTickWidth + kSignGap), width = sign + text_width(font, text);
    if (x + width > line.max.x && x > line.min.x)
      x = line.min.x, line = {{x, line.min.y + next}, {line.max.x, line.max.y + next}};
    draw_size_tick(theme, {x + theme.px(kTickWidth) / 2, line.min.y + theme.px(1)},
                   line.height() - theme.px(2), what);
    draw_text(list, font, {x + sign, line.min.y},
              error.empty() ? read_colour(theme, size_tick_colour(what), theme.canvas) : theme.bad, text);
    if (!error.empty() && ImGui::IsMouseHoveringRect({x, line.min.y}, {x + width, line.max.y}))
      show_tooltip(error);
    x += width + theme.px(kButtonGap);
  }
  return asked.empty() ? 0 : line.min.y - top + next;
}

// Sizes that would be otherwise are on the axis too, unless they would leave none of the others to be seen:
// then their ticks stand at its end.
double reach_of(const GradientsScene& scene, GradientSizes sizes, const std::vector<WhatIfSizes>& what_ifs) {
  const auto add = [&](double part) {
    if (part > 0) sizes.tokens.push_back(std::clamp(part, 1 / kFarthestTick, kFarthestTick));
  };
  for (const WhatIfSizes& other : what_ifs) {
    for (const auto& [id, part] : other.stages) add(part);
    for (const double part : other.tokens) add(part);
  }
  return size_reach(sizes, scene.view().vanishing, scene.view().exploding);
}

float size_name_width(const GradientsScene& scene, const std::vector<SizeRow>& rows, float most) {
  float width = 0;
  for (const SizeRow& row : rows)
    width = std::max(width, text_width(scene.frame.theme.fonts.small, row.name));
  return std::min(width, most) + scene.frame.theme.px(kWordGap);
}

}  // namespace

void draw_sizes(GradientsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_title(list, theme, area.min, theme.text, "size", {{"norm ÷ that of dO", true}}, area.width());
  area.min.y += theme.px(kTitleHeight);
  const Study<WhatIfsFound> study = study_what_ifs(scene);
  const float small = font_size(theme.fonts.small);
  area.min.y += draw_size_legend(scene, {area.min, {area.max.x, area.min.y + small}}, study);
  area.min.y += theme.px(kZoneWords);
  std::vector<WhatIfSizes> what_ifs = study.found ? study.found->all : std::vector<WhatIfSizes>();
  std::erase_if(what_ifs, [asked = what_ifs_of(scene.spec)](const WhatIfSizes& other) {
    return std::ranges::find(asked, other.what) == asked.end();
  });
  const GradientSizes& sizes = sizes_on_screen(scene);
  const std::vector<SizeRow> stages = stage_rows(scene, sizes, what_ifs);
  const float caption = sizes.tokens.empty() ? 0 : small + theme.px(2 * kSignGap);
  const float room = area.height() - caption;
  const auto lines = static_cast<float>(stages.size() + sizes.tokens.size());
  SizesPlace place{.area = area, .line = std::min(theme.px(kSizeLine), room / lines)};
  // Of more tokens than can be named the stages keep their names.
  const bool all_words = place.line >= theme.px(kLeastSizeWords);
  if (!all_words) place.line = std::min(theme.px(kSizeLine), room * 0.6f / static_cast<float>(stages.size()));
  const float rest = room - place.line * static_cast<float>(stages.size());
  const auto most = static_cast<std::size_t>(std::max(0.0f, rest / theme.px(kLeastSizeLine)));
  const std::vector<SizeRow> tokens =
      token_rows(scene, sizes, what_ifs, all_words ? sizes.tokens.size() : most);
  std::vector<SizeRow> named = stages;
  if (all_words) named.insert(named.end(), tokens.begin(), tokens.end());
  place.stale_ticks = study.stale;
  place.axis = {area.min.x + size_name_width(scene, named, area.width() * kMostNameShare),
                area.max.x - theme.px(kSizeNumber), reach_of(scene, sizes, what_ifs)};
  const float all = place.line * lines + caption;
  draw_size_zones(scene, place, std::min(area.min.y + all, area.max.y));
  ImGui::PushID("sizes");
  float y = area.min.y;
  for (const SizeRow& row : stages) draw_size_row(scene, place, y, row), y += place.line;
  if (!tokens.empty()) {
    const ImVec2 at{area.min.x, y + theme.px(kSignGap)};  // over the bounds, which it would hide behind
    const std::string words = "dX of each token";
    list.AddRectFilled(at, {at.x + text_width(theme.fonts.small, words), at.y + small}, theme.canvas);
    draw_text(list, theme.fonts.small, at, theme.dim, words);
    y += caption;
    if (!all_words) place.words = false, place.line = rest / static_cast<float>(tokens.size());
    for (const SizeRow& row : tokens) draw_size_row(scene, place, y, row), y += place.line;
  }
  ImGui::PopID();
}

}  // namespace attn
