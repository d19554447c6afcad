// One font and as many decimals for all numbers of a matrix, by the room of a cell. A number that is too long
// for its cell gives up decimals but the first, then becomes a power of ten, then a whole number where two
// digits are left of it, then dots: 1 for 1.43 would look like the number itself.
#include "app/cells/cell_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "app/theme/toolkit.h"
#include "app/widgets/words.h"
#include "core/text/text.h"

namespace attn {
namespace {

// Room on each side of a number at scale 1; kCellMargin is the least.
constexpr float kComfortable = 2.5f;
constexpr int kMostDecimals = 7;
constexpr float kLeastFixed = 0.005f;  // of a number that is compared: it reads 0.01

std::string special(float value) {
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "∞" : "−∞";
}

std::string written(float value, std::chars_format format, int digits) {
  char buffer[64];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value, format, digits);
  return status == std::errc() ? std::string(buffer, end) : std::string();
}

// Widths of "-8.", "-88." and of a digit in a font.
struct DigitWidths {
  float least, usual, digit;
};
DigitWidths digits_of(const ImFont* font) {
  return {text_width(font, "-8."), text_width(font, "-88."), text_width(font, "8")};
}

bool is_whole(float value) {
  return value == std::trunc(value);
}

// The shortest that a number of a matrix is written.
const char* shortest_form(const Grid& grid) {
  return grid.summary.whole ? "-8" : "-8.8";
}

// Of a number with all its digits as wide as an 8.
float least_width(const ImFont* font, float value, int decimals) {
  float width = 0;
  for (std::string text : {cell_text(value, decimals), scientific(value, 1)}) {
    std::ranges::replace_if(
        text, [](char c) { return c >= '0' && c <= '9'; }, '8');
    const float wide = text_width(font, text);
    if (width == 0 || wide < width) width = wide;
  }
  return width;
}

// The largest letters with room for so many decimals of every number; null: there are none but the usual.
const ImFont* large_font(const CellLayout& layout, const Grid& grid, const Theme& theme, float room,
                         int decimals) {
  const Bounds bounds = grid.summary.matrices[grid.head];
  const auto fits = [&](const ImFont* font) {
    float most = 0;
    for (const float v : {-8.888f, bounds.least, bounds.most})
      most = std::max(most, text_width(font, cell_text(v, decimals)));
    return most <= room && layout.pitch.y >= 1.5f * font_size(font);
  };
  for (const ImFont* font : {theme.fonts.large, theme.fonts.lead})
    if (fits(font)) return font;
  return nullptr;
}

// From the longest that a compared number may be written to the shortest.
std::vector<std::string> compared_forms(float value, bool whole) {
  if (value == 0) return {"0"};
  if (!std::isfinite(value)) return {special(value)};
  const float size = std::abs(value);
  std::vector<std::string> forms;
  if (whole) forms.push_back(cell_text(value, 0));
  for (int decimals = size < 10 ? 2 : 1; !whole && size >= kLeastFixed && decimals >= 0; --decimals)
    if (std::string text = cell_text(value, decimals); text.find_first_of("123456789") != text.npos)
      forms.push_back(std::move(text));
  forms.push_back(scientific(value, 0));
  return forms;
}

FittedText fitted_compared(const NumberStyle& style, float value) {
  std::vector<std::string> forms = compared_forms(value, style.decimals == 0);
  if (std::isfinite(value)) forms.emplace_back(kTooLong);
  for (const std::string& text : forms)
    for (const ImFont* font : {style.font, style.small})
      if (const float width = text_width(font, text); width <= style.room) return {text, font, width};
  return {};
}

}  // namespace

std::string cell_text(float value, int decimals) {
  if (!std::isfinite(value)) return special(value);
  std::string text = written(value, std::chars_format::fixed, decimals);
  if (text.starts_with('-') && text.find_first_not_of("-0.") == text.npos) text.erase(0, 1);
  return text;
}

std::string scientific(float value, int digits) {
  if (!std::isfinite(value)) return special(value);
  std::string text = written(value, std::chars_format::scientific, digits);
  const std::size_t e = text.find('e');
  if (e == text.npos) return text;
  // 1.5e+05 as 1.5e5.
  const std::size_t digit = std::min(text.find_first_of("123456789", e), text.size() - 1);
  const std::string_view sign = text[e + 1] == '-' ? "-" : "";
  std::string result(text, 0, e + 1);
  result.append(sign).append(text, digit);
  return result;
}

std::string exact_text(float value) {
  return shortest(value);
}

NumberStyle number_style(const CellLayout& layout, const Grid& grid, const Theme& theme) {
  NumberStyle style;
  const float width = layout.pitch.x - layout.gap;
  style.room = width - 2 * theme.px(kCellMargin);
  const ImFont *small = theme.fonts.small, *body = theme.fonts.body, *large = theme.fonts.large;
  if (!layout.numbers || text_width(small, shortest_form(grid)) > style.room) return style;
  style.small = small;
  const float comfortable = width - 2 * theme.px(kComfortable);
  style.compared = grid.compared != Grid::alone || grid.role == Role::gradient;
  for (int decimals = grid.decimals; decimals >= 2; --decimals)
    if (const ImFont* font = large_font(layout, grid, theme, comfortable, decimals)) {
      style.font = font, style.decimals = grid.summary.whole ? 0 : decimals;
      return style;
    }
  // A larger font once four decimals fit in it; more decimals in the usual one before that.
  const DigitWidths large_digits = digits_of(large);
  const bool grown =
      large_digits.usual + 4 * large_digits.digit <= comfortable && layout.pitch.y >= 1.5f * font_size(large);
  const bool roomy = text_width(body, "-8.88") <= comfortable && layout.pitch.y >= font_size(body);
  style.font = grown ? large : roomy ? body : small;
  const DigitWidths d = digits_of(style.font), least = digits_of(small);
  const int fit = static_cast<int>((comfortable - d.usual) / d.digit);
  const int at_least = std::min(static_cast<int>((style.room - least.least) / least.digit), 2);
  style.decimals = std::clamp(std::max(fit, at_least), 1, kMostDecimals);
  if (grid.summary.whole) style.decimals = 0;
  // One size for all, so that large numbers don't look small.
  const Bounds bounds = grid.summary.matrices[grid.head];
  for (const float v : {bounds.least, bounds.most})
    if (style.font == body && text_width(body, cell_text(v, style.decimals)) > comfortable)
      style.font = small;
  return style;
}

float least_pitch(const Grid& grid, const Theme& theme) {
  if (!grid.drawn()) return 0;
  const ImFont* font = theme.fonts.small;
  float width = text_width(font, shortest_form(grid));
  for (const float v : {grid.summary.all.least, grid.summary.all.most})
    width = std::max(width, least_width(font, v, grid.summary.whole ? 0 : 1));
  return std::ceil(width + 2 * theme.px(kCellMargin)) + cell_gap(theme);
}

FittedText fitted_number(const NumberStyle& style, float value) {
  if (!style.font) return {};
  if (style.compared) return fitted_compared(style, value);
  const auto fits = [&](const ImFont* font, const std::string& text) {
    return text_width(font, text) <= style.room;
  };
  const auto small = [&](const std::string& text) {
    return FittedText{text, style.small, text_width(style.small, text)};
  };
  const std::string usual = cell_text(value, style.decimals);
  for (const ImFont* font : {style.font, style.small})
    if (fits(font, usual)) return {usual, font, text_width(font, usual)};
  if (!std::isfinite(value)) return {};
  const int least = is_whole(value) ? 0 : 1;
  for (int decimals = style.decimals - 1; decimals >= least; --decimals)
    if (const std::string text = cell_text(value, decimals); fits(style.small, text)) return small(text);
  for (int digits = 2; digits >= least; --digits)
    if (const std::string text = scientific(value, digits); fits(style.small, text)) return small(text);
  constexpr float kTwoDigits = 10;
  if (const std::string text = cell_text(value, 0); std::abs(value) >= kTwoDigits && fits(style.small, text))
    return small(text);
  return fits(style.small, kTooLong) ? small(kTooLong) : FittedText{};
}

}  // namespace attn
