// A panel of text and things to press, from top to bottom.
#include "app/inspector/inspector_flow.h"

#include <algorithm>

#include "app/frame/visible_stages.h"
#include "app/language/speech.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/glossary.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn::inspector {
namespace {

constexpr float kMargin = 16, kLeastWidth = 150;  // points

ImVec2 text_size(const std::string& text, ImFont* font, float wrap = 0) {
  return font->CalcTextSizeA(font_size(font), FLT_MAX, wrap, text.c_str());
}

}  // namespace

Flow begin_flow(Frame& frame, const char* id, Rect area) {
  const Theme& theme = frame.theme;
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.panel);
  ImGui::BeginChild(id, {area.width(), area.height()}, false,
                    ImGuiWindowFlags_HorizontalScrollbar | kFocusableChild);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PushID(id);
  begin_tab_stops();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, theme.px(kLeastWidth));
  const float margin = theme.px(kMargin);
  return {frame,
          *ImGui::GetWindowDrawList(),
          origin.x + margin,
          origin.x + width - margin,
          origin.y + theme.px(12),
          0};
}

void end_flow(Flow& flow) {
  end_tab_stops();
  ImGui::PopID();
  ImGui::SetCursorScreenPos({std::max(flow.right, flow.reached), flow.y});
  ImGui::Dummy({flow.px(kMargin) - 1, flow.px(8)});
  ImGui::EndChild();
}

float line_height(const Flow& flow) {
  return ImGui::GetFontSize() + flow.px(8);
}

float text_width(const std::string& text) {
  return attn::text_width(ImGui::GetFont(), text);
}

void add_text(Flow& flow, const std::string& text, ImU32 colour, ImFont* font) {
  if (!font) font = ImGui::GetFont();
  const std::string lines =
      wrapped(font, text, flow.width());  // the toolkit breaks numbers behind their point
  const ImVec2 size = text_size(lines, font, flow.width());
  flow.list.AddText(font, font_size(font), {flow.left, flow.y}, colour, lines.c_str(), nullptr, flow.width());
  float y = flow.y;
  for (std::size_t begin = 0; begin <= lines.size(); y += font_size(font)) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    explain_words(flow.frame, flow.list, font, {flow.left, y},
                  std::string_view(lines).substr(begin, end - begin));
    begin = end + 1;
  }
  flow.y += size.y + flow.px(6);
}

void add_heading(Flow& flow, const char* text) {
  flow.y += flow.px(14);
  add_text(flow, text, flow.theme().dim, flow.theme().fonts.bold);
}

void add_pieces(Flow& flow, const std::vector<ColouredText>& pieces) {
  float x = flow.left;
  const float line = ImGui::GetFontSize() + flow.px(3);
  for (const ColouredText& piece : pieces) {
    const ImU32 colour = role_colour(flow.theme(), piece.role);
    const std::string text = spoken(piece.text);
    for (std::size_t begin = 0; begin < text.size();) {  // word by word, each with its space
      const std::size_t end = std::min(text.find(' ', begin + 1), text.size());
      std::string word = text.substr(begin, end - begin);
      begin = end;
      if (x + drawn_width(ImGui::GetFont(), word) > flow.right && x > flow.left) {
        x = flow.left;
        flow.y += line;
        if (word.front() == ' ') word.erase(0, 1);
      }
      flow.list.AddText({x, flow.y}, colour, word.c_str());
      x += drawn_width(ImGui::GetFont(), word);
    }
  }
  flow.y += line + flow.px(5);
}

Rect add_line(Flow& flow) {
  const Rect line{{flow.left, flow.y}, {flow.right, flow.y + line_height(flow)}};
  flow.y = line.max.y;
  return line;
}

void put(Flow& flow, Rect line, const std::string& english, ImU32 colour, float align) {
  const std::string text = spoken(english);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const ImVec2 at{line.min.x + align * (line.width() - size.x), line.min.y + (line.height() - size.y) / 2};
  flow.list.AddText(at, colour, text.c_str());
}

void put_elided(Flow& flow, Rect line, const std::string& text, ImU32 colour, float align) {
  const std::string shown = elided(ImGui::GetFont(), text, line.width());
  put(flow, line, shown, colour, align);
  if (shown != text && ImGui::IsWindowHovered() && line.contains(ImGui::GetIO().MousePos)) show_tooltip(text);
}

bool put_explained(Flow& flow, Rect line, const std::string& text, ImU32 colour) {
  put_elided(flow, line, text, colour);
  return explain_words(flow.frame, flow.list, ImGui::GetFont(),
                       {line.min.x, line.min.y + (line.height() - ImGui::GetFontSize()) / 2},
                       elided(ImGui::GetFont(), text, line.width()));
}

Rect add_pair(Flow& flow, const std::string& name, const std::string& value, ImU32 name_colour,
              ImU32 value_colour) {
  const auto wanted = [&] { return text_width(name) + flow.px(kWordGap) + text_width(value); };
  const CompactScope compact(flow, wanted());
  const Rect line = add_line(flow);
  put_explained(flow, line, name, name_colour);
  const Rect below = wanted() <= flow.width() ? line : add_line(flow);
  put_elided(flow, below, value, value_colour, 1);
  return {line.min, below.max};
}

void add_fact(Flow& flow, const std::string& name, const std::string& value, ImU32 colour) {
  add_pair(flow, name, value, flow.theme().text, colour);
}

CompactScope::CompactScope(const Flow& flow, float wanted) : on_(wanted > flow.width()) {
  if (on_) ImGui::PushFont(flow.theme().fonts.small);
}

CompactScope::~CompactScope() {
  if (on_) ImGui::PopFont();
}

bool press(Flow& flow, const std::string& id, Rect area, const std::string& tooltip) {
  return press_area(flow.theme(), id.c_str(), area, tooltip);
}

void open_number(Flow& flow, const Spot& spot) {
  pin_number(flow.frame.view, flow.frame.graph, spot);
  ImGui::SetScrollY(0);  // to its title
}

void press_to_open(Flow& flow, const std::string& id, Rect area, const std::optional<Spot>& spot) {
  if (!spot) return;
  if (press(flow, id, area)) open_number(flow, *spot);
  if (ImGui::IsItemHovered())
    flow.list.AddLine({area.min.x, area.max.y - flow.px(3)}, {area.max.x, area.max.y - flow.px(3)},
                      flow.theme().faint);
}

std::size_t shown_of(const char* id, std::size_t count, std::size_t most) {
  const bool open = ImGui::GetStateStorage()->GetBool(ImGui::GetID(id));
  return open ? count : std::min(count, most);
}

void add_more(Flow& flow, const char* id, std::size_t count, std::size_t most, const std::string& rest) {
  if (count <= most) return;
  bool& open = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(id));
  const Rect line = add_line(flow);
  const std::string more = std::to_string(count - most) + " more" + (rest.empty() ? "" : ", " + rest);
  put_elided(flow, line, open ? "▾ fewer" : "▸ " + more, flow.theme().dim);
  if (press(flow, id, line)) open = !open;
}

bool passes_line(Flow& flow) {
  const float top = flow.list.GetClipRectMin().y, bottom = flow.list.GetClipRectMax().y, page = bottom - top;
  if (flow.y > top - page && flow.y < bottom + page) return false;
  flow.y += line_height(flow);
  return true;
}

std::optional<std::size_t> add_chips(Flow& flow, const char* id, const std::vector<std::string>& labels,
                                     const std::string& tooltip) {
  std::optional<std::size_t> chosen;
  ImGui::PushID(id);
  ImGui::SetCursorScreenPos({flow.left, flow.y});
  {
    ChipRow row(flow.theme(), flow.left, flow.right);
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (row.add({.id = labels[i], .text = labels[i], .tooltip = tooltip})) chosen = i;
  }
  flow.y = ImGui::GetCursorScreenPos().y;
  ImGui::PopID();
  return chosen;
}

}  // namespace attn::inspector
