// Finding words of the glossary in a line, and their cards.
#include "app/widgets/glossary.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

#include "app/language/speech.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "core/system/assets.h"

namespace attn {
namespace {

constexpr float kCard = 270, kDots = 3;  // points
constexpr float kHoverSeconds = 0.3f;    // seconds
constexpr const char* kMore = "F1 more";

struct KnownGlossary {
  std::size_t changes = 0;  // of the window's language
  Glossary entries = {};
};

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool is_letter(std::string_view text, std::size_t at) {
  return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '-' ||
                              static_cast<unsigned char>(text[at]) >= 0x80);
}

bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || !is_letter(text, at - 1);
}

// `at`: where a word of the text begins. Nearly always its first letter tells that it is another one.
bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t end = at + word.size();
  if (end > text.size() || lower(text[at]) != lower(word.front()) || is_letter(text, end)) return false;
  return std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, char b) { return lower(a) == lower(b); });
}

// Each form of the word is found.
void add_forms(Glossary& entries, const std::string& heading, const std::string& says) {
  const std::string forms = spoken(heading), title = forms.substr(0, forms.find(", "));
  for (std::size_t at = 0; at < forms.size();) {
    const std::size_t end = std::min(forms.find(", ", at), forms.size());
    entries.push_back({forms.substr(at, end - at), says, heading, title});
    at = end + 2;
  }
}

// Below the word, above it where there is no room: never over it.
void draw_card(const Theme& theme, const GlossaryEntry& entry, Rect word) {
  const float width = theme.px(kCard);
  const std::string lines = wrapped(theme.fonts.small, entry.says, width);
  const float words =
      theme.fonts.small->CalcTextSizeA(font_size(theme.fonts.small), 1e6f, 0, lines.c_str()).y;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float height = words + font_size(theme.fonts.bold) + style.ItemSpacing.y + 2 * style.WindowPadding.y;
  ImGui::SetNextWindowPos(place_near(word, {width + 2 * style.WindowPadding.x, height}));
  ImGui::BeginTooltip();
  const float left = ImGui::GetCursorPosX(), more = text_width(theme.fonts.small, kMore);
  ImGui::PushFont(theme.fonts.bold);
  ImGui::TextUnformatted(entry.title.c_str());
  ImGui::PopFont();
  ImGui::PushFont(theme.fonts.small);
  ImGui::SameLine(left + width - more);
  say_dim(kMore);
  ImGui::TextUnformatted(lines.c_str());
  ImGui::PopFont();
  ImGui::EndTooltip();
}

// Read when it is first needed in a language.
const Glossary& glossary_of(View& view) {
  auto& known = view.of<KnownGlossary>();
  if (known.entries.empty() || known.changes != spoken_changes()) known = {spoken_changes(), read_glossary()};
  return known.entries;
}

// Whether the pointer or the focus, which is on this item now, has rested there for long enough.
bool rests(RestingWord& word, ImGuiID item) {
  if (word.item != item) word.item = item, word.seconds = 0;
  if (!std::exchange(word.seen, true)) word.seconds += ImGui::GetIO().DeltaTime;
  return word.seconds >= kHoverSeconds;
}

}  // namespace

Glossary read_glossary() {
  Glossary read;
  std::istringstream lines(asset_text(word_files(), "assets/words", "glossary.md"));
  for (std::string line; std::getline(lines, line);)
    if (const auto colon = line.find(": "); line.starts_with("- ") && colon != std::string::npos)
      add_forms(read, line.substr(2, colon - 2), line.substr(colon + 2));
  std::ranges::stable_sort(read, std::ranges::greater{}, [](const auto& e) { return e.word.size(); });
  return read;
}

std::vector<FoundWord> glossary_words(const Glossary& glossary, std::string_view text) {
  std::vector<FoundWord> found;
  for (std::size_t at = 0; at < text.size();) {
    const auto stands = [&](const GlossaryEntry& e) { return stands_at(text, at, e.word); };
    const auto entry = begins_word(text, at) ? std::ranges::find_if(glossary, stands) : glossary.end();
    if (entry == glossary.end()) {
      ++at;
      continue;
    }
    found.push_back({at, at + entry->word.size(), &*entry});
    at = found.back().end;
  }
  return found;
}

bool explain_words(Frame& frame, ImDrawList& list, const ImFont* font, ImVec2 at, std::string_view line) {
  const Theme& theme = frame.theme;
  RestingWord& resting = frame.view.word;
  const float height = font_size(font);
  bool pressed = false;
  for (const FoundWord& word : glossary_words(glossary_of(frame.view), line)) {
    const float left = at.x + drawn_width(font, line.substr(0, word.begin));
    const float right = at.x + drawn_width(font, line.substr(0, word.end));
    for (float x = left; x < right; x += theme.px(kDots))
      list.AddRectFilled({x, at.y + height}, {x + theme.px(1), at.y + height + theme.px(1)}, theme.dim);
    const Rect box{{left, at.y}, {right, at.y + height + theme.px(2)}};
    const std::string& name = word.entry->word;
    const std::string id = "word " + name + " " + std::to_string(resting.drawn[name]++);
    ImGui::SetCursorScreenPos(box.min);
    pressed = ImGui::InvisibleButton(id.c_str(), {box.width(), box.height()}) || pressed;
    pressed = pressed_by_enter() || pressed;
    draw_focus_ring(theme, theme.px(2));
    const bool on_it = resting.by_focus ? has_focus_ring() : ImGui::IsItemHovered();
    if (!on_it || !rests(resting, ImGui::GetID(id.c_str()))) continue;
    resting.shown = word.entry->heading;
    draw_card(theme, *word.entry, box);
  }
  return pressed;
}

bool card_due(const View& view) {
  return view.word.item != 0 && view.word.seconds < kHoverSeconds;
}

}  // namespace attn
