// What decoding takes with the cache and without, step by step, and whether both ways agree.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/plot/short_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/stack/decoding_scene.h"

namespace attn {
namespace {

constexpr float kCostLine = 21;  // points
constexpr std::size_t kMostBars = 64;

// With the cache; and everything computed again.
ImU32 cached_ink(const Theme& theme) {
  return theme.query;
}
ImU32 again_ink(const Theme& theme) {
  return theme.key;
}

std::string counted(double count) {
  return short_count(count, 1000);
}

struct CostRow {
  std::string name, tooltip;
  DecodingAmount cached, again;
};

std::array<CostRow, 3> cost_rows(const DecodingScene& decoding) {
  const DecodingCost& cost = decoding.cost;
  const std::size_t last = decoding.room - 1, step = decoding.step;
  return {{{"now", "this step alone", cost.cached(step), cost.recomputed(step)},
           {"so far", "all steps up to this one, the keys and values of the memory made once or again",
            cost.cached_so_far(step), cost.recomputed_so_far(step)},
           {"all " + std::to_string(decoding.room), "all steps that there are positions for",
            cost.cached_so_far(last), cost.recomputed_so_far(last)}}};
}

void tell_cost(const CostRow& row) {
  show_tooltip(
      row.tooltip + ".\nWith the cache " + short_count(row.cached.operations) + " operations and " +
      short_bytes(row.cached.bytes) + ", everything computed again " + short_count(row.again.operations) +
      " and " + short_bytes(row.again.bytes) +
      ".\nOperations of the products of matrices, a multiply-add is two;\nbytes of weights, keys and "
      "values.");
}

// "1e−7": the power of ten that is not below.
std::string power_above(double number) {
  if (number == 0) return "exactly";
  const int power = static_cast<int>(std::ceil(std::log10(number)));
  return "to 1e" + std::string(power < 0 ? "−" : "") + std::to_string(std::abs(power));
}

// Of all steps that are known.
void draw_agreement(const DecodingScene& decoding, ImVec2 at, float width) {
  const Theme& theme = decoding.scene.frame.theme;
  if (!decoding.found || decoding.stale || decoding.found->apart.empty()) return;
  const double apart = *std::ranges::max_element(decoding.found->apart);
  const bool agree = apart <= decoding_tolerance(decoding.scene.spec());
  const std::string words = !std::isfinite(apart) ? "outputs: not all are numbers"
                            : agree               ? "outputs agree " + power_above(apart) + "\u00a0✓"
                                                  : "outputs differ: " + power_above(apart);
  const ImFont* font = theme.fonts.small;
  const std::string lines = wrapped(font, words, width);
  draw_text(*ImGui::GetWindowDrawList(), font, at, agree ? theme.good : theme.bad, lines);
}

}  // namespace

void draw_decoding_cost(const DecodingScene& decoding, Rect area) {
  const Theme& theme = decoding.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont *font = theme.fonts.small, *bold = theme.fonts.bold;
  const float right = area.max.x, middle = right - text_width(font, "00.0 M") - theme.px(kWordGap),
              line = theme.px(kCostLine);
  const auto at_right = [&](const ImFont* of, float x, float y, ImU32 colour, const std::string& text) {
    draw_text(list, of, {x - text_width(of, text), y}, colour, text);
  };
  float y = area.min.y;
  draw_text(list, bold, {area.min.x, y}, theme.text, "cost");
  const float words = y + (font_size(bold) - font_size(font)) / 2;
  at_right(font, middle, words, cached_ink(theme), "cache");
  at_right(font, right, words, again_ink(theme), "none");
  y += theme.px(kMapTitleHeight);
  const auto rows = cost_rows(decoding);
  for (const CostRow& row : rows) {
    draw_text(list, font, {area.min.x, y}, theme.dim, row.name);
    at_right(font, middle, y, theme.text, counted(row.cached.operations));
    at_right(font, right, y, theme.text, counted(row.again.operations));
    ImGui::SetCursorScreenPos({area.min.x, y});
    begin_no_tab_stops();
    ImGui::InvisibleButton(row.name.c_str(), {area.width(), line});
    end_no_tab_stops();
    if (ImGui::IsItemHovered()) tell_cost(row);
    y += line;
  }
  char ratio[48];
  std::snprintf(ratio, sizeof ratio, "now %.1f× fewer", rows[0].again.operations / rows[0].cached.operations);
  draw_text(list, font, {area.min.x, y + line / 2}, theme.text, ratio);
  draw_agreement(decoding, {area.min.x, y + 1.6f * line}, area.width());
}

void draw_step_bars(const DecodingScene& decoding, Rect area) {
  const Theme& theme = decoding.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const Rect box{area.min, {area.max.x, area.max.y - font_size(font) - theme.px(3)}};
  draw_text(list, font, {area.min.x, area.max.y - font_size(font)}, theme.dim, "operations a step");
  if (box.height() < theme.px(10)) return;
  list.AddRect(box.min, box.max, theme.border, theme.px(3));
  const std::size_t shown = std::min(decoding.room, kMostBars);
  const std::size_t from = decoding.step < shown ? 0 : decoding.step + 1 - shown;
  const double most = decoding.cost.recomputed(from + shown - 1).operations;
  const float inset = theme.px(4), pitch = (box.width() - 2 * inset) / static_cast<float>(shown),
              high = box.height() - inset, bar = std::max(1.0f, std::floor(pitch * 0.36f));
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t step = from + i;
    const float x = box.min.x + inset + pitch * static_cast<float>(i);
    const float strength = step <= decoding.step ? 1 : 0.3f;
    const auto draw = [&](float left, double operations, ImU32 colour) {
      const float height = std::max(1.0f, high * static_cast<float>(operations / most));
      list.AddRectFilled({left, box.max.y - 1 - height}, {left + bar, box.max.y - 1},
                         with_alpha(colour, strength));
    };
    draw(x, decoding.cost.cached(step).operations, cached_ink(theme));
    draw(x + bar, decoding.cost.recomputed(step).operations, again_ink(theme));
  }
  ImGui::SetCursorScreenPos(box.min);
  begin_no_tab_stops();
  ImGui::InvisibleButton("operations", {box.width(), box.height()});
  end_no_tab_stops();
  if (!ImGui::IsItemHovered()) return;
  const float across = (ImGui::GetIO().MousePos.x - box.min.x - inset) / pitch;
  const std::size_t step = from + std::min(static_cast<std::size_t>(std::max(0.0f, across)), shown - 1);
  show_tooltip("step " + std::to_string(step + 1) + ": " +
               short_count(decoding.cost.cached(step).operations) + " operations with the cache, " +
               short_count(decoding.cost.recomputed(step).operations) + " without");
}

}  // namespace attn
