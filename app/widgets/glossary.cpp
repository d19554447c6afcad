// Finding words of the glossary in a line, and their cards.
#include "app/widgets/glossary.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "app/theme/toolkit.h"
#include "app/widgets/words.h"
#include "core/system/assets.h"

namespace attn {
namespace {

constexpr float kCard = 270, kDots = 3;  // points

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool is_letter(std::string_view text, std::size_t at) {
  return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '-' ||
                              static_cast<unsigned char>(text[at]) >= 0x80);
}

bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t end = at + word.size();
  if (end > text.size() || (at > 0 && is_letter(text, at - 1)) || is_letter(text, end)) return false;
  return std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, char b) { return lower(a) == lower(b); });
}

// Below the word, above it where there is no room: never over it.
void draw_card(const Theme& theme, const GlossaryEntry& entry, ImVec2 word_min, ImVec2 word_max) {
  const float width = theme.px(kCard), gap = theme.px(6);
  const std::string lines = wrapped(theme.fonts.small, entry.says, width);
  const float height =
      ImGui::GetTextLineHeight() * static_cast<float>(3 + std::count(lines.begin(), lines.end(), '\n'));
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const bool above = word_max.y + gap + height > display.y;
  const float x = std::clamp(word_min.x, 0.0f, std::max(0.0f, display.x - width - theme.px(24)));
  ImGui::SetNextWindowPos({x, above ? word_min.y - gap : word_max.y + gap}, ImGuiCond_Always,
                          {0, above ? 1.0f : 0.0f});
  ImGui::BeginTooltip();
  ImGui::PushFont(theme.fonts.bold);
  ImGui::TextUnformatted(entry.word.c_str());
  ImGui::PopFont();
  ImGui::PushFont(theme.fonts.small);
  ImGui::TextUnformatted(lines.c_str());
  ImGui::PopFont();
  ImGui::EndTooltip();
}

}  // namespace

const std::vector<GlossaryEntry>& glossary() {
  static const std::vector<GlossaryEntry> entries = [] {
    std::vector<GlossaryEntry> read;
    std::istringstream lines(asset_text(word_files(), "assets/words", "glossary.md"));
    for (std::string line; std::getline(lines, line);)
      if (const auto colon = line.find(": "); line.starts_with("- ") && colon != std::string::npos)
        read.push_back({line.substr(2, colon - 2), line.substr(colon + 2)});
    std::ranges::stable_sort(read, std::ranges::greater{}, [](const auto& e) { return e.word.size(); });
    return read;
  }();
  return entries;
}

std::vector<FoundWord> glossary_words(std::string_view text) {
  std::vector<FoundWord> found;
  for (std::size_t at = 0; at < text.size();) {
    const auto entry =
        std::ranges::find_if(glossary(), [&](const GlossaryEntry& e) { return stands_at(text, at, e.word); });
    if (entry == glossary().end()) {
      ++at;
      continue;
    }
    found.push_back({at, at + entry->word.size(), &*entry});
    at = found.back().end;
  }
  return found;
}

void explain_words(ImDrawList& list, const Theme& theme, const ImFont* font, ImVec2 at,
                   std::string_view line) {
  const float height = font_size(font);
  for (const FoundWord& word : glossary_words(line)) {
    const float left = at.x + text_width(font, line.substr(0, word.begin));
    const float right = at.x + text_width(font, line.substr(0, word.end));
    for (float x = left; x < right; x += theme.px(kDots))
      list.AddRectFilled({x, at.y + height}, {x + theme.px(1), at.y + height + theme.px(1)}, theme.dim);
    const ImVec2 min{left, at.y}, max{right, at.y + height + theme.px(2)};
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max))
      draw_card(theme, *word.entry, min, max);
  }
}

}  // namespace attn
