// What is said of a layer beside its maps.
#include <algorithm>
#include <cmath>

#include "app/cells/cell_layout.h"
#include "app/plot/plot_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/stack/rows_look.h"

namespace attn {
namespace {

constexpr float kSinkBar = 24, kBesideBar = 6, kMeasureLine = 18;
constexpr float kSinkNumber = 30;

// The line of a head among those of its layer.
struct MeasureLines {
  float top, height;
  bool words;
  Rect bar(float x, float width, std::size_t head) const {
    const float y = top + height * static_cast<float>(head), gap = height * (words ? 0.22f : 0.16f);
    return {{x, y + gap}, {x + width, y + height - gap}};
  }
};

MeasureLines lines_of(const Theme& theme, const RowsLook& look, std::size_t layer, std::size_t heads) {
  const Rect row = look.row(layer);
  const float room = look.line_height * static_cast<float>(look.lines);
  const float height = std::min(theme.px(kMeasureLine), room / static_cast<float>(heads));
  return {(row.min.y + row.max.y - height * static_cast<float>(heads)) / 2, height,
          height >= font_size(theme.fonts.small) * 0.9f};
}

void draw_beside(const Theme& theme, Rect bar, ImU32 colour, const std::string& words) {
  const ImFont* font = theme.fonts.small;
  draw_text(*ImGui::GetWindowDrawList(), font,
            {bar.max.x + theme.px(kBesideBar), (bar.min.y + bar.max.y - font_size(font)) / 2}, colour, words);
}

void draw_entropy(const StackScene& scene, const RowsLook& look, std::size_t layer,
                  const MeasureLines& lines) {
  const Theme& theme = scene.frame.theme;
  const std::vector<double>& entropy = scene.memo.layers[layer].entropy;
  const std::size_t keys = scene.stage(scene.attention(layer)->weights).shape.columns;
  const double most = std::log(static_cast<double>(keys));
  for (std::size_t head = 0; head < entropy.size(); ++head) {
    const Rect bar = lines.bar(look.entropy_x, look.entropy_bar, head);
    draw_bar(*ImGui::GetWindowDrawList(), bar, most > 0 ? std::clamp(entropy[head] / most, 0.0, 1.0) : 0, 0,
             series_colour(head), theme);
    if (lines.words) draw_beside(theme, bar, theme.dim, weight_text(entropy[head], 2));
  }
}

// Grey, with a tick at one half; amber above it, with the token's name.
void draw_sink(const StackScene& scene, const RowsLook& look, std::size_t layer, const MeasureLines& lines) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::vector<HeadSink>& sinks = scene.memo.layers[layer].sinks;
  const Axis& keys = scene.stage(scene.attention(layer)->weights).columns;
  for (std::size_t head = 0; head < sinks.size(); ++head) {
    const Rect bar = lines.bar(look.sink_x, theme.px(kSinkBar), head);
    const bool sunk = sinks[head].share > kSinkAbove;
    draw_bar(list, bar, 1, 0, theme.chip, theme);
    draw_bar(list, bar, std::clamp(sinks[head].share, 0.0, 1.0), 0, sunk ? theme.warning : theme.dim, theme);
    const float half = std::round((bar.min.x + bar.max.x) / 2);
    list.AddRectFilled({half, bar.min.y - theme.px(1)}, {half + theme.px(1), bar.max.y + theme.px(1)},
                       theme.faint);
    if (!lines.words) continue;
    draw_beside(theme, bar, sunk ? theme.warning : theme.dim, weight_text(sinks[head].share, 2));
    if (!sunk) continue;
    const Rect number{bar.min, {bar.max.x + theme.px(kSinkNumber), bar.max.y}};
    const float room = look.stream_x - theme.px(34) - number.max.x - theme.px(kBesideBar);
    draw_beside(theme, number, theme.warning,
                elided(theme.fonts.small, axis_label(keys, sinks[head].column), room));
  }
}

// Fewer digits the larger it is.
std::string length_text(double value) {
  return weight_text(value, std::abs(value) < 100 ? 2 : std::abs(value) < 1000 ? 1 : 0);
}

std::string growth_text(double value, double before) {
  if (!(before > 0) || !std::isfinite(value)) return {};
  const std::string times = "×";
  return times + length_text(value / before);
}

// "+0.02", "−0.04".
std::string change_text(double value) {
  const std::string number = decimal_text(value, 2);
  return value >= 0 || number == decimal_text(0, 2) ? "+" + number : number;
}

// Two lines that end at x.
void draw_two_lines(const Theme& theme, Rect row, float x, const std::string& above,
                    const std::string& below) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const float line = font_size(font) + theme.px(3), middle = (row.min.y + row.max.y) / 2;
  draw_text(list, font, {x - text_width(font, above), middle - line}, theme.text, above);
  draw_text(list, font, {x - text_width(font, below), middle + theme.px(1)}, theme.dim, below);
}

void draw_stream(const StackScene& scene, const RowsLook& look, std::size_t layer) {
  const Theme& theme = scene.frame.theme;
  const StackMemo& memo = scene.memo;
  const LayerMeasures& now = memo.layers[layer];
  const double before = layer == 0 ? memo.norm_in : memo.layers[layer - 1].norm;
  draw_two_lines(theme, look.row(layer), look.stream_x, length_text(now.norm), growth_text(now.norm, before));
  const std::optional<double> alike_before = layer == 0 ? memo.alike_in : memo.layers[layer - 1].alike;
  const bool known = now.alike && alike_before;
  draw_two_lines(theme, look.row(layer), look.alike_x, now.alike ? decimal_text(*now.alike, 2) : "–",
                 known ? change_text(*now.alike - *alike_before) : "");
}

struct MeasureHead {
  const char *title, *says;
  float left, right;
};

}  // namespace

void draw_row_measures(const StackScene& scene, const RowsLook& look, std::size_t layer) {
  if (const LayerStages* attention = scene.attention(layer)) {
    const MeasureLines lines =
        lines_of(scene.frame.theme, look, layer, scene.stage(attention->weights).shape.stack);
    draw_entropy(scene, look, layer, lines);
    draw_sink(scene, look, layer, lines);
  }
  draw_stream(scene, look, layer);
}

void draw_measure_heads(const StackScene& scene, const RowsLook& look) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  const auto ending = [&](const char* title, float right) { return right - text_width(font, title); };
  const MeasureHead heads[] = {
      {"entropy", "Of each head, in nats, mean of its rows; a full bar is ln of the keys: equal weights",
       look.entropy_x, look.sink_x},
      {"sink", "The share of a head's weight that its heaviest key takes; above one half it is a sink",
       look.sink_x, look.stream_x - theme.px(kMeasureLine * 2)},
      {"stream", "The mean length of a row of the stream behind the layer, and how much that grew in it",
       ending("stream", look.stream_x), look.stream_x},
      {"alike", "The mean cosine between two tokens of the stream, and how much that changed in the layer",
       ending("alike", look.alike_x), look.alike_x}};
  for (const MeasureHead& head : heads) {
    const ImVec2 at{head.left, look.top - font_size(font) - theme.px(3)};
    draw_text(*ImGui::GetWindowDrawList(), font, at, theme.dim, head.title);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, {head.right, look.top}))
      show_tooltip(head.says);
  }
}

}  // namespace attn
