// What the search comes to: one set that reproduces yours, several alike, none, noise, or nothing to mend.
#include "app/workspaces/compare/check_verdict.h"

#include <algorithm>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

using namespace inspector;

constexpr float kBoxPad = 9, kBoxRound = 6, kNumberRoom = 64;
constexpr std::size_t kMostTies = 4;

struct SearchVerdict {
  std::string says, quiet = {}, number = {};
  ImU32 colour = 0;
  const Tried* set = nullptr;  // that it names
};

bool searches(const DiagnosisPanel& panel) {
  return !panel.study.done && !panel.found().done;
}

SearchVerdict search_verdict(const DiagnosisPanel& panel) {
  const Theme& theme = panel.theme();
  const Diagnosis& found = panel.found();
  if (found.equal()) return {"equal, nothing to mend", "every stage is within tolerance", "✓", theme.good};
  if (const Tried* set = found.found()) {
    const std::string quiet = "this reproduces your numbers";
    return {set_name(*set), quiet, error_text(set->distance) + " ✓", theme.good, set};
  }
  if (found.noise)
    return {"differs everywhere by about " + inspector::write(found.noise_size, {0, true}) + ", no pattern",
            "half precision or noise",
            {},
            theme.warning};
  const std::vector<const Tried*> sets = found.nearest();
  const Tried* closest = !sets.empty() && found.helps(*sets.front()) ? sets.front() : nullptr;
  const std::string near = closest        ? "closest: " + set_name(*closest)
                           : sets.empty() ? std::string()
                                          : "nothing brings them closer";
  const std::string number = closest ? error_text(closest->distance) : std::string();
  if (searches(panel)) return {"searching …", near, number, theme.accent, closest};
  if (!found.done) return {"nothing found yet", near, number, theme.warning, closest};
  return {"nothing known reproduces them", near, number, theme.warning, closest};
}

std::string progress_words(const DiagnosisPanel& panel) {
  const Diagnosis& found = panel.found();
  const std::string of = std::to_string(found.tried) + " of " + std::to_string(found.to_try);
  if (searches(panel)) return "trying " + of;
  if (!found.done) return "stopped after " + of;
  const CheckSpec& check = panel.frame.draft.check;
  if (found.equal() || found.tried == 0) return {};
  return std::to_string(found.tried) + " tried, alone" +
         (check.three   ? ", in pairs and threes"
          : check.pairs ? " and in pairs"
                        : "");
}

float text_height(const ImFont* font, const std::string& lines) {
  return font_size(font) * static_cast<float>(1 + std::ranges::count(lines, '\n'));
}

// Words over several lines, down from the flow's place.
void add_wrapped_lines(DiagnosisPanel& panel, const ImFont* font, ImVec2 at, ImU32 colour,
                       const std::string& lines) {
  for (std::size_t begin = 0; begin <= lines.size(); at.y += font_size(font)) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    draw_text(panel.flow.list, font, at, colour, std::string_view(lines).substr(begin, end - begin));
    begin = end + 1;
  }
}

void draw_verdict_box(DiagnosisPanel& panel, const SearchVerdict& verdict) {
  Flow& flow = panel.flow;
  const Theme& theme = flow.theme();
  const float pad = flow.px(kBoxPad), side = verdict.number.empty() ? 0 : flow.px(kNumberRoom);
  const float room = flow.width() - 2 * pad;
  const std::string says = wrapped(theme.fonts.bold, verdict.says, room - side);
  const std::string quiet = wrapped(theme.fonts.small, verdict.quiet, room);
  const float head = text_height(theme.fonts.bold, says);
  const float below = verdict.quiet.empty() ? 0 : text_height(theme.fonts.small, quiet) + flow.px(4);
  const Rect box{{flow.left, flow.y}, {flow.right, flow.y + head + below + 2 * pad}};
  const ImU32 colour = panel.ink(verdict.colour);
  flow.list.AddRectFilled(box.min, box.max, with_alpha(colour, 0.12f), flow.px(kBoxRound));
  flow.list.AddRect(box.min, box.max, colour, flow.px(kBoxRound), 0, flow.px(1.2f));
  const ImU32 ink = panel.ink(read_colour(theme, verdict.colour, theme.canvas));
  add_wrapped_lines(panel, theme.fonts.bold, {box.min.x + pad, box.min.y + pad}, panel.ink(theme.text), says);
  add_wrapped_lines(panel, theme.fonts.small, {box.min.x + pad, box.min.y + pad + head + flow.px(4)}, ink,
                    quiet);
  if (!verdict.number.empty())
    draw_text(flow.list, theme.fonts.bold,
              {box.max.x - pad - text_width(theme.fonts.bold, verdict.number), box.min.y + pad}, ink,
              verdict.number);
  if (verdict.set) press_set(panel, "verdict", box, *verdict.set);
  flow.y = box.max.y + flow.px(8);
}

// A set in quiet words over as many lines as it takes, with its error.
void draw_other(DiagnosisPanel& panel, const std::string& id, const Tried& tried) {
  Flow& flow = panel.flow;
  const Theme& theme = flow.theme();
  const ImFont* font = theme.fonts.small;
  const std::string number = error_text(tried.distance);
  const std::string lines = wrapped(font, set_name(tried), flow.width() - flow.px(kNumberRoom));
  const Rect row{{flow.left, flow.y}, {flow.right, flow.y + text_height(font, lines) + flow.px(4)}};
  add_wrapped_lines(panel, font, {row.min.x, row.min.y + flow.px(2)}, panel.ink(theme.dim), lines);
  draw_text(flow.list, font, {row.max.x - text_width(font, number), row.min.y + flow.px(2)},
            panel.ink(tried.reproduces ? theme.good : theme.dim), number);
  press_set(panel, id, row, tried);
  flow.y = row.max.y;
}

void add_set_caption(DiagnosisPanel& panel, const std::string& words) {
  const ImFont* font = panel.theme().fonts.small;
  draw_text(panel.flow.list, font, {panel.flow.left, panel.flow.y}, panel.ink(panel.theme().faint), words);
  panel.flow.y += font_size(font) + panel.flow.px(3);
}

}  // namespace

bool draw_verdict_line(Frame& frame, Rect line) {
  const Study<Diagnosis> study = check_study(frame);
  const Theme& theme = frame.theme;
  DiagnosisPanel panel{frame, study,
                       Flow{frame, *ImGui::GetWindowDrawList(), line.min.x, line.max.x, line.min.y, 0}};
  if (!study.found) return false;
  const SearchVerdict verdict = search_verdict(panel);
  const ImU32 colour = panel.ink(verdict.colour);
  ImDrawList& list = panel.flow.list;
  list.AddRectFilled(line.min, line.max, theme.canvas);
  list.AddRectFilled(line.min, line.max, with_alpha(colour, 0.12f), theme.px(kBoxRound));
  list.AddRect(line.min, line.max, colour, theme.px(kBoxRound), 0, theme.px(1.2f));
  const ImFont* small = theme.fonts.small;
  const float pad = theme.px(kBoxPad), top = line.min.y + (line.height() - font_size(theme.fonts.bold)) / 2;
  const ImU32 ink = panel.ink(read_colour(theme, verdict.colour, theme.canvas));
  const float number = text_width(theme.fonts.bold, verdict.number);
  draw_text(list, theme.fonts.bold, {line.max.x - pad - number, top}, ink, verdict.number);
  draw_title(list, theme, {line.min.x + pad, top}, panel.ink(theme.text), verdict.says, {},
             line.width() - 3 * pad - number);
  const float quiet = line.min.x + 2 * pad + text_width(theme.fonts.bold, verdict.says),
              room = line.max.x - 2 * pad - number - quiet;
  if (text_width(small, verdict.quiet) < room)
    draw_text(list, small, {quiet, line.min.y + (line.height() - font_size(small)) / 2}, ink, verdict.quiet);
  return press_area(theme, "verdict line", line,
                    verdict.says + ". " + verdict.quiet + "\nClick goes to the diagnosis, below.");
}

void draw_search(DiagnosisPanel& panel) {
  Flow& flow = panel.flow;
  const Theme& theme = flow.theme();
  const bool known = panel.study.found && !panel.study.stale;
  const bool going = !panel.study.done && panel.study.error.empty();
  const bool stopped = known && panel.study.done && !panel.found().done;
  const std::string chip = going ? "stop" : "go on";
  const bool pressable = known && (stopped || (going && !panel.found().done));
  const float room = pressable ? chip_size(theme, chip).x + flow.px(kWordGap) : 0;
  draw_title(flow.list, theme, {flow.left, flow.y}, theme.text, "diagnosis",
             {{known ? progress_words(panel) : std::string(), true}}, flow.width() - room);
  if (pressable) {
    ImGui::SetCursorScreenPos({flow.right - room + flow.px(kWordGap), flow.y - flow.px(4)});
    const char* tooltip = going ? "Ends the search; what it has found stays."
                                : "Searches again, from the beginning to the end.";
    if (draw_chip(theme, {.id = "search", .text = chip, .tooltip = tooltip}))
      going ? stop_search(panel.frame) : search_again(panel.frame);
  }
  flow.y += flow.px(kTitleHeight);
}

void draw_verdict(DiagnosisPanel& panel) {
  const Diagnosis& found = panel.found();
  draw_verdict_box(panel, search_verdict(panel));
  const std::vector<const Tried*> alike = found.ties();
  if (alike.size() > 1) {
    add_set_caption(panel, std::to_string(alike.size()) + " sets reproduce them alike; the others:");
    for (std::size_t i = 1; i < std::min(alike.size(), kMostTies); ++i)
      draw_other(panel, "tie " + std::to_string(i), *alike[i]);
    if (alike.size() > kMostTies)
      add_set_caption(panel,
                      "and " + std::to_string(alike.size() - kMostTies) + " more, below or in the terminal");
  }
  const auto next = std::ranges::find(found.together, false, &Tried::reproduces);
  const std::vector<const Tried*> sets = found.nearest();  // the first is told above
  const bool told = alike.empty() && next != found.together.end() && !sets.empty() && &*next == sets.front();
  if (!found.equal() && !told && next != found.together.end() && found.helps(*next)) {
    add_set_caption(panel, next->words.size() == 2 ? "next best pair" : "next best set");
    draw_other(panel, "next best", *next);
  }
  panel.flow.y += panel.flow.px(6);
}

void press_set(DiagnosisPanel& panel, const std::string& id, Rect row, const Tried& tried) {
  std::string tooltip;
  for (std::size_t i = 0; i < tried.words.size(); ++i)
    if (const Mistake* mistake = find_mistake(tried.words[i]))
      tooltip +=
          mistake_name(tried.words[i], tried.details[i]) + ": " + std::string(mistake->sentence) + "\n";
  std::vector<std::string>& kept = panel.frame.draft.check.kept;
  const bool keeps = kept == tried.words;
  tooltip += keeps ? "Click lets it go." : "Click keeps it in ours.";
  const bool pressed = press_area(panel.theme(), id.c_str(), row, tooltip);
  if (ImGui::IsItemHovered() || has_focus_ring()) panel.pointed = tried.words;
  if (keeps)
    panel.flow.list.AddRect(row.min, row.max, panel.theme().accent, panel.flow.px(3), 0, panel.flow.px(1.2f));
  if (pressed) kept = keeps ? std::vector<std::string>() : tried.words;
}

}  // namespace attn
