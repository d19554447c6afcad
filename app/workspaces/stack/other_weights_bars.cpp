// The weights of a row and others with the same output, side by side for every key.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/stack/other_weights.h"

namespace attn {
namespace {

constexpr float kKeyName = 18, kWidestPair = 30;  // points

std::string number_text(double weight) {
  return inspector::write(weight, {4, false});
}

void explain_bars(const OtherScene& others, std::size_t key) {
  const MixedRow& row = others.found.row;
  std::string words = "key " + std::to_string(key) + " “" + others.found.keys[key] + "”";
  if (!std::ranges::binary_search(row.seen, key)) return show_tooltip(words + ": masked, stays 0");
  words += ": " + number_text(static_cast<double>(row.weights[key]));
  if (others.other()) words += " here, " + number_text(others.others[key]) + " there";
  show_tooltip(words);
}

}  // namespace

void draw_other_bars(const OtherScene& others, Rect area) {
  const Theme& theme = others.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const std::vector<float>& here = others.found.row.weights;
  const float pitch = std::min(theme.px(kWidestPair), area.width() / static_cast<float>(here.size()));
  const float foot = area.max.y - theme.px(kKeyName), bar = std::max(0.5f, pitch * 0.4f);
  double most = 0;
  for (std::size_t key = 0; key < here.size(); ++key)
    most = std::max({most, static_cast<double>(here[key]), others.others[key]});
  const auto draw = [&](float x, double weight, ImU32 colour) {
    const auto height = static_cast<float>(most > 0 ? weight / most : 0) * (foot - area.min.y);
    if (height > 0)
      list.AddRectFilled({x, foot - std::max(height, theme.px(0.75f))}, {x + bar, foot}, colour);
  };
  list.AddLine({area.min.x, foot}, {area.min.x + pitch * static_cast<float>(here.size()), foot},
               others.ink(theme.border), theme.px(1));
  float names_end = area.min.x;
  for (std::size_t key = 0; key < here.size(); ++key) {
    const float x = area.min.x + pitch * static_cast<float>(key), middle = x + pitch / 2;
    draw(others.other() ? middle - bar : middle - bar / 2, static_cast<double>(here[key]),
         others.ink(here_colour(theme)));
    if (others.other()) draw(middle, others.others[key], others.ink(others_colour(theme)));
    const std::string& name = others.found.keys[key];
    const float width = text_width(font, name), left = std::max(area.min.x, middle - width / 2);
    if (left < names_end || left + width > area.max.x) continue;
    draw_text(list, font, {left, foot + theme.px(2)}, others.ink(theme.dim), name);
    names_end = left + width + theme.px(kSignGap);
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!area.contains(mouse) || !ImGui::IsWindowHovered() || ImGui::IsAnyItemActive()) return;
  const auto key = static_cast<std::size_t>((mouse.x - area.min.x) / pitch);
  if (key < here.size()) explain_bars(others, key);
}

}  // namespace attn
