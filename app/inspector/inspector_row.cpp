// Where a number goes next, and the row of weights that it belongs to, as bars.
#include <algorithm>

#include "app/inspector/inspector_numbers.h"
#include "app/inspector/inspector_sections.h"
#include "app/widgets/bars.h"
#include "core/checks/checks.h"

namespace attn::inspector {
namespace {

constexpr std::size_t kMostBars = 16;
constexpr float kBarShade = 0.75f;  // where viridis and cividis stand out from every panel

struct Bar {
  std::string label;
  double weight = 0;
  bool masked = false;
  Spot spot;
};

// Of a row of weights its keys, of a column its queries.
Cell cell_of(const Attention& attention, std::size_t i) {
  return {attention.head, attention.query.value_or(i), attention.query ? i : *attention.key};
}

std::vector<double> weights_of(const Results& results, const Attention& attention) {
  const StageResult& weights = results.outputs[attention.weights];
  std::vector<double> all(attention.query ? weights.columns() : weights.rows());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = weights[cell_of(attention, i)];
  return all;
}

Bar bar_of(const Results& results, const Attention& attention, std::size_t i) {
  const Stage& stage = results.graph.stages[attention.weights];
  const Cell cell = cell_of(attention, i);
  return {label(attention.query ? stage.columns : stage.rows, i),
          results.outputs[attention.weights][cell],
          is_masked(results, attention.weights, cell),
          {stage.id, cell}};
}

// What a bar of full width stands for: 1, or less when every weight is small.
double full_width(const std::vector<double>& weights) {
  double most = 0;
  for (const double w : weights)
    if (w > most) most = w;
  double full = 1;
  for (const double step : {0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001})
    if (most > 0 && most <= step * 0.8) full = step;
  return most > 0.3 ? 1 : full;
}

void draw_one(Flow& flow, const Bar& bar, double full, float label_width, float number_width) {
  const Theme& theme = flow.theme();
  const Rect line = add_line(flow);
  const float gap = flow.px(9), inset = flow.px(5);
  put_elided(flow, {line.min, {line.min.x + label_width, line.max.y}}, bar.label, theme.text, 1);
  const float left = line.min.x + label_width + gap;
  const Rect room{{left, line.min.y + inset}, {line.max.x - number_width - gap, line.max.y - inset}};
  float x = left;
  const bool hidden = bar.masked && bar.weight == 0;
  if (!hidden) {
    const ImU32 colour = bar.masked ? theme.bad : map_colour(theme, {theme.weights, 1}, kBarShade);
    draw_bar(flow.list, room, bar.weight / full, 0, colour, theme);
    const double length = bar.weight > 0 ? std::min(bar.weight / full, 1.0) : 0;
    x += static_cast<float>(length) * room.width() + (length > 0 ? flow.px(8) : 0);
  }
  const std::string text = hidden ? "–" : write(bar.weight, digits_for({bar.weight, 1}, 4));
  put(flow, {{x, line.min.y}, line.max}, text, theme.dim);
  const Cell cell = bar.spot.cell;
  press_to_open(flow, "bar" + std::to_string(cell.row) + "," + std::to_string(cell.column),
                {{left, line.min.y}, line.max}, bar.spot);
}

// "−0.033  −0.062  0.039".
Rect put_adds(Flow& flow, const std::vector<double>& adds) {
  const Digits digits = column_digits(adds, 3);
  std::string text;
  for (const double value : adds)
    text += (text.empty() ? "" : "  ") + (value == 0 ? "0" : write(value, digits));
  const float indent = text_width("→ ");
  const CompactScope compact(flow, indent + text_width(text));
  const Rect line = add_line(flow);
  put_elided(flow, {{line.min.x + indent, line.min.y}, line.max}, text, flow.theme().text);
  return line;
}

}  // namespace

void draw_path(Flow& flow, const std::vector<PathStep>& legs) {
  const Theme& theme = flow.theme();
  add_heading(flow, "Where it goes");
  if (legs.empty()) return add_text(flow, "nowhere: this is an end of the computation", theme.dim);
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const PathStep& leg = legs[i];
    const std::string value =
        leg.many ? "" : write(leg.figure.value, digits_for({leg.figure.value, 0}, leg.figure.share ? 4 : 3));
    Rect line = add_line(flow);
    const float right = text_width(value) + (value.empty() ? 0 : flow.px(10));
    const std::string title = "→ " + leg.title;
    const float title_width = std::min(text_width(title), line.width() - right);
    put_elided(flow, {line.min, {line.min.x + title_width, line.max.y}}, title,
               role_colour(theme, leg.figure.role));
    put(flow, line, value, theme.text, 1);
    const Rect what{{line.min.x + title_width + flow.px(8), line.min.y}, {line.max.x - right, line.max.y}};
    if (text_width(leg.what) <= std::max(0.0f, what.width())) {
      put(flow, what, leg.what, theme.dim);
    } else {  // below its title
      line.max = add_line(flow).max;
      put_elided(flow, {{line.min.x + text_width("→ "), line.max.y - line_height(flow)}, line.max}, leg.what,
                 theme.dim);
    }
    if (!leg.adds.empty()) line.max = put_adds(flow, leg.adds).max;
    press_to_open(flow, "step" + std::to_string(i), line, leg.figure.spot);
  }
}

void draw_attention(Flow& flow, const Results& results, const Attention& attention) {
  add_heading(flow, attention.title.c_str());
  const std::vector<double> weights = weights_of(results, attention);
  std::vector<Bar> bars;
  float label_width = 0;
  double rest = 0;
  for (const double w : weights) rest += w;
  for (const std::size_t i : largest(weights, shown_of("more weights", weights.size(), kMostBars))) {
    bars.push_back(bar_of(results, attention, i));
    rest -= weights[i];
    label_width = std::max(label_width, text_width(bars.back().label));
  }
  label_width = std::min(label_width, flow.width() * 0.35f);
  const double full = full_width(weights);
  for (const Bar& bar : bars)
    if (!passes_line(flow)) draw_one(flow, bar, full, label_width, text_width("0.0000"));
  if (weights.size() > kMostBars)
    add_more(flow, "more weights", weights.size(), kMostBars - 1,
             "together " + write(rest, digits_for({rest, 1}, 4)));
  if (full < 1)
    add_text(flow, "a bar of full width: " + write(full, {3, false}), flow.theme().faint,
             flow.theme().fonts.small);
}

}  // namespace attn::inspector
