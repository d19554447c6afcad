// The manual: its pages at the left, the open one or what was found at the right, a field for words above.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/frame/workspace.h"
#include "app/language/speech.h"
#include "app/manual/page.h"
#include "app/panels/overlay.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

// Points.
constexpr float kManualWidth = 980, kManualHeight = 780, kContents = 228, kWidestPage = 720, kLineStep = 56,
                kFoundLine = 24;

// A line that is pressed: a page of the list, or a passage that was found.
bool manual_line(const Frame& frame, const std::string& id, float width, bool chosen,
                 const std::string& words, const std::string& title) {
  const Theme& theme = frame.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = theme.px(kFoundLine), pad = theme.px(kWordGap);
  const Rect line{at, {at.x + width, at.y + height}};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (chosen) list.AddRectFilled(line.min, line.max, theme.accent_soft, theme.px(4));
  const bool pressed = press_area(theme, id.c_str(), line);
  const float y = at.y + (height - font_size(theme.fonts.body)) / 2;
  float x = at.x + pad;
  if (!title.empty()) {
    const std::string shown = elided(theme.fonts.bold, title, width * 0.4f);
    draw_text(list, theme.fonts.bold, {x, y}, theme.text, shown);
    x += text_width(theme.fonts.bold, shown) + pad;
  }
  draw_text(list, theme.fonts.body, {x, y}, title.empty() && chosen ? theme.text : theme.dim,
            elided(theme.fonts.body, words, line.max.x - pad - x));
  return pressed;
}

void draw_contents(Frame& frame, const std::vector<const ManualPage*>& pages) {
  ManualView& manual = frame.view.overlays.manual;
  ImGui::BeginChild("##pages", {frame.theme.px(kContents), 0}, false, kFocusableChild);
  const float width = ImGui::GetContentRegionAvail().x;
  for (const ManualPage* page : pages) {
    const bool open = page->name == manual.at.page && manual.words.empty();
    if (manual_line(frame, "page " + page->name, width, open, page->title, "") && !open)
      manual.show(page->name);
  }
  ImGui::EndChild();
}

// Arrows, page keys, Home and End: how far the page goes down.
float scroll_by_keys(const Theme& theme, float scroll, float page, float end, bool typing) {
  const auto steps = [](int down, int up) {
    return static_cast<float>((key_pressed(down) ? 1 : 0) - (key_pressed(up) ? 1 : 0));
  };
  if (ImGui::GetIO().KeyAlt) return scroll;
  scroll += theme.px(kLineStep) * steps(GLFW_KEY_DOWN, GLFW_KEY_UP);
  scroll += (page - theme.px(kLineStep)) * steps(GLFW_KEY_PAGE_DOWN, GLFW_KEY_PAGE_UP);
  if (!typing && key_pressed(GLFW_KEY_HOME)) scroll = 0;
  if (!typing && key_pressed(GLFW_KEY_END)) scroll = end;
  return std::clamp(scroll, 0.0f, end);
}

// The page, scrolled as it was, as is asked for, or by keys.
void draw_open_page(Frame& frame, const ManualPage& page) {
  ManualView& manual = frame.view.overlays.manual;
  const bool typing = ImGui::GetIO().WantTextInput;
  // Lines are as long before a page is measured as behind: it is scrolled to the same place.
  ImGui::BeginChild("##page", {0, 0}, false, kFocusableChild | ImGuiWindowFlags_AlwaysVerticalScrollbar);
  if (manual.moved && !manual.block) ImGui::SetScrollY(manual.at.scroll);
  const float width = std::min(ImGui::GetContentRegionAvail().x, frame.theme.px(kWidestPage));
  const std::string link = draw_page(frame, page, width);
  if (!std::exchange(manual.moved, false)) {
    const float now = ImGui::GetScrollY();
    const float wanted =
        scroll_by_keys(frame.theme, now, ImGui::GetWindowHeight(), ImGui::GetScrollMaxY(), typing);
    if (wanted != now) ImGui::SetScrollY(wanted);
    manual.at.scroll = now;
  }
  ImGui::EndChild();
  if (!link.empty()) manual.show(manual_page(link)->name);
}

// One line a passage; the chosen one is opened by Enter.
void draw_found(Frame& frame, const std::vector<const ManualPage*>& pages, bool enter) {
  ManualView& manual = frame.view.overlays.manual;
  const std::vector<Passage> found = passages(pages, manual.words);
  if (found.empty()) return say_dim("Nothing found in the manual");
  const std::size_t last = found.size() - 1;
  if (key_pressed(GLFW_KEY_DOWN)) ++manual.choice;
  if (key_pressed(GLFW_KEY_UP) && manual.choice > 0) --manual.choice;
  manual.choice = std::min(manual.choice, last);
  std::optional<Passage> opened;
  ImGui::BeginChild("##passages", {0, 0}, false, kFocusableChild);
  const float width = ImGui::GetContentRegionAvail().x;
  for (std::size_t i = 0; i <= last; ++i) {
    const MarkdownBlock& block = found[i].page->blocks[found[i].block];
    const bool chosen = i == manual.choice;
    if (manual_line(frame, "passage" + std::to_string(i), width, chosen, plain_text(block),
                    found[i].page->title) ||
        (chosen && enter))
      opened = found[i];
    if (chosen && (key_pressed(GLFW_KEY_DOWN) || key_pressed(GLFW_KEY_UP))) ImGui::SetScrollHereY();
  }
  ImGui::EndChild();
  if (opened) manual.show(opened->page->name, opened->block);
}

// Whether Enter was pressed in it.
bool draw_words_field(Frame& frame) {
  ManualView& manual = frame.view.overlays.manual;
  const bool had_words = !manual.words.empty();
  if (ImGui::IsWindowAppearing() || manual.moved) focus_next_item();
  ImGui::SetNextItemWidth(-1);
  const bool enter = ImGui::InputTextWithHint("##words", spoken("find words in the manual").c_str(),
                                              &manual.words, ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemEdited()) manual.choice = 0;
  const bool back = (!had_words && key_pressed(GLFW_KEY_BACKSPACE)) ||
                    (ImGui::GetIO().KeyAlt && key_pressed(GLFW_KEY_LEFT, false));
  if (back) manual.go_back();
  return enter;
}

}  // namespace

void draw_manual(Frame& frame) {
  ManualView& manual = frame.view.overlays.manual;
  begin_overlay(frame, "##manual", {kManualWidth, kManualHeight}, manual.open);
  const std::vector<const ManualPage*> pages = contents(frame.workspaces);
  begin_tab_stops();
  ImGui::AlignTextToFramePadding();
  ImGui::PushFont(frame.theme.fonts.bold);
  say("Manual");
  ImGui::PopFont();
  ImGui::SameLine();
  say_dim(manual.back.empty() ? "Esc closes" : "Esc closes, Backspace goes back");
  ImGui::SameLine(0, frame.theme.px(kWideGap));
  const bool enter = draw_words_field(frame);
  ImGui::Spacing();
  draw_contents(frame, pages);
  ImGui::SameLine(0, frame.theme.px(kWideGap));
  const ManualPage* page = manual_page(manual.at.page);
  if (!manual.words.empty())
    draw_found(frame, pages, enter);
  else
    draw_open_page(frame, page ? *page : *pages.front());
  end_tab_stops();
  end_overlay();
}

}  // namespace attn
