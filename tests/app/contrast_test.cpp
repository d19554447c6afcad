// Words can be read in every theme: 4.5 : 1 against the ground that they stand on, as WCAG 2 asks.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/canvas/notice.h"
#include "app/panels/device_badge.h"
#include "app/theme/contrast.h"
#include "app/widgets/chips.h"

using namespace attn;

namespace {

constexpr double kReadable = 4.5;

double relative_luminance(ImU32 colour) {
  const auto linear = [&](int shift) {
    const double v = ((colour >> shift) & 255) / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(IM_COL32_R_SHIFT) + 0.7152 * linear(IM_COL32_G_SHIFT) +
         0.0722 * linear(IM_COL32_B_SHIFT);
}

double seen_contrast(ImU32 a, ImU32 b) {
  const auto [darker, lighter] = std::minmax({relative_luminance(a), relative_luminance(b)});
  return (lighter + 0.05) / (darker + 0.05);
}

using Named = std::vector<std::pair<std::string, ImU32>>;

void check_inks(const Theme& theme, const Named& inks, const Named& grounds, double least = kReadable) {
  for (const auto& [ink, colour] : inks)
    for (const auto& [ground, behind] : grounds) {
      INFO("theme ", static_cast<int>(theme.name), ": ", ink, " on ", ground);
      CHECK(seen_contrast(colour, behind) >= least);
    }
}

std::vector<Theme> all_themes() {
  std::vector<Theme> themes;
  for (const ThemeName name : {ThemeName::dark, ThemeName::light, ThemeName::high_contrast})
    themes.push_back(make_theme(name, 1, {}));
  return themes;
}

}  // namespace

TEST_CASE("contrast: 21 between black and white, 1 between equals") {
  CHECK(seen_contrast(IM_COL32_BLACK, IM_COL32_WHITE) == doctest::Approx(21));
  CHECK(seen_contrast(IM_COL32_WHITE, IM_COL32_WHITE) == doctest::Approx(1));
  CHECK(contrast(IM_COL32_BLACK, IM_COL32_WHITE) == doctest::Approx(21));
  CHECK(seen_contrast(IM_COL32(119, 119, 119, 255), IM_COL32_WHITE) == doctest::Approx(4.48).epsilon(0.001));
}

TEST_CASE("contrast: words can be read on every ground of every theme") {
  for (const Theme& theme : all_themes()) {
    const Named grounds{{"canvas", theme.canvas}, {"panel", theme.panel}, {"bar", theme.bar}};
    Named inks{{"text", theme.text},     {"dim", theme.dim},   {"faint", theme.faint},
               {"accent", theme.accent}, {"good", theme.good}, {"warning", theme.warning},
               {"bad", theme.bad}};
    for (const Role role : {Role::query, Role::key, Role::value, Role::output, Role::weights})
      inks.emplace_back("role " + std::to_string(static_cast<int>(role)), role_colour(theme, role));
    check_inks(theme, inks, grounds);
    check_inks(theme, {{"text", theme.text}, {"dim", theme.dim}}, {{"a chosen line", theme.accent_soft}});
    check_inks(theme, {{"text", theme.text}, {"chip_text", theme.chip_text}}, {{"box", theme.chip}});
  }
}

TEST_CASE("contrast: words of chips can be read, also of pale ones that say why they can do nothing") {
  Chip plain, lit, filled, pale;
  lit.on = filled.filled = pale.faint = true;
  for (const Theme& theme : all_themes()) {
    for (const bool hovered : {false, true})
      for (const auto& [name, chip] :
           {std::pair("plain", plain), {"lit", lit}, {"filled", filled}, {"pale", pale}}) {
        const ChipInk ink = chip_ink(theme, chip, hovered);
        check_inks(theme, {{"words", ink.text}},
                   {{name + std::string(hovered ? ", hovered" : ""), ink.fill}});
      }
  }
}

TEST_CASE("contrast: the badge's words can be read on its pill") {
  for (const Theme& theme : all_themes())
    for (const auto health : {Badge::starting, Badge::good, Badge::doubtful, Badge::reference, Badge::fault})
      for (const bool hovered : {false, true}) {
        const BadgeInk ink = badge_ink(theme, health, hovered);
        check_inks(theme, {{"health " + std::to_string(health), ink.text}},
                   {{hovered ? "its pill, hovered" : "its pill", ink.fill}});
      }
}

TEST_CASE("contrast: words can be read on bands, and the chips on them") {
  for (const Theme& theme : all_themes())
    check_inks(
        theme, {{"text", theme.text}},
        {{"a warning", band_ground(theme, theme.warning)}, {"an error", band_ground(theme, theme.bad)}});
}

TEST_CASE("contrast: words of the toolkit can be read on its grounds") {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  for (const Theme& theme : all_themes()) {
    apply_to_imgui(theme);
    const auto of = [](std::initializer_list<ImGuiCol_> which) {
      Named list;
      for (const ImGuiCol_ colour : which)
        list.emplace_back(ImGui::GetStyleColorName(colour), ImGui::GetColorU32(colour));
      return list;
    };
    check_inks(theme, of({ImGuiCol_Text, ImGuiCol_TextDisabled}),
               of({ImGuiCol_WindowBg, ImGuiCol_ChildBg, ImGuiCol_PopupBg, ImGuiCol_FrameBg,
                   ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive}));
    check_inks(theme, of({ImGuiCol_Text}),
               of({ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive, ImGuiCol_Header,
                   ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive}));
  }
  ImGui::DestroyContext();
}

TEST_CASE("contrast: numbers can be read on every colour of the maps") {
  for (const Theme& theme : all_themes())
    for (const MapKind kind : {MapKind::diverging, MapKind::viridis, MapKind::cividis})
      for (int i = -256; i <= 256; ++i) {
        const ImU32 cell = map_colour(theme, {kind, 1}, static_cast<float>(i) / 256);
        INFO("map ", static_cast<int>(kind), " at ", i);
        CHECK(seen_contrast(ink_on(cell), cell) >= kReadable);
      }
}

TEST_CASE("contrast: names of series and marks can be read in their colours") {
  for (const Theme& theme : all_themes())
    for (std::size_t i = 0; i < 7; ++i)
      for (const ImU32 ground : {theme.panel, theme.chip}) {
        INFO("theme ", static_cast<int>(theme.name), ", series ", i);
        CHECK(seen_contrast(read_colour(theme, series_colour(i), ground), ground) >= kReadable);
      }
}
