#include "app/widgets/words.h"

#include <algorithm>
#include <cfloat>
#include <functional>
#include <vector>

namespace attn {

float text_width(const ImFont* font, std::string_view text) {
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

void draw_text(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text) {
  list.AddText(
      font, font->FontSize,
      {static_cast<float>(static_cast<int>(position.x)), static_cast<float>(static_cast<int>(position.y))},
      colour, text.data(), text.data() + text.size());
}

std::string elided(const ImFont* font, const std::string& text, float width) {
  if (text_width(font, text) <= width) return text;
  const float room = width - text_width(font, "…");
  const char* end = nullptr;
  font->CalcTextSizeA(font->FontSize, room > 0 ? room : 0, 0, text.data(), text.data() + text.size(), &end);
  std::string kept(text.data(), end);
  while (!kept.empty() && kept.back() == ' ') kept.pop_back();
  return kept + "…";
}

namespace {

constexpr std::string_view kDot = " · ";

bool is_shape(std::string_view part) {
  return part.find("×") != part.npos && part.front() >= '0' && part.front() <= '9';
}

// The parts of "tokens + position · 5×4 · head 0" that fit, the shape before what the picture tells anyway;
// how it is drawn comes before both.
std::string fitting_parts(const ImFont* font, std::string_view subtitle, float room) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= subtitle.size();) {
    const std::size_t end = std::min(subtitle.find(kDot, begin), subtitle.size());
    parts.push_back(subtitle.substr(begin, end - begin));
    begin = end + kDot.size();
  }
  std::ranges::stable_sort(parts, std::less(), [](std::string_view part) {
    return part == kPooled ? 0 : is_shape(part) ? 1 : 2;
  });
  std::string text = elided(font, std::string(parts.front()), room);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string longer = text + std::string(kDot) + std::string(parts[i]);
    if (text_width(font, longer) > room) break;
    text = longer;
  }
  return text;
}

}  // namespace

void draw_title(ImDrawList& list, const Theme& theme, ImVec2 position, ImU32 colour, const std::string& title,
                const std::string& subtitle, float width) {
  const float title_width = text_width(theme.fonts.bold, title), gap = theme.px(9);
  draw_text(list, theme.fonts.bold, position, colour, elided(theme.fonts.bold, title, width));
  const float room = width - title_width - gap;
  if (room < theme.px(24)) return;
  const float alpha = static_cast<float>(colour >> IM_COL32_A_SHIFT) / 255;
  const float drop = theme.fonts.bold->Ascent - theme.fonts.small->Ascent;
  draw_text(list, theme.fonts.small, {position.x + title_width + gap, position.y + drop},
            with_alpha(theme.dim, alpha),
            text_width(theme.fonts.small, subtitle) <= room
                ? subtitle
                : fitting_parts(theme.fonts.small, subtitle, room));
}

}  // namespace attn
