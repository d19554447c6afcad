// Colours, sizes and fonts of the program: one table a theme, and the colour maps of numbers.
#pragma once

#include <imgui.h>

#include <string_view>

#include "app/theme/brushes.h"
#include "app/theme/settings.h"
#include "core/graph/graph.h"

namespace attn {

// A round corner in the fonts' texture: a disc whose quarters are corners of this radius, in pixels.
struct Corner {
  float radius = 0;  // 0: there is none
  ImVec2 uv_min{}, uv_max{};
};

struct Fonts {
  ImFont* body = nullptr;
  ImFont* bold = nullptr;
  ImFont* small = nullptr;
  ImFont* large = nullptr;  // zoomed cells
  ImFont* title = nullptr;  // what a step is called
  ImFont* lead = nullptr;   // and what is said of it
  Corner corner;            // of cells
  Brushes brushes;          // of plots
};

// Points, the same in every workspace: around and between its parts, of a title above one, of a smaller title
// above a map, and the width from which parts stand side by side.
inline constexpr float kSceneMargin = 22, kSceneGap = 26, kTitleHeight = 26, kMapTitleHeight = 24,
                       kRoomyScene = 700;
// Between what stands in one line or belongs together: a sign and its number, cells of a table, chips, words,
// buttons, maps, columns.
inline constexpr float kSignGap = 4, kTableGap = 6, kChipGap = 7, kWordGap = 8, kButtonGap = 10, kMapGap = 14,
                       kWideGap = 20;

enum class MapKind { diverging, viridis, cividis };

// Plain values; sizes are already multiplied by the scale.
struct Theme {
  ThemeName name = ThemeName::dark;
  float scale = 1;
  Fonts fonts;

  ImU32 canvas, panel, bar, border;
  ImU32 text, dim, faint;  // words, captions, hints
  ImU32 accent, accent_soft, chip, chip_text;
  ImU32 good, warning, bad;
  ImU32 outline, outline_soft;  // linked highlight: the cells a number was made from, the cells it goes into
  ImU32 focus_ring;
  ImU32 cell_zero, cell_negative, cell_positive;  // ends of the diverging map
  ImU32 masked, hatch;
  ImU32 query, key, value, output;
  MapKind weights;  // of what is never below 0

  float px(float points) const { return points * scale; }
};

// Colours for `name`; fonts are set by the host.
Theme make_theme(ThemeName name, float scale, const Fonts& fonts,
                 WeightColours weights = WeightColours::viridis);

// Dear ImGui's own widgets in the theme's colours and sizes.
void apply_to_imgui(const Theme& theme);

// The hue of a stage's title: query blue, key orange, value green, output purple, weights yellow; else plain
// text.
ImU32 role_colour(const Theme& theme, Role role);
// The role whose hue a stage has: of a gradient that of its stage.
Role hue_of(const Graph& graph, StageIndex stage);

// Okabe–Ito colours for heads and series, in order, repeating.
ImU32 series_colour(std::size_t index);

// How numbers of a matrix become colours.
struct ColourMap {
  MapKind kind = MapKind::diverging;
  float range = 1;  // diverging: −range … range; the others: 0 … range
  // Of a diverging one that is coloured by the logarithm of the size: the powers of ten below the range that
  // are told from 0; else 0.
  float decades = 0;
};

// The colour of a finite number. NaN and ±∞ have patterns of their own, drawn by the widgets.
ImU32 map_colour(const Theme& theme, const ColourMap& map, float value);

// Black or white, whichever reads better on `background`.
ImU32 ink_on(ImU32 background);

ImU32 with_alpha(ImU32 colour, float alpha);
ImU32 mix(ImU32 a, ImU32 b, float t);

}  // namespace attn
