// What the pointer is at: a crosshair, a ring, and the sample in words. And quiet words about what is not
// shown.
#include <cmath>
#include <limits>

#include "app/plot/plot_numbers.h"
#include "app/plot/plot_parts.h"
#include "app/widgets/strokes.h"

namespace attn {
namespace {

constexpr float kPadX = 8, kPadY = 4, kReadoutSwatch = 8, kBetween = 10, kAway = 12;  // points

std::string value_words(const PlotAxis& axis, const AxisScale& scale, double value) {
  const double index = std::round(value);
  if (axis.names && index == value && index >= 0 && index < static_cast<double>(axis.names->size()))
    return (*axis.names)[static_cast<std::size_t>(index)];
  return readout_text(axis.format, value, scale.resolution(value));
}

// "Gaussian  2.4  3.718" of a sample, "2.4  3.718" of a place.
struct ReadoutWords {
  std::string name, x, y;
  ImU32 colour = 0;
};

ReadoutWords words_of(const PlotScene& scene, const std::optional<FoundSample>& found, ImVec2 pointer) {
  ReadoutWords words;
  double x = scene.layout.x.value(static_cast<double>(pointer.x)),
         y = scene.layout.y.value(static_cast<double>(pointer.y));
  if (found) {
    const Series& series = scene.plot.series[found->spot.series];
    x = series.x_at(found->spot.sample), y = series.y[found->spot.sample];
    words.name = series.name;
    words.colour = scene.looks[found->spot.series].colour | IM_COL32_A_MASK;
  }
  words.x = found ? value_words(scene.plot.x, scene.layout.x, x)
                  : readout_text(scene.plot.x.format, x, scene.layout.x.resolution(x));
  words.y = value_words(scene.plot.y, scene.layout.y, y);
  return words;
}

// Above and right of the place where there is room, else on the other side; always inside.
Rect readout_box(const PlotScene& scene, ImVec2 at, ImVec2 size) {
  const Rect& inside = scene.layout.inside;
  const float away = scene.px(kAway);
  float left = at.x + away, top = at.y - away - size.y;
  if (left + size.x > inside.max.x) left = at.x - away - size.x;
  if (top < inside.min.y) top = at.y + away;
  left = std::clamp(left, inside.min.x, std::max(inside.min.x, inside.max.x - size.x));
  top = std::clamp(top, inside.min.y, std::max(inside.min.y, inside.max.y - size.y));
  left = std::round(left), top = std::round(top);
  return {{left, top}, {left + size.x, top + size.y}};
}

void draw_words(const PlotScene& scene, ReadoutWords words, ImVec2 at) {
  const ImFont* font = scene.theme.fonts.small;
  const float between = scene.px(kBetween),
              swatch = words.colour != 0 ? scene.px(kReadoutSwatch) + scene.px(5) : 0;
  const float room = scene.layout.inside.width() - scene.px(2 * kPadX);
  const float numbers = text_width(font, words.x) + between + text_width(font, words.y);
  words.name =
      words.name.empty() ? "" : elided(font, words.name, std::max(0.0f, room - swatch - numbers - between));
  if (swatch + numbers > room) {
    words.x = elided(font, words.x, std::max(0.0f, (room - between - swatch) / 2));
    words.y = elided(font, words.y, std::max(0.0f, room - between - swatch - text_width(font, words.x)));
  }
  float width = scene.px(2 * kPadX) + swatch - between;
  for (const std::string* part : {&words.name, &words.x, &words.y})
    if (!part->empty()) width += text_width(font, *part) + between;
  const Rect box = readout_box(scene, at, {std::ceil(width), line_height(font) + scene.px(2 * kPadY)});
  scene.list.AddRectFilled(box.min, box.max, with_alpha(scene.theme.chip, 0.94f), scene.px(4));
  scene.list.AddRect(box.min, box.max, scene.theme.border, scene.px(4), 0, scene.px(1));
  float x = box.min.x + scene.px(kPadX);
  const float y = box.min.y + scene.px(kPadY);
  if (words.colour != 0) {
    draw_disc(scene.list, scene.theme, {x + scene.px(kReadoutSwatch / 2), (box.min.y + box.max.y) / 2},
              scene.px(kReadoutSwatch / 2), words.colour);
    x += swatch;
  }
  for (const std::string* part : {&words.name, &words.x, &words.y}) {
    if (part->empty()) continue;
    draw_text(scene.list, font, {x, y}, part == &words.name ? scene.theme.dim : scene.theme.text, *part);
    x += text_width(font, *part) + between;
  }
}

void draw_crosshair(const PlotScene& scene, ImVec2 at) {
  const Rect& inside = scene.layout.inside;
  const float width = std::max(1.0f, std::floor(scene.theme.scale));
  const float x = std::round(at.x), y = std::round(at.y);
  const ImU32 colour = with_alpha(scene.theme.text, 0.28f);
  if (x >= inside.min.x && x < inside.max.x)
    scene.list.AddRectFilled({x, inside.min.y}, {x + width, inside.max.y}, colour);
  if (y >= inside.min.y && y < inside.max.y)
    scene.list.AddRectFilled({inside.min.x, y}, {inside.max.x, y + width}, colour);
}

std::string counted(std::size_t count, const char* what) {
  return decimal_text(static_cast<double>(count), 0) + " " + what + (count == 1 ? "" : "s");
}

// Why less is seen than there is.
std::string missing_words(const PlotScene& scene) {
  std::size_t shown = 0, left_out = 0, samples = 0;
  bool hidden = false;
  for (std::size_t s = 0; s < scene.facts.size(); ++s) {
    hidden = hidden || !scene.facts[s];
    if (!scene.facts[s]) continue;
    shown += scene.facts[s]->shown, left_out += scene.facts[s]->left_out;
    samples += scene.plot.series[s].count();
  }
  if (left_out > 0) return counted(left_out, "sample") + " not above 0: not on a logarithmic axis";
  if (shown > 0 || hidden) return {};
  return samples > 0 ? "no sample is a finite number" : "no samples";
}

}  // namespace

void draw_readout(const PlotScene& scene, const std::optional<FoundSample>& found, ImVec2 pointer) {
  const ImVec2 at = found ? found->at : pointer;
  draw_crosshair(scene, at);
  if (found && scene.layout.inside.contains(at))
    draw_ring(scene.list, at, scene.px(5.5f), scene.theme.outline, scene.px(1.5f));
  draw_words(scene, words_of(scene, found, pointer),
             found && scene.layout.inside.contains(at) ? at : pointer);
}

void draw_hints(const PlotScene& scene, bool hovered) {
  std::string text = missing_words(scene);
  if (hovered && !scene.plot.cursor_hint.empty())
    text += (text.empty() ? "" : " · ") + scene.plot.cursor_hint;
  const ImFont* font = scene.theme.fonts.small;
  const Rect& inside = scene.layout.inside;
  const float gap = scene.px(6), height = line_height(font);
  if (text.empty() || inside.height() < height + 2 * gap) return;
  text = elided(font, text, std::max(0.0f, inside.width() - 2 * gap));
  const float width = text_width(font, text);
  const std::vector<Rect> taken = places_of_words(scene);
  Rect box{};
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const bool top : {false, true})
    for (const bool right : {false, true}) {
      const ImVec2 min{right ? inside.max.x - gap - width : inside.min.x + gap,
                       top ? inside.min.y + gap : inside.max.y - gap - height};
      const Rect place{min, {min.x + width, min.y + height}};
      if (std::ranges::any_of(taken, [&](const Rect& other) { return overlap(place, other); })) continue;
      if (const std::size_t hidden = hidden_by(scene, place); hidden < least) box = place, least = hidden;
    }
  if (box.width() <= 0) return;
  scene.list.AddRectFilled({box.min.x - scene.px(3), box.min.y - scene.px(1)},
                           {box.max.x + scene.px(3), box.max.y + scene.px(1)},
                           with_alpha(scene.theme.panel, 0.82f));
  draw_text(scene.list, font, box.min, scene.theme.dim, text);
}

}  // namespace attn
