// The rectangles of a plot. Around the data: the title, numbers on the left and below, the axes' titles.
// Where the area is small the axes' titles go first, then the numbers, then the title; ticks become fewer
// before that.
#include "app/plot/plot_layout.h"
#include "app/theme/toolkit.h"

#include <cmath>

namespace attn {
namespace {

constexpr float kTitleGap = 7, kTickGap = 7, kNumberGap = 4, kSide = 10, kIndent = 6;  // points
constexpr float kLeastTitle = 16;   // points: even "…" would not fit
constexpr float kLeastInside = 48;  // a side; smaller: something else goes
constexpr float kTickPitchX = 62, kTickPitchY = 36,
                kLeastApart = 16;  // points from tick to tick, label to label
constexpr int kMostTicks = 12;
constexpr float kWidestNumbers = 0.35f, kWidestNames = 0.3f;  // of the area's width

// What there is room for.
struct Parts {
  bool title, y_title, x_title, numbers_x, numbers_y;
};

Parts wanted_parts(const Plot& plot) {
  return {!plot.title.empty() || !plot.subtitle.empty(), !plot.y.title.empty(), !plot.x.title.empty(), true,
          true};
}

struct Heights {
  float title, y_title, numbers, x_title;
};

Heights heights_of(const Theme& theme, const Parts& parts) {
  const float small = line_height(theme.fonts.small);
  return {parts.title ? line_height(theme.fonts.bold) + theme.px(kTitleGap) : 0,
          parts.y_title ? small + theme.px(kNumberGap) : 0,
          parts.numbers_x ? small + theme.px(kNumberGap) : 0, parts.x_title ? small : 0};
}

float room_inside(const Theme& theme, const Parts& parts, Rect area) {
  const Heights h = heights_of(theme, parts);
  const float edge = theme.px(kNumberGap);  // for the focus ring, and half of the topmost number
  return area.height() - h.title - h.y_title - h.numbers - h.x_title - 2 * edge;
}

Parts fitting_parts(const Theme& theme, const Plot& plot, Rect area) {
  Parts parts = wanted_parts(plot);
  const auto tight = [&] { return room_inside(theme, parts, area) < theme.px(kLeastInside); };
  for (bool Parts::*part : {&Parts::x_title, &Parts::y_title, &Parts::numbers_x, &Parts::title})
    if (tight()) parts.*part = false;
  return parts;
}

float widest(const ImFont* font, const std::vector<Tick>& ticks) {
  float width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(font, tick.text));
  return width;
}

int most_ticks(float room, float pitch) {
  return std::clamp(static_cast<int>(room / pitch), 2, kMostTicks);
}

float whole(float pixel) {
  return std::round(pixel);
}

// Numbers left of the inside, in the middle of their lines.
std::vector<PlacedTick> place_y(const Theme& theme, const std::vector<Tick>& ticks, const PlotLayout& layout,
                                bool numbers) {
  const ImFont* font = theme.fonts.small;
  const float height = line_height(font), right = layout.inside.min.x - theme.px(kTickGap);
  const float widest = right - layout.area.min.x;
  std::vector<PlacedTick> placed;
  float free_below = layout.area.max.y;  // ticks come from low to high: upwards
  for (const Tick& tick : ticks) {
    PlacedTick t{.value = tick.value, .at = whole(layout.y.pixel(tick.value)), .label = {}};
    const float top = std::clamp(t.at - whole(height / 2), layout.area.min.y, layout.area.max.y - height);
    if (numbers && top + height <= free_below) {
      const std::string text = elided(font, tick.text, widest);
      t.label = {text, {{right - text_width(font, text), top}, {right, top + height}}};
      free_below = top;
    }
    placed.push_back(std::move(t));
  }
  return placed;
}

// Numbers below the inside, centred at their lines and kept in the area. `clash`: some had no room.
std::vector<PlacedTick> place_x(const Theme& theme, const std::vector<Tick>& ticks, const PlotLayout& layout,
                                float apart, bool& clash) {
  const ImFont* font = theme.fonts.small;
  const float top = layout.inside.max.y + theme.px(kNumberGap);
  float free_from = layout.area.min.x - apart;
  clash = false;
  std::vector<PlacedTick> placed;
  for (const Tick& tick : ticks) {
    PlacedTick t{.value = tick.value, .at = whole(layout.x.pixel(tick.value)), .label = {}};
    const float width = text_width(font, tick.text);
    const float left = whole(std::clamp(t.at - width / 2, layout.area.min.x,
                                        std::max(layout.area.min.x, layout.area.max.x - width)));
    if (left >= free_from + apart && width <= layout.area.width()) {
      t.label = {tick.text, {{left, top}, {left + width, top + line_height(font)}}};
      free_from = left + width;
    } else {
      clash = true;
    }
    placed.push_back(std::move(t));
  }
  return placed;
}

// As many as can be written side by side.
std::vector<PlacedTick> fitting_x(const Theme& theme, const Plot& plot, const PlotLayout& layout,
                                  bool numbers) {
  const float apart = theme.px(plot.x.names ? kLeastApart / 2 : kLeastApart);
  int most = most_ticks(layout.inside.width(), theme.px(plot.x.names ? kTickPitchX / 3 : kTickPitchX));
  if (plot.x.names) most = 64;
  for (;; --most) {
    bool clash = false;
    std::vector<PlacedTick> placed =
        place_x(theme, plot_ticks(plot.x, layout.x.log(), layout.x.range(), most), layout, apart, clash);
    if (clash && most > 2) continue;
    if (!numbers)
      for (PlacedTick& tick : placed) tick.label = {};
    return placed;
  }
}

void place_titles(PlotLayout& layout, const Theme& theme, const Plot& plot, const Parts& parts) {
  const ImFont* small = theme.fonts.small;
  const float edge = theme.px(kNumberGap), indent = theme.px(kIndent);  // clear of the focus ring
  if (parts.title && layout.area.width() - indent - edge >= theme.px(kLeastTitle))
    layout.title = {{layout.area.min.x + indent, layout.area.min.y + edge},
                    {layout.area.max.x - edge, layout.area.min.y + edge + line_height(theme.fonts.bold)}};
  const float room = layout.inside.max.x - layout.area.min.x - indent;
  if (room < theme.px(kLeastTitle)) return;
  if (parts.y_title) {
    const float bottom = layout.inside.min.y - edge;
    const std::string text = elided(small, plot.y.title, room);
    layout.y_title = {text, {{layout.area.min.x + indent, bottom - line_height(small)}, {0, bottom}}};
    layout.y_title.box.max.x = layout.y_title.box.min.x + text_width(small, text);
  }
  if (parts.x_title) {
    const float top = layout.inside.max.y + edge + (parts.numbers_x ? line_height(small) : 0);
    const std::string text = elided(small, plot.x.title, room);
    layout.x_title = {text,
                      {{layout.inside.max.x - text_width(small, text), top},
                       {layout.inside.max.x, top + line_height(small)}}};
  }
}

// Names below the plot take this much.
float height_of_names(const Theme& theme, const Plot& plot, Rect area) {
  const std::vector<LegendEntry> names = names_below(theme, plot, area);
  return names.empty() ? 0 : area.max.y - names.front().box.min.y;
}

// Names right of the plot take this much.
float width_of_names(const Theme& theme, const Plot& plot, Rect area) {
  if (plot.legend != PlotLegend::right) return 0;
  float width = 0;
  for (const Series& series : plot.series) width = std::max(width, text_width(theme.fonts.bold, series.name));
  if (width == 0) return 0;
  return std::min(width, area.width() * kWidestNames) + theme.px(kSide);
}

}  // namespace

float line_height(const ImFont* font) {
  return std::ceil(font_size(font));
}

PlotLayout plot_layout(const Theme& theme, const Plot& plot, const PlotView& view, const PlotFit& ranges,
                       Rect area) {
  PlotLayout layout;
  layout.area = {{whole(area.min.x), whole(area.min.y)}, {whole(area.max.x), whole(area.max.y)}};
  area = layout.area;
  area.max.y -= height_of_names(theme, plot, area);
  Parts parts = fitting_parts(theme, plot, area);
  const Heights h = heights_of(theme, parts);
  const float edge = theme.px(kNumberGap);
  Rect& inside = layout.inside;
  inside = {{area.min.x + edge, whole(area.min.y + edge + h.title + h.y_title)},
            {area.max.x - edge - width_of_names(theme, plot, area),
             whole(area.max.y - edge - h.numbers - h.x_title)}};
  layout.y = AxisScale(ranges.y, is_log_y(plot, view), inside.max.y, inside.min.y);
  const auto ticks_y = plot_ticks(plot.y, layout.y.log(), layout.y.range(),
                                  most_ticks(inside.height(), theme.px(kTickPitchY)));
  float numbers = widest(theme.fonts.small, ticks_y);
  // While a person zooms the frame stands still, though the numbers change.
  if (view.x || view.y) numbers = std::max(numbers, view.numbers);
  numbers = std::min(numbers, area.width() * kWidestNumbers);
  parts.numbers_y = inside.width() - numbers - theme.px(kTickGap) >= theme.px(kLeastInside) &&
                    inside.height() >= line_height(theme.fonts.small);
  if (parts.numbers_y) inside.min.x = whole(inside.min.x + numbers + theme.px(kTickGap));
  inside.max.x = whole(inside.max.x - std::min(theme.px(kSide), inside.width() / 8));
  if (layout.empty()) return layout;
  layout.x = AxisScale(ranges.x, is_log_x(plot, view), inside.min.x, inside.max.x);
  layout.y_ticks = place_y(theme, ticks_y, layout, parts.numbers_y);
  layout.x_ticks = fitting_x(theme, plot, layout, parts.numbers_x);
  place_titles(layout, theme, plot, parts);
  layout.x_axis = {{inside.min.x, inside.max.y}, {inside.max.x, area.max.y}};
  layout.numbers = numbers;
  layout.y_axis = {{area.min.x, inside.min.y}, {inside.min.x, inside.max.y}};
  return layout;
}

}  // namespace attn
