// The colours of each theme, and numbers as colours.
#include "app/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/theme/contrast.h"

namespace attn {
namespace {

constexpr ImU32 rgb(unsigned hex) {
  return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255);
}

// Every sixteenth of matplotlib's maps (Smith, van der Walt 2015; Nuñez, Anderton, Renslow 2018), public
// domain.
constexpr std::array<unsigned, 17> kViridis{0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d,
                                            0x2c728e, 0x26828e, 0x21918c, 0x1fa088, 0x28ae80, 0x3fbc73,
                                            0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725};
constexpr std::array<unsigned, 17> kCividis{0x00224e, 0x002e6a, 0x1a386f, 0x32436d, 0x434e6c, 0x535a6d,
                                            0x61656f, 0x6f7073, 0x7d7c78, 0x8c8878, 0x9b9476, 0xaba072,
                                            0xbcae6c, 0xcdbb63, 0xdec958, 0xf0d846, 0xfee838};

ImU32 sample(const std::array<unsigned, 17>& table, float t) {
  const float position = std::clamp(t, 0.0f, 1.0f) * 16;
  const auto i = std::min<std::size_t>(15, static_cast<std::size_t>(position));
  return mix(rgb(table[i]), rgb(table[i + 1]), position - static_cast<float>(i));
}

void set_dark(Theme& t) {
  t.canvas = rgb(0x101116), t.panel = rgb(0x15171d), t.bar = rgb(0x1b1d25), t.border = rgb(0x2a2d36);
  t.text = rgb(0xe4e6eb), t.dim = rgb(0x9da0ab), t.faint = rgb(0x8a8e97);
  t.accent = rgb(0x56b4e9), t.accent_soft = rgb(0x1d3a52), t.chip = rgb(0x22252d),
  t.chip_text = rgb(0xc3c6ce);
  t.good = rgb(0x6fd39a), t.warning = rgb(0xe8b04a), t.bad = rgb(0xff6b5e);
  t.outline = rgb(0xffffff), t.outline_soft = IM_COL32(255, 255, 255, 110), t.focus_ring = rgb(0x9fd6ff);
  t.cell_zero = rgb(0x26282e), t.cell_negative = rgb(0x4a90dd), t.cell_positive = rgb(0xe8914a);
  t.masked = rgb(0x1b1c22), t.hatch = rgb(0x34363f);
  t.query = rgb(0x56b4e9), t.key = rgb(0xe69f00), t.value = rgb(0x1fbf92), t.output = rgb(0xcc79a7);
}

void set_light(Theme& t) {
  t.canvas = rgb(0xfafafb), t.panel = rgb(0xf1f2f4), t.bar = rgb(0xe6e8ec), t.border = rgb(0xcdd0d7);
  t.text = rgb(0x1c1e24), t.dim = rgb(0x5a5f6b), t.faint = rgb(0x5f636d);
  t.accent = rgb(0x0a6cac), t.accent_soft = rgb(0xcfe6f6), t.chip = rgb(0xdfe2e8),
  t.chip_text = rgb(0x333741);
  t.good = rgb(0x157749), t.warning = rgb(0x915c00), t.bad = rgb(0xc2281b);
  t.outline = rgb(0x000000), t.outline_soft = IM_COL32(0, 0, 0, 120), t.focus_ring = rgb(0x0b72b5);
  t.cell_zero = rgb(0xf0f0f2), t.cell_negative = rgb(0x3f83d0), t.cell_positive = rgb(0xdd8338);
  t.masked = rgb(0xe9eaee), t.hatch = rgb(0xc3c6ce);
  t.query = rgb(0x0e6da6), t.key = rgb(0x8f5e00), t.value = rgb(0x007757), t.output = rgb(0xa04a7c);
}

void set_high_contrast(Theme& t) {
  set_dark(t);
  t.canvas = t.panel = t.bar = rgb(0x000000);
  t.border = rgb(0xffffff), t.text = rgb(0xffffff), t.dim = rgb(0xe0e0e0), t.faint = rgb(0xc4c4c4);
  t.accent = rgb(0xffe100), t.accent_soft = rgb(0x4a4200), t.chip = rgb(0x1f1f1f),
  t.chip_text = rgb(0xffffff);
  t.good = rgb(0x5dff9b), t.warning = rgb(0xffc933), t.bad = rgb(0xff7a6e);
  t.outline_soft = IM_COL32(255, 255, 255, 190), t.focus_ring = rgb(0xffe100);
  t.cell_zero = rgb(0x101010), t.masked = rgb(0x000000), t.hatch = rgb(0x8a8a8a);
}

ImVec4 vec(ImU32 colour) {
  return ImGui::ColorConvertU32ToFloat4(colour);
}

void set_imgui_colours(const Theme& t, ImVec4* c) {
  c[ImGuiCol_Text] = vec(t.text), c[ImGuiCol_TextDisabled] = vec(t.dim);
  c[ImGuiCol_WindowBg] = vec(t.canvas), c[ImGuiCol_ChildBg] = vec(t.panel);
  c[ImGuiCol_PopupBg] = c[ImGuiCol_MenuBarBg] = vec(t.bar);
  c[ImGuiCol_Border] = c[ImGuiCol_Separator] = vec(t.border), c[ImGuiCol_FrameBg] = vec(t.chip);
  c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_FrameBgActive] = vec(mix(t.chip, t.accent, 0.05f));
  c[ImGuiCol_Button] = vec(t.chip), c[ImGuiCol_ButtonHovered] = vec(mix(t.chip, t.accent, 0.25f));
  c[ImGuiCol_ButtonActive] = vec(mix(t.chip, t.accent, 0.4f));
  c[ImGuiCol_Header] = vec(t.accent_soft), c[ImGuiCol_HeaderHovered] = vec(mix(t.chip, t.accent, 0.3f));
  c[ImGuiCol_HeaderActive] = vec(mix(t.chip, t.accent, 0.4f)), c[ImGuiCol_CheckMark] = vec(t.accent);
  c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = vec(t.accent);
  c[ImGuiCol_TextSelectedBg] = vec(with_alpha(t.accent, 0.35f)), c[ImGuiCol_NavHighlight] = vec(t.focus_ring);
  c[ImGuiCol_ScrollbarBg] = vec(t.panel), c[ImGuiCol_ScrollbarGrab] = vec(t.border);
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = vec(t.faint);
  c[ImGuiCol_PlotHistogram] = vec(t.accent);
}

}  // namespace

Theme make_theme(ThemeName name, float scale, const Fonts& fonts, WeightColours weights) {
  Theme theme{};
  switch (name) {
    case ThemeName::dark:
      set_dark(theme);
      break;
    case ThemeName::light:
      set_light(theme);
      break;
    case ThemeName::high_contrast:
      set_high_contrast(theme);
      break;
  }
  theme.name = name;
  theme.scale = scale;
  theme.fonts = fonts;
  theme.weights = weights == WeightColours::cividis ? MapKind::cividis : MapKind::viridis;
  return theme;
}

void apply_to_imgui(const Theme& theme) {
  ImGuiStyle style;
  style.WindowRounding = 0, style.FrameRounding = 4, style.PopupRounding = 6, style.GrabRounding = 3;
  style.WindowBorderSize = 0, style.PopupBorderSize = 1;
  style.DisplaySafeAreaPadding = {8, 8};  // menus and tooltips keep away from the window's edge
  style.FramePadding = {8, 4}, style.ItemSpacing = {8, 6}, style.WindowPadding = {14, 12};
  set_imgui_colours(theme, style.Colors);
  style.ScaleAllSizes(theme.scale);
  ImGui::GetStyle() = style;
}

ImU32 role_colour(const Theme& theme, Role role) {
  switch (role) {
    case Role::query:
      return theme.query;
    case Role::key:
      return theme.key;
    case Role::value:
      return theme.value;
    case Role::output:
      return theme.output;
    case Role::weights:
      return theme.name == ThemeName::light ? rgb(0x786800) : rgb(0xfde725);
    default:
      return theme.text;
  }
}

Role hue_of(const Graph& graph, StageIndex stage) {
  while (graph.stages[stage].gradient_of) stage = *graph.stages[stage].gradient_of;
  return graph.stages[stage].role;
}

ImU32 series_colour(std::size_t index) {
  constexpr std::array<unsigned, 7> kOkabeIto{0x56b4e9, 0xe69f00, 0x009e73, 0xcc79a7,
                                              0xf0e442, 0x0072b2, 0xd55e00};
  return rgb(kOkabeIto[index % kOkabeIto.size()]);
}

ImU32 map_colour(const Theme& theme, const ColourMap& map, float value) {
  const float t = map.range > 0 ? value / map.range : 0;
  if (map.kind == MapKind::viridis) return sample(kViridis, t);
  if (map.kind == MapKind::cividis) return sample(kCividis, t);
  const float size = map.decades > 0 ? 1 + std::log10(std::abs(t)) / map.decades : std::abs(t);
  return mix(theme.cell_zero, t < 0 ? theme.cell_negative : theme.cell_positive,
             std::clamp(size, 0.0f, 1.0f));
}

ImU32 ink_on(ImU32 background) {
  const bool white = contrast(IM_COL32_WHITE, background) >= contrast(IM_COL32_BLACK, background);
  return white ? IM_COL32_WHITE : IM_COL32_BLACK;
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  const auto a =
      static_cast<ImU32>(std::clamp(alpha, 0.0f, 1.0f) * static_cast<float>(colour >> IM_COL32_A_SHIFT));
  return (colour & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

ImU32 mix(ImU32 a, ImU32 b, float t) {
  const ImVec4 x = vec(a), y = vec(b);
  return ImGui::ColorConvertFloat4ToU32(
      {x.x + (y.x - x.x) * t, x.y + (y.y - x.y) * t, x.z + (y.z - x.z) * t, x.w + (y.w - x.w) * t});
}

}  // namespace attn
