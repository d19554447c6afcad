// Text in any of the program's fonts, always on whole pixels; and which parts of a subtitle fit, tried one by
// one with the essential ones first.
#include "app/widgets/words.h"
#include "app/language/speech.h"
#include "app/theme/toolkit.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

namespace attn {

float drawn_width(const ImFont* font, std::string_view text) {
  return font->CalcTextSizeA(font_size(font), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

float text_width(const ImFont* font, std::string_view text) {
  return drawn_width(font, spoken_view(text));
}

// On whole pixels: the painter does not filter glyphs (app/host/paint.cpp), and would tear them between two.
void draw_as_is(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text) {
  list.AddText(
      font, font_size(font),
      {static_cast<float>(static_cast<int>(position.x)), static_cast<float>(static_cast<int>(position.y))},
      colour, text.data(), text.data() + text.size());
}

void draw_text(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text) {
  draw_as_is(list, font, position, colour, spoken_view(text));
}

// Written at the origin and then turned: the toolkit leaves out what lies outside of the clip rectangle.
void draw_text(ImDrawList& list, const ImFont* font, ImVec2 position, ImU32 colour, std::string_view text,
               TextDirection turned) {
  const float x = std::floor(position.x), y = std::floor(position.y);
  const int first = list.VtxBuffer.Size;
  list.PushClipRectFullScreen();
  draw_text(list, font, {0, 0}, colour, text);
  list.PopClipRect();
  for (int i = first; i < list.VtxBuffer.Size; ++i) {
    ImVec2& p = list.VtxBuffer[i].pos;
    p = turned == TextDirection::up ? ImVec2{x + p.y, y - p.x} : ImVec2{x - p.y, y + p.x};
  }
}

namespace {

// How much of a line stands in that width.
std::size_t fitting_bytes(const ImFont* font, const std::string& text, float width) {
  const char* end = nullptr;
  font->CalcTextSizeA(font_size(font), std::max(0.0f, width), 0, text.data(), text.data() + text.size(),
                      &end);
  return static_cast<std::size_t>(end - text.data());
}

}  // namespace

std::string elided(const ImFont* font, const std::string& english, float width) {
  return known(elided_as_is(font, spoken(english), width));
}

std::string elided_as_is(const ImFont* font, const std::string& text, float width) {
  if (drawn_width(font, text) <= width) return text;
  const float room = width - drawn_width(font, "…");
  std::string kept = text.substr(0, fitting_bytes(font, text, room));
  while (!kept.empty() && kept.back() == ' ') kept.pop_back();
  return kept + "…";
}

std::string wrapped(const ImFont* font, std::string_view english, float width) {
  const std::string text = spoken(english);
  std::string lines, line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = std::string_view(text).substr(at, end - at);
    const bool ends = end < text.size() && text[end] == '\n';
    at = end + 1;
    const std::string longer = line.empty() ? std::string(word) : line + ' ' + std::string(word);
    if (line.empty() || drawn_width(font, longer) <= width) {
      line = longer;
    } else {
      lines += line + '\n';
      line = word;
    }
    while (drawn_width(font, line) > width) {
      const std::size_t fits = fitting_bytes(font, line, width);
      if (fits == 0) break;
      lines += line.substr(0, fits) + '\n';
      line.erase(0, fits);
    }
    if (ends) lines += std::exchange(line, {}) + '\n';
  }
  return known(lines + line);
}

std::string to_string(const Subtitle& subtitle) {
  std::string text;
  for (const SubtitlePart& part : subtitle) text += (text.empty() ? "" : " · ") + part.text;
  return text;
}

std::string fitting(const ImFont* font, const Subtitle& subtitle, float width) {
  std::vector<bool> kept(subtitle.size());
  const auto text = [&] {
    Subtitle parts;
    for (std::size_t i = 0; i < subtitle.size(); ++i)
      if (kept[i]) parts.push_back(subtitle[i]);
    return to_string(parts);
  };
  for (const bool essential : {true, false})
    for (std::size_t i = 0; i < subtitle.size(); ++i) {
      if (subtitle[i].essential != essential) continue;
      const bool first = std::ranges::count(kept, true) == 0;
      kept[i] = true;
      if (text_width(font, text()) <= width) continue;
      if (first) return elided(font, subtitle[i].text, width);
      kept[i] = false;
    }
  return text();
}

void draw_title(ImDrawList& list, const Theme& theme, ImVec2 position, ImU32 colour, const std::string& title,
                const Subtitle& subtitle, float width) {
  const float title_width = text_width(theme.fonts.bold, title), gap = theme.px(9);
  const float drop = font_ascent(theme.fonts.bold) - font_ascent(theme.fonts.small);
  if (title_width > width)  // a small title says more than half a large one
    return draw_text(list, theme.fonts.small, {position.x, position.y + drop}, colour,
                     elided(theme.fonts.small, title, width));
  draw_text(list, theme.fonts.bold, position, colour, title);
  const float room = width - title_width - gap;
  if (room < theme.px(24)) return;
  const float alpha = static_cast<float>(colour >> IM_COL32_A_SHIFT) / 255;
  draw_text(list, theme.fonts.small, {position.x + title_width + gap, position.y + drop},
            with_alpha(theme.dim, alpha), fitting(theme.fonts.small, subtitle, room));
}

}  // namespace attn
