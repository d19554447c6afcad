// The diagnosis: what the search comes to, every known mistake alone with the error that it leaves, and what
// the numbers say by themselves.
#include <algorithm>
#include <cmath>

#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/compare/check_verdict.h"
#include "core/diagnosis/facts.h"

namespace attn {
namespace {

using namespace inspector;

constexpr float kMistakeRow = 24, kFactRow = 21, kLeastList = 190;  // points
constexpr double kWholeBar = 1.15;  // times the error without a mistake, or 1: larger ones fill their bars

struct FactsMemo {
  std::vector<Fact> facts = {};
  std::size_t bytes() const { return facts.capacity() * sizeof(Fact); }
};

const std::vector<Fact>& known_facts(Frame& frame) {
  return frame.memos
      .of<FactsMemo>(frame.engine.results,
                     [](FactsMemo& memo, const Results& results) {
                       memo.facts = facts_of(given_numbers(results), results.document.layer());
                     })
      .facts;
}

// A mistake alone; none: nothing is changed.
struct AloneRow {
  const Tried* tried = nullptr;
  double distance = 0;
};

std::vector<AloneRow> alone_rows(const Diagnosis& found) {
  std::vector<AloneRow> rows;
  for (const Tried& tried : found.singles) rows.push_back({&tried, tried.distance});
  const auto place = std::ranges::upper_bound(rows, found.nothing_changed, {}, &AloneRow::distance);
  rows.insert(place, AloneRow{nullptr, found.nothing_changed});
  return rows;
}

double whole_bar(const std::vector<AloneRow>& rows, double nothing_changed) {
  double largest = 0;
  for (const AloneRow& row : rows)
    if (std::isfinite(row.distance)) largest = std::max(largest, row.distance);
  return std::min(largest, kWholeBar * std::max(1.0, nothing_changed));
}

void draw_alone(DiagnosisPanel& panel, const AloneRow& row, double whole, const Tried* found) {
  Flow& flow = panel.flow;
  const Theme& theme = flow.theme();
  const Rect line{{flow.left, flow.y}, {flow.right, flow.y + flow.px(kMistakeRow)}};
  flow.y = line.max.y;
  const bool of_found = row.tried && found && has_mistake(*found, row.tried->words.front());
  const ImFont* font = of_found ? theme.fonts.bold : theme.fonts.body;
  const ImU32 ink = panel.ink(row.tried ? theme.text : theme.query);
  const std::string number = std::isfinite(row.distance) ? error_text(row.distance) : "another shape";
  const ImFont* small = std::isfinite(row.distance) ? font : theme.fonts.small;
  const std::string name =
      row.tried ? mistake_name(row.tried->words.front(), row.tried->details.front()) : "nothing changed";
  const float right = text_width(small, number), top = line.min.y + flow.px(2);
  const bool pointed = row.tried && panel.frame.memos.of<DiagnosisMemo>().pointed == row.tried->words;
  if (pointed) flow.list.AddRectFilled(line.min, line.max, theme.accent_soft, flow.px(3));
  draw_text(flow.list, font, {line.min.x, top}, ink,
            elided(font, name, line.width() - right - flow.px(kWordGap)));
  draw_text(flow.list, small, {line.max.x - right, top}, ink, number);
  const float y = line.max.y - flow.px(4.5f);
  const double share = std::isfinite(row.distance) && whole > 0 ? std::min(1.0, row.distance / whole) : 0;
  const ImU32 bar = of_found ? theme.good : row.tried ? theme.faint : theme.query;
  flow.list.AddRectFilled({line.min.x, y},
                          {line.min.x + static_cast<float>(share) * line.width(), y + flow.px(2.5f)},
                          panel.ink(bar), flow.px(1));
  if (row.tried) press_set(panel, row.tried->words.front(), line, *row.tried);
}

void add_quiet(DiagnosisPanel& panel, const std::string& words) {
  add_text(panel.flow, words, panel.ink(panel.theme().faint), panel.theme().fonts.small);
}

void draw_alone_head(DiagnosisPanel& panel) {
  Flow& flow = panel.flow;
  const ImFont* font = flow.theme().fonts.small;
  const std::string right = "relative error it leaves";
  const float width = text_width(font, right);
  draw_text(flow.list, font, {flow.left, flow.y}, panel.ink(flow.theme().dim),
            elided(font, "one mistake alone", flow.width() - width - flow.px(kWordGap)));
  draw_text(flow.list, font, {flow.right - width, flow.y}, panel.ink(flow.theme().dim), right);
  flow.y += font_size(font) + flow.px(6);
}

// Mistakes that the layer has nothing for, with the reasons under the pointer.
void draw_not_here(DiagnosisPanel& panel) {
  std::string missing, why;
  for (const std::string& word : panel.found().not_here) {
    missing += (missing.empty() ? "not in this layer: " : ", ") + mistake_name(word);
    if (const Mistake* mistake = find_mistake(word))
      why += (why.empty() ? "" : "\n") + mistake_name(word) + ": " + std::string(mistake->needs);
  }
  if (missing.empty()) return;
  Flow& flow = panel.flow;
  flow.y += flow.px(4);
  const ImVec2 from{flow.left, flow.y};
  add_quiet(panel, missing);
  const Rect place{from, {flow.right, flow.y}};
  if (ImGui::IsWindowHovered() && place.contains(ImGui::GetIO().MousePos)) show_tooltip(why);
}

void draw_alone_list(DiagnosisPanel& panel) {
  const Diagnosis& found = panel.found();
  const std::vector<AloneRow> rows = alone_rows(found);
  const double whole = whole_bar(rows, found.nothing_changed);
  const Tried* set = found.found();
  for (const AloneRow& row : rows) draw_alone(panel, row, whole, set);
  draw_not_here(panel);
}

float facts_height(const Theme& theme, const std::vector<Fact>& facts) {
  return facts.empty() ? 0 : theme.px(kTitleHeight + kFactRow * static_cast<float>(facts.size()) + 8);
}

void draw_facts(DiagnosisPanel& panel, const std::vector<Fact>& facts) {
  if (facts.empty()) return;
  Flow& flow = panel.flow;
  const Theme& theme = flow.theme();
  flow.y += flow.px(6);
  draw_title(flow.list, theme, {flow.left, flow.y}, theme.text, "what your numbers say", {}, flow.width());
  flow.y += flow.px(kTitleHeight);
  const ImFont* font = theme.fonts.small;
  for (const Fact& fact : facts) {
    const Rect line{{flow.left, flow.y}, {flow.right, flow.y + flow.px(kFactRow)}};
    flow.y = line.max.y;
    const std::string value = elided(font, fact.value + (fact.good ? " ✓" : ""), line.width() * 0.6f);
    const float width = text_width(font, value), top = line.min.y + flow.px(2);
    draw_text(flow.list, font, {line.min.x, top}, theme.text,
              elided(font, fact.what, line.width() - width - flow.px(kWordGap)));
    draw_text(flow.list, font, {line.max.x - width, top}, fact.good ? theme.good : theme.warning, value);
    if (ImGui::IsWindowHovered() && line.contains(ImGui::GetIO().MousePos))
      show_tooltip(fact.what + ": " + fact.value + (fact.why.empty() ? "" : "\n" + fact.why));
  }
}

// What has no room scrolls. `last`: drawn behind the list where it has no room of its own.
template <class Draw>
void scroll_in(DiagnosisPanel& panel, float bottom, Draw draw) {
  Flow& outer = panel.flow;
  const Theme& theme = outer.theme();
  const float bar = theme.px(8);
  ImGui::SetCursorScreenPos({outer.left, outer.y});
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, bar);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("mistakes", {outer.width() + bar + theme.px(2), std::max(1.0f, bottom - outer.y)}, false,
                    ImGuiWindowFlags_NoBackground | kFocusableChild);
  ImGui::PopStyleVar(2);
  begin_tab_stops();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  DiagnosisPanel inner{panel.frame, panel.study,
                       Flow{panel.frame, *ImGui::GetWindowDrawList(), at.x, at.x + outer.width(), at.y, 0},
                       std::move(panel.pointed)};
  draw(inner);
  end_tab_stops();
  ImGui::SetCursorScreenPos({at.x, inner.flow.y});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  panel.pointed = std::move(inner.pointed);
  outer.y = bottom;
}

void draw_what_is_found(DiagnosisPanel& panel, Rect area) {
  const Theme& theme = panel.theme();
  const bool checked = check_results(panel.frame) != nullptr;
  const std::vector<Fact> none;
  const std::vector<Fact>& facts = checked ? known_facts(panel.frame) : none;
  const float below = facts_height(theme, facts), head = theme.px(150);
  const bool roomy = area.height() - below - head >= theme.px(kLeastList);
  const auto top = [](DiagnosisPanel& p) {
    draw_verdict(p);
    if (!p.found().singles.empty()) draw_alone_head(p);
  };
  if (panel.found().singles.empty()) {
    top(panel);
    return draw_facts(panel, facts);
  }
  if (roomy) top(panel);
  scroll_in(panel, roomy ? area.max.y - below : area.max.y, [&](DiagnosisPanel& p) {
    if (!roomy) top(p);
    draw_alone_list(p);
    if (!roomy) draw_facts(p, facts);
  });
  if (roomy) draw_facts(panel, facts);
}

}  // namespace

void draw_diagnosis(Frame& frame, Rect area) {
  ImGui::PushID("diagnosis");
  const Study<Diagnosis> study = check_study(frame);
  DiagnosisPanel panel{frame, study,
                       Flow{frame, *ImGui::GetWindowDrawList(), area.min.x, area.max.x, area.min.y, 0}};
  draw_search(panel);
  if (!study.error.empty())
    add_text(panel.flow, study.error, frame.theme.bad);
  else if (!study.found)
    add_text(panel.flow, "searching …", frame.theme.dim);
  else
    draw_what_is_found(panel, area);
  frame.memos.of<DiagnosisMemo>().pointed = std::move(panel.pointed);
  ImGui::PopID();
}

}  // namespace attn
