// The track, its thumb, and the line of words above.
#include "app/fields/slider.h"

#include <algorithm>
#include <cmath>

#include "app/fields/field_typing.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/strokes.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kWords = 20, kTrack = 20, kThumb = 6, kLine = 3;

double share_of(const SliderBox& box, double value) {
  if (!(box.most > box.least)) return 0;
  const double share = box.log ? std::log(value / box.least) / std::log(box.most / box.least)
                               : (value - box.least) / (box.most - box.least);
  return std::clamp(share, 0.0, 1.0);
}

double value_at(const SliderBox& box, double share) {
  share = std::clamp(share, 0.0, 1.0);
  double value = box.log ? box.least * std::pow(box.most / box.least, share)
                         : box.least + share * (box.most - box.least);
  if (box.log && !box.whole) value = three_digits(value);
  return std::clamp(box.whole ? std::round(value) : value, box.least, box.most);
}

void draw_words(Frame& frame, Column column, const FieldRow& row, const SliderBox& box) {
  const Theme& theme = frame.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float value = text_width(theme.fonts.body, box.shown);
  draw_text(list, theme.fonts.body, at, theme.text,
            elided(theme.fonts.body, row.label, column.right - column.left - value - theme.px(8)));
  draw_text(list, theme.fonts.body, {column.right - value, at.y}, theme.text, box.shown);
  ImGui::SetCursorScreenPos({column.left, at.y + theme.px(kWords)});
}

}  // namespace

double three_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
  return std::round(value / unit) * unit;
}

std::optional<double> slider_row(Frame& frame, Column column, const FieldRow& row, const SliderBox& box) {
  const Theme& theme = frame.theme;
  if (!box.shown.empty()) draw_words(frame, column, row, box);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float radius = theme.px(kThumb), left = column.left + radius, right = column.right - radius;
  ImGui::InvisibleButton(field_id(row).c_str(), {column.right - column.left, theme.px(kTrack)});
  std::optional<double> wanted;
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(0))
    wanted = value_at(box, static_cast<double>((ImGui::GetIO().MousePos.x - left) / (right - left)));
  if (has_focus_ring()) {
    const double step = box.whole ? 1 : (box.most - box.least) / 100;
    const auto stepped = [&](double direction) {
      return box.log && !box.whole ? value_at(box, share_of(box, box.value) + direction / 100)
                                   : std::clamp(box.value + direction * step, box.least, box.most);
    };
    if (key_pressed(GLFW_KEY_UP)) wanted = stepped(1);
    if (key_pressed(GLFW_KEY_DOWN)) wanted = stepped(-1);
  }
  if (wants_tooltip() && !ImGui::IsItemActive()) show_tooltip(row.tooltip);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = std::round(at.y + theme.px(kTrack) / 2), half = theme.px(kLine) / 2;
  const float x = left + (right - left) * static_cast<float>(share_of(box, box.value));
  list.AddRectFilled({left, y - half}, {right, y + half}, theme.chip, half);
  list.AddRectFilled({left, y - half}, {x, y + half}, theme.accent, half);
  draw_disc(list, theme, {x, y}, radius, theme.accent);
  draw_focus_ring(theme, theme.px(4));
  ImGui::SetCursorScreenPos({column.left, at.y + theme.px(kTrack + 6)});
  return wanted && *wanted != box.value ? wanted : std::nullopt;
}

std::optional<double> number_track(Frame& frame, Column column, const char* id, const NumberField& about,
                                   double value, double least, double most, bool log) {
  return slider_row(frame, column, {id, "", std::string(about.text.sentence)},
                    {.value = value,
                     .least = std::min(least, value),
                     .most = std::max(most, value),
                     .whole = false,
                     .log = log});
}

void count_track(Frame& frame, Column column, const char* id, const CountField& about, std::size_t& value,
                 std::size_t most) {
  most = std::max(value, std::min(most, about.most));
  const auto wanted = slider_row(frame, column, {id, "", std::string(about.text.sentence)},
                                 {.value = static_cast<double>(value),
                                  .least = static_cast<double>(about.least),
                                  .most = static_cast<double>(most),
                                  .log = true});
  if (wanted) value = static_cast<std::size_t>(*wanted);
}

}  // namespace attn
