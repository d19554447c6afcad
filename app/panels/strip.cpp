// Words that read along a strip: as many as fit between its ends, the rest in a list behind "…".
#include "app/panels/strip.h"

#include <algorithm>
#include <cmath>

#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

// Points: the chevron's height, around a word, between words, the height of "…", a dot's place.
constexpr float kChevron = 26, kPadding = 5, kGap = 3, kMostGap = 22, kDotsRoom = 24, kInset = 4, kDot = 9;

float length_of(const Theme& theme, const StripWord& word) {
  return text_width(theme.fonts.body, word.word) + theme.px(2 * kPadding + (word.dot ? kDot : 0));
}

// In which order words are given room: the lit one, the first, the last, then those next to the lit one.
std::vector<std::size_t> by_importance(const std::vector<StripWord>& words) {
  std::vector<std::size_t> order(words.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto lit =
      static_cast<std::ptrdiff_t>(std::ranges::find(words, true, &StripWord::lit) - words.begin());
  const std::ptrdiff_t from = lit == std::ssize(words) ? 0 : lit;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const bool first = words[i].lit, end = i == 0 || i + 1 == words.size();
    return first ? -2 : end ? -1 : std::abs(static_cast<std::ptrdiff_t>(i) - from);
  });
  return order;
}

// Which words fit into so many pixels, and how many those take.
struct Fitting {
  std::vector<bool> kept;
  float length = 0;
  std::size_t count = 0;
};
Fitting fitting_words(const Theme& theme, const std::vector<StripWord>& words, float room) {
  Fitting fitting{.kept = std::vector<bool>(words.size())};
  for (const std::size_t i : by_importance(words)) {
    const float longer = fitting.length + length_of(theme, words[i]) + theme.px(kGap);
    if (longer > room) continue;
    fitting.kept[i] = true, fitting.length = longer, ++fitting.count;
  }
  return fitting;
}

bool draw_word(const Theme& theme, const Strip& strip, const StripWord& word, Rect box) {
  const bool pressed = press_area(theme, word.part.c_str(), box);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = theme.px(5), padding = theme.px(kPadding);
  if (word.lit || hovered)
    list.AddRectFilled(box.min, box.max, word.lit ? theme.accent_soft : theme.chip, round);
  if (word.lit) list.AddRect(box.min, box.max, theme.accent, round, 0, theme.px(1));
  const ImFont* font = theme.fonts.body;
  const float middle = (box.min.x + box.max.x) / 2, half = font_size(font) / 2;
  const ImU32 ink = word.lit ? theme.text : word.ink;
  if (strip.left)
    draw_text(list, font, {middle - half, box.max.y - padding}, ink, word.word, TextDirection::up);
  else
    draw_text(list, font, {middle + half, box.min.y + padding}, ink, word.word, TextDirection::down);
  if (word.dot) {  // behind the last letter
    const float y = strip.left ? box.min.y + padding : box.max.y - padding;
    list.AddCircleFilled({middle, y}, theme.px(2.5f), theme.accent);
  }
  return pressed;
}

// The words that had no room, in a list.
std::optional<std::string> draw_hidden_words(const Theme& theme, const Strip& strip, const Fitting& fitting,
                                             Rect box) {
  if (press_area(theme, "rest", box, "what else there is")) ImGui::OpenPopup("rest of the strip");
  const ImFont* font = theme.fonts.bold;
  draw_text(*ImGui::GetWindowDrawList(), font,
            {(box.min.x + box.max.x - text_width(font, "…")) / 2,
             (box.min.y + box.max.y) / 2 - font_size(font) * 0.6f},
            theme.dim, "…");
  std::optional<std::string> chosen;
  ImGui::SetNextWindowPos({strip.left ? box.max.x : box.min.x, box.max.y}, ImGuiCond_Appearing,
                          {strip.left ? 0.0f : 1.0f, 1});
  if (!ImGui::BeginPopup("rest of the strip")) return chosen;
  close_by_escape();
  for (std::size_t i = 0; i < strip.words.size(); ++i)
    if (!fitting.kept[i]) {
      const bool picked = selectable(strip.words[i].word);
      if (pressed_by_enter() || picked) chosen = strip.words[i].part, ImGui::CloseCurrentPopup();
    }
  ImGui::EndPopup();
  return chosen;
}

std::optional<std::string> draw_words(const Theme& theme, const Strip& strip, Rect area) {
  Fitting fitting = fitting_words(theme, strip.words, area.height());
  const bool all = fitting.count == strip.words.size();
  if (!all) fitting = fitting_words(theme, strip.words, area.height() - theme.px(kDotsRoom));
  const float spare = area.height() - fitting.length - (all ? 0 : theme.px(kDotsRoom));
  const float gap =
      theme.px(kGap) + std::min(theme.px(kMostGap - kGap),
                                spare / static_cast<float>(std::max<std::size_t>(1, fitting.count)));
  std::optional<std::string> pressed;
  float y = area.min.y;
  for (std::size_t i = 0; i < strip.words.size(); ++i) {
    if (!fitting.kept[i]) continue;
    const float length = length_of(theme, strip.words[i]);
    if (draw_word(theme, strip, strip.words[i], {{area.min.x, y}, {area.max.x, y + length}}))
      pressed = strip.words[i].part;
    y += length + gap;
  }
  if (all) return pressed;
  const auto chosen =
      draw_hidden_words(theme, strip, fitting, {{area.min.x, area.max.y - theme.px(kDotsRoom)}, area.max});
  return chosen ? chosen : pressed;
}

}  // namespace

std::optional<std::string> draw_strip(const Theme& theme, Rect area, const Strip& strip) {
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, theme.panel);
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(strip.id, {area.width(), area.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        ImGuiWindowFlags_NoBackground | kFocusableChild);
  ImGui::PopStyleVar();
  ImGui::PushID(strip.id);
  const float inset = theme.px(kInset);
  const Rect inside{{area.min.x + inset, area.min.y + inset}, {area.max.x - inset, area.max.y - inset}};
  const Rect head{inside.min, {inside.max.x, inside.min.y + theme.px(kChevron)}};
  std::optional<std::string> pressed;
  if (press_area(theme, "chevron", head, strip.tooltip)) pressed = "";
  const ImFont* font = theme.fonts.lead;
  const char* chevron = strip.left ? "»" : "«";
  draw_text(*ImGui::GetWindowDrawList(), font,
            {(head.min.x + head.max.x - text_width(font, chevron)) / 2,
             (head.min.y + head.max.y - font_size(font)) / 2},
            theme.text, chevron);
  const auto word = draw_words(theme, strip, {{inside.min.x, head.max.y + inset}, inside.max});
  ImGui::PopID();
  ImGui::EndChild();
  return word ? word : pressed;
}

}  // namespace attn
