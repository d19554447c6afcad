// What mends it: the lines of PyTorch as a diff, what the mistakes in ours leave of the difference, what
// mending one alone would, and where to take it.
#include <cmath>
#include <utility>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/words.h"
#include "app/workspaces/compare/check_number.h"
#include "core/text/text.h"

namespace attn {
namespace {

using namespace inspector;

constexpr float kFixPad = 8, kFixLine = 4;    // points
constexpr const char* kFixIndent = "      ";  // of what a long line goes on with

void draw_fix_lines(Flow& flow, const std::string& fix) {
  const Theme& theme = flow.theme();
  const ImFont* font = theme.fonts.small;
  const float pad = flow.px(kFixPad), pitch = font_size(font) + flow.px(kFixLine);
  const float room = flow.width() - 2 * pad;
  std::vector<std::pair<std::string, ImU32>> lines;
  for (const std::string& line : split(fix, '\n')) {
    if (line.empty()) continue;
    const ImU32 ink = line.front() == '-'   ? read_colour(theme, theme.bad, theme.chip)
                      : line.front() == '+' ? read_colour(theme, theme.good, theme.chip)
                                            : theme.dim;
    if (text_width(font, line) <= room) {
      lines.emplace_back(line, ink);
      continue;
    }
    const float narrower = room - text_width(font, kFixIndent);
    std::string indent;
    for (const std::string& part : split(wrapped(font, line, narrower), '\n')) {
      lines.emplace_back(indent + part, ink);
      indent = kFixIndent;
    }
  }
  const Rect box{{flow.left, flow.y},
                 {flow.right, flow.y + 2 * pad + pitch * static_cast<float>(lines.size())}};
  flow.list.AddRectFilled(box.min, box.max, theme.chip, flow.px(4));
  for (std::size_t i = 0; i < lines.size(); ++i)
    draw_text(flow.list, font, {box.min.x + pad, box.min.y + pad + pitch * static_cast<float>(i)},
              lines[i].second, lines[i].first);
  flow.y = box.max.y + flow.px(4);
}

std::string with_in_ours(const Tried& tried) {
  const std::size_t count = tried.words.size();
  if (count == 1) return "With the mistake in ours";
  return count == 2 ? "With both mistakes in ours"
                    : "With all " + std::to_string(count) + " mistakes in ours";
}

// From the first stage that differs on: how far it is from yours with the mistakes.
void draw_what_is_left(const CheckNumber& number) {
  Flow& flow = number.flow;
  const Tried& tried = *number.tried;
  if (tried.stages.size() != number.given.size()) return;
  add_heading(flow, with_in_ours(tried).c_str());
  const auto& first = number.found->first;
  bool begun = !first;
  for (std::size_t i = 0; i < number.given.size(); ++i) {
    begun = begun || number.given[i].id == number.found->stages[*first].id;
    const auto stage = number.results.graph.find(number.given[i].id);
    if (!begun || !stage) continue;
    const double left = tried.stages[i];
    const std::string text = std::isfinite(left) ? error_text(left) : "another shape";
    add_fact(flow, number.results.graph.stages[*stage].title, text + (tried.reproduces ? " ✓" : ""),
             tried.reproduces ? flow.theme().good : flow.theme().warning);
  }
}

void draw_mend_one(const CheckNumber& number) {
  Flow& flow = number.flow;
  const Tried& tried = *number.tried;
  if (tried.words.size() < 2 || number.given.empty()) return;
  const auto last = number.results.graph.find(number.given.back().id);
  if (!last) return;
  const Stage& stage = number.results.graph.stages[*last];
  add_heading(flow, ("Mend only one: " + stage.title + " off by").c_str());
  const Study<Mended> study = study_mended(flow.frame, tried);
  if (!study.error.empty()) return add_text(flow, study.error, flow.theme().bad);
  if (!study.found || study.stale) return add_text(flow, "computing …", flow.theme().dim);
  for (const Mended::WithoutOne& one : study.found->each)
    if (!one.off)
      add_fact(flow, "only " + mistake_name(one.word), study.done ? "–" : "…", flow.theme().dim);
    else
      add_fact(flow, "only " + mistake_name(one.word),
               std::isfinite(*one.off) ? error_text(*one.off) : "another shape", flow.theme().warning);
}

void draw_ways_on(const CheckNumber& number) {
  Flow& flow = number.flow;
  Frame& frame = flow.frame;
  flow.y += flow.px(10);
  ImGui::SetCursorScreenPos({flow.left, flow.y});
  {
    ChipRow row(flow.theme(), flow.left, flow.right);
    if (number.tried && row.add({.id = "copy the fix",
                                 .text = "copy the fix",
                                 .tooltip = "Puts the lines above on the clipboard, as a diff (Ctrl+C)."}))
      frame.commands.emplace_back(kCopyFix);
    if (number.tried &&
        row.add({.id = "as B",
                 .text = "as B",
                 .tooltip = "Ours with the mistakes becomes the layer B that A is compared with (A)."}))
      frame.commands.emplace_back(kMistakesToB);
    if (number.found && row.add({.id = "report",
                                 .text = "report",
                                 .tooltip = "Puts verdict, stages, mistakes and fix on the clipboard, as "
                                            "Markdown."})) {
      ImGui::SetClipboardText(check_report(number.results.document, *number.found, number.tried).c_str());
      frame.view.say("the report is on the clipboard");
    }
  }
  flow.y = ImGui::GetCursorScreenPos().y;
}

}  // namespace

void draw_mending(const CheckNumber& number) {
  if (number.tried) {
    const std::string fix = fix_text(*number.tried);
    if (!fix.empty()) {
      add_heading(number.flow, "The fix, in PyTorch");
      draw_fix_lines(number.flow, fix);
    }
    if (number.found) draw_what_is_left(number);
    draw_mend_one(number);
  }
  draw_ways_on(number);
}

}  // namespace attn
