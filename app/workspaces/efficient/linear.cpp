// Linear attention as a recurrent network: its state before a token, what the token adds, and after it.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/cells/cell_draw.h"
#include "app/fields/slider.h"
#include "app/theme/toolkit.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/efficient/linear.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kStateHead = 32, kStateFoot = 20;     // points: names and v above, ranges below
constexpr float kStateStrip = 8, kStateStripGap = 4;  // φ(k), φ(q), v, z
constexpr float kStateInset = 14, kPlusRoom = 40;     // left of all, and around + and =
constexpr float kStateBar = 36, kStateBarHeight = 5;  // of colours
constexpr int kStateBarSteps = 18;
constexpr float kWholeCells = 3;                           // cells of so many pixels are whole ones
constexpr float kNarrowestState = 1, kWidestState = 1.6f;  // width by height

struct StateAreas {
  Rect before, added, after, key, query, value, z;
};

StateAreas lay_out_states(const Theme& theme, Rect area, const Shape& shape) {
  const float strip = theme.px(kStateStrip), gap = theme.px(kStateStripGap), plus = theme.px(kPlusRoom);
  const float top = area.min.y + theme.px(kTitleHeight + kStateHead),
              room = area.max.y - theme.px(kStateFoot) - top;
  const float fixed = theme.px(kStateInset) + 2 * (plus + strip + gap) + gap + strip + theme.px(kStateInset);
  const auto rows = static_cast<float>(shape.rows), columns = static_cast<float>(shape.columns);
  const float wide = std::max(theme.px(24), (area.width() - fixed) / 3);
  const auto snapped = [](float length, float count) {
    return length / count >= kWholeCells ? std::floor(length / count) * count : length;
  };
  float height = std::max(theme.px(24), room);
  const float width =
      snapped(std::min(wide, height * std::clamp(columns / rows, kNarrowestState, kWidestState)), columns);
  height = snapped(std::min(height, width / std::clamp(columns / rows, kNarrowestState, kWidestState)), rows);
  StateAreas a;
  float x = std::round(area.min.x + theme.px(kStateInset));
  const auto take = [&](float wide_by) {
    const Rect taken{{x, top}, {x + wide_by, top + height}};
    x += wide_by;
    return taken;
  };
  a.before = take(width), x += plus;
  a.key = take(strip), x += gap;
  a.added = take(width), x += plus;
  a.query = take(strip), x += gap;
  a.after = take(width), x += gap;
  a.z = take(strip);
  a.value = {{a.added.min.x, top - gap - strip}, {a.added.max.x, top - gap}};
  return a;
}

// Where the pointer is over any of the three, or over a strip beside them: the row and column that all share.
struct HoveredState {
  std::optional<std::size_t> row = {}, column = {};
};
HoveredState hovered_in(const StateAreas& a, const Shape& shape) {
  for (const Rect& each : {a.before, a.added, a.after})
    if (const auto cell = cell_under(each, shape)) return {cell->row, cell->column};
  for (const Rect& strip : {a.key, a.query, a.z})
    if (const auto cell = cell_under(strip, {1, shape.rows, 1})) return {cell->row, {}};
  if (const auto cell = cell_under(a.value, {1, 1, shape.columns})) return {{}, cell->column};
  return {};
}

void outline_cell(const Theme& theme, Rect of, const Shape& shape, std::size_t row, std::size_t column) {
  const ImVec2 pitch{of.width() / static_cast<float>(shape.columns),
                     of.height() / static_cast<float>(shape.rows)};
  const ImVec2 at{of.min.x + pitch.x * static_cast<float>(column),
                  of.min.y + pitch.y * static_cast<float>(row)};
  const float least = theme.px(3);
  ImGui::GetWindowDrawList()->AddRect(at, {at.x + std::max(least, pitch.x), at.y + std::max(least, pitch.y)},
                                      theme.outline, 0, 0, theme.px(1));
}

void outline_hovered(const Theme& theme, const StateAreas& a, const Shape& shape, const HoveredState& at) {
  if (at.row)
    for (const Rect& strip : {a.key, a.query, a.z})
      outline_cell(theme, strip, {1, shape.rows, 1}, *at.row, 0);
  if (at.column) outline_cell(theme, a.value, {1, 1, shape.columns}, 0, *at.column);
  if (at.row && at.column)
    for (const Rect& each : {a.before, a.added, a.after})
      outline_cell(theme, each, shape, *at.row, *at.column);
}

std::string numbered(const char* name, std::size_t at, float number) {
  return std::string(name) + "[" + std::to_string(at) + "] = " + exact_text(number);
}

std::string words_of_cell(const LinearScene& linear, const LinearMatrices& m, Cell cell) {
  const std::string place = "[" + std::to_string(cell.row) + ", " + std::to_string(cell.column) + "]";
  const float before = m.before[cell], added = m.added[cell], after = m.after[cell];
  const std::string product =
      "φ(k)[" + std::to_string(cell.row) + "]·v[" + std::to_string(cell.column) + "] = ";
  std::string words =
      "S" + place + " = " + exact_text(before) + " before token " + std::to_string(linear.token);
  if (!linear.is_seen()) return words + "\nno query sees the token: S stays";
  words += "\n" + product + exact_text(m.key[{0, cell.row, 0}]) + " · " +
           exact_text(m.value[{0, 0, cell.column}]) + " = " + exact_text(added);
  return words + "\nS" + place + " = " + exact_text(after) + " after it";
}

std::string words_of_row(const LinearMatrices& m, std::size_t row) {
  std::string words = numbered("φ(k)", row, m.key[{0, row, 0}]);
  if (!m.query.empty()) words += "\n" + numbered("φ(q)", row, m.query[{0, row, 0}]);
  return words + "\n" + numbered("z", row, m.z[{0, row, 0}]) + ": Σ φ(k) over the tokens so far";
}

void tell_hovered(const LinearScene& linear, const LinearMatrices& m, const HoveredState& at) {
  if (at.row && at.column) return show_tooltip(words_of_cell(linear, m, {0, *at.row, *at.column}));
  if (at.row) return show_tooltip(words_of_row(m, *at.row));
  if (at.column) show_tooltip(numbered("v", *at.column, m.value[{0, 0, *at.column}]));
}

// "±96.0" behind its colours.
void draw_range_of(const Theme& theme, Rect of, float range) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const float y = of.max.y + theme.px(3), middle = y + font_size(font) / 2,
              half = theme.px(kStateBarHeight) / 2;
  const std::string words = "±" + brief(three_digits(static_cast<double>(range)));
  const float bar = std::min(theme.px(kStateBar), of.width() - text_width(font, words) - theme.px(kTableGap));
  for (int i = 0; i < kStateBarSteps && bar > 0; ++i) {
    const auto share = [](int step) { return static_cast<float>(step) / kStateBarSteps; };
    const ImU32 colour = map_colour(theme, {}, 2 * share(i) + 1.0f / kStateBarSteps - 1);
    list.AddRectFilled({of.min.x + bar * share(i), middle - half},
                       {of.min.x + bar * share(i + 1), middle + half}, colour);
  }
  draw_text(list, font, {of.min.x + std::max(0.0f, bar) + theme.px(kTableGap), y}, theme.dim, words);
}

void draw_state_names(const LinearScene& linear, const StateAreas& a) {
  const Theme& theme = linear.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont *bold = theme.fonts.bold, *font = theme.fonts.small;
  const std::size_t before = std::min(linear.token, linear.task().last()),
                    after = before + (linear.is_seen() ? 1 : 0);
  const float y = a.before.min.y - theme.px(kStateHead);
  const auto state = [&](Rect at, std::size_t tokens, float until) {
    draw_text(list, bold, {at.min.x, y}, theme.text, "S");
    const float x = at.min.x + text_width(bold, "S") + theme.px(kSignGap);
    const std::string words = "of " + std::to_string(tokens) + (tokens == 1 ? " token" : " tokens");
    draw_text(list, font, {x, y + theme.px(2)}, theme.dim, elided(font, words, until - x));
  };
  state(a.before, before, a.before.max.x + theme.px(kPlusRoom / 2));
  state(a.after, after, a.z.max.x + theme.px(kStateInset));
  const std::string product = "φ(k)·vᵀ", token = "token " + std::to_string(linear.token);
  draw_text(list, bold, {a.added.min.x, y}, theme.text, product);
  const float width = text_width(font, token), left = a.added.max.x - width;
  if (left >= a.added.min.x + text_width(bold, product) + theme.px(kTableGap))
    draw_text(list, font, {left, y + theme.px(2)}, theme.dim, token);
  const float middle = (a.value.min.y + a.value.max.y) / 2 - font_size(font) / 2;
  draw_text(list, font, {a.value.max.x + theme.px(kSignGap), middle}, theme.value, "v");
  draw_text(list, font, {(a.z.min.x + a.z.max.x - text_width(font, "z")) / 2, y + theme.px(13)}, theme.dim,
            "z");
  const auto below = [&](Rect strip, const char* name, ImU32 colour) {
    draw_text(list, font, {strip.max.x - text_width(font, name), strip.max.y + theme.px(3)}, colour, name);
  };
  below(a.key, "φ(k)", theme.key);
  if (linear.query) below(a.query, "φ(q)", theme.query);
  const auto sign = [&](float from, float to, const char* text) {
    const ImFont* large = theme.fonts.large;
    draw_text(
        list, large,
        {(from + to - text_width(large, text)) / 2, (a.before.min.y + a.before.max.y - font_size(large)) / 2},
        theme.dim, text);
  };
  sign(a.before.max.x, a.key.min.x, "+");
  sign(a.added.max.x, a.query.min.x, "=");
}

// Of a token that no query sees nothing is added.
void draw_unseen(const LinearScene& linear, Rect cells) {
  const Theme& theme = linear.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(cells.min, cells.max, theme.masked);
  draw_hatch(list, cells, theme.hatch, theme.px(7));
  const ImFont* font = theme.fonts.small;
  draw_text(list, font, {cells.min.x, cells.max.y + theme.px(3)}, theme.dim,
            elided(font, "no query sees it", cells.width() + theme.px(kPlusRoom / 2)));
}

Subtitle linear_subtitle(const EfficientScene& scene, const LinearScene* linear) {
  Subtitle subtitle{{"φ = " + feature_words(scene.spec), true}};
  if (!linear) return subtitle;
  const std::string rows = std::to_string(linear->found.features->width);
  if (!linear->causal) subtitle.push_back({"not causal: o is read after the last token", true});
  subtitle.push_back({"the whole past is S, " + rows + "×" + std::to_string(linear->task().columns()) +
                      ", and z, " + rows + (rows == "1" ? " number" : " numbers") + ", whatever n"});
  return subtitle;
}

void draw_states(const LinearScene& linear, Rect area) {
  const Theme& theme = linear.scene.frame.theme;
  const LinearMatrices& m = linear_matrices(linear);
  const Shape shape = m.after.shape();
  const StateAreas a = lay_out_states(theme, area, shape);
  const float range = std::max(largest_in(m.before), largest_in(m.after)), added = largest_in(m.added);
  draw_state_names(linear, a);
  draw_linear_map(linear, {"before", m.before, range}, a.before);
  draw_linear_map(linear, {"after", m.after, range}, a.after);
  draw_linear_map(linear, {"value", m.value, largest_in(m.value)}, a.value);
  draw_linear_map(linear, {"key", m.key, largest_in(m.key), theme.weights}, a.key);
  draw_linear_map(linear, {"z", m.z, largest_in(m.z), theme.weights}, a.z);
  if (linear.query) draw_linear_map(linear, {"query", m.query, largest_in(m.query), theme.weights}, a.query);
  if (linear.is_seen())
    draw_linear_map(linear, {"added", m.added, added}, a.added);
  else
    draw_unseen(linear, a.added);
  draw_range_of(theme, a.before, range);
  if (linear.is_seen()) draw_range_of(theme, a.added, added);
  draw_range_of(theme, a.after, range);
  const HoveredState at = hovered_in(a, shape);
  outline_hovered(theme, a, shape, at);
  tell_hovered(linear, m, at);
}

// The line of the title is free as far as the canvas goes: what stands beside it begins below.
float free_right(const EfficientScene& scene, Rect area) {
  return std::max(area.max.x, scene.frame.area.max.x - scene.frame.theme.px(kSceneMargin));
}

}  // namespace

void draw_linear(EfficientScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const auto linear = linear_scene(scene);
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "linear, as a recurrent network",
             linear_subtitle(scene, linear ? &*linear : nullptr), free_right(scene, area) - area.min.x);
  ImGui::PushID("linear");
  const Rect below{{area.min.x, area.min.y + theme.px(kTitleHeight)}, area.max};
  if (linear)
    draw_states(*linear, area);
  else if (const std::string words = linear_refusal(scene); !words.empty())
    draw_linear_words(scene, below, "linear attention cannot compute this layer: " + words, theme.warning);
  ImGui::PopID();
}

}  // namespace attn
