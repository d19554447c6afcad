// The inspector: one number opened into its arithmetic, its way on, its row of weights, and the checks.
#include <algorithm>
#include <cmath>

#include "app/frame/before.h"
#include "app/frame/workspace.h"
#include "app/inspector/checks_panel.h"
#include "app/inspector/copy_as.h"
#include "app/inspector/inspector_numbers.h"
#include "app/inspector/inspector_sections.h"
#include "app/inspector/step_panel.h"
#include "app/panels/device_badge.h"
#include "app/panels/panels.h"
#include "app/panels/side_panels.h"
#include "app/panels/strip.h"
#include "core/text/text.h"

namespace attn {
namespace {

using namespace inspector;

constexpr const char *kStepPart = "step", *kNumberPart = "number", *kChecksPart = "checks";
constexpr float kHistoryShare = 0.38f;  // of the panel's height

// A part begins here.
void note_part(Flow& flow, const char* title) {
  flow.frame.view.inspector.parts.push_back(
      {.title = title, .word = title, .top = flow.y - ImGui::GetWindowPos().y + ImGui::GetScrollY()});
}

void draw_checks_part(Flow& flow, const CheckedRow& row) {
  note_part(flow, kChecksPart);
  draw_checks(flow, row);
}

// What is inspected stays while the pointer is elsewhere, so that it can come over and press what it reads.
// While one steps, what is of another step goes.
void follow_focus(View& view, const Results& results, const StepChip* step) {
  if (view.focus()) {
    view.inspected = view.focus();
  } else if (view.inspected && step) {
    const auto stage = results.graph.find(view.inspected->stage);
    if (!stage || std::ranges::count(step->stages, *stage) == 0) view.inspected.reset();
  }
  if (view.inspected && !exists(results, *view.inspected)) view.inspected.reset();
}

// The float itself, as short as it can be read back.
std::string exactly(float number) {
  std::string text = std::isfinite(number) ? shortest(number) : write(number);
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

// Whose number it is stands behind its title where that leaves room for the number, else below it.
void draw_title(Flow& flow, const Opened& opened) {
  const Theme& theme = flow.theme();
  const Graph& graph = flow.frame.results->graph;
  const std::string number = exactly(opened.number);
  const std::string& part = graph.parts[graph.stages[*graph.find(opened.spot.stage)].part].title;
  std::string title = opened.title, sentence = opened.sentence;
  ImGui::PushFont(theme.fonts.bold);
  const Rect line = add_line(flow);
  const auto has_room = [&](const std::string& text) {
    return text_width(theme.fonts.bold, text) + flow.px(12) + text_width(theme.fonts.body, number) <=
           line.width();
  };
  if (const std::string behind = " · " + part; !part.empty() && !has_room(title) && title.ends_with(behind)) {
    title.resize(title.size() - behind.size());
    sentence = part + " · " + sentence;
  }
  put_elided(flow, line, title, theme.text);
  ImGui::PopFont();
  if (has_room(title)) put(flow, line, number, theme.dim, 1);
  if (const auto before = number_before(flow.frame, opened.spot))
    put(flow, add_line(flow), "was " + exactly(*before), theme.warning, 1);
  add_text(flow, sentence, theme.dim, theme.fonts.small);
}

// What newer numbers will follow, from `top` on.
void dim_lagging(Flow& flow, float top) {
  if (flow.frame.view.lags())
    flow.list.AddRectFilled({flow.list.GetClipRectMin().x, top}, {flow.list.GetClipRectMax().x, flow.y},
                            with_alpha(flow.theme().panel, 1 - kLagging));
}

void draw_hint(Flow& flow) {
  ImGui::PushFont(flow.theme().fonts.bold);
  put(flow, add_line(flow), "Inspector", flow.theme().text);
  ImGui::PopFont();
  add_text(flow,
           "Point at any number to see how it was made, term by term. Click to keep it here and follow its "
           "operands; Esc lets it go.",
           flow.theme().dim);
}

// A workspace with a place of its own, or that says so, speaks first, another behind all that is said of a
// number.
void draw_own(Flow& flow, bool first) {
  const Workspace& workspace = flow.frame.workspace;
  const bool speaks_first = workspace.place.look_at != nullptr || workspace.inspects_first;
  if (workspace.inspect && first == speaks_first) workspace.inspect(flow.frame, flow);
}

// What opens it elsewhere: the number, or the place of its own that a workspace speaks of first.
void lead_on(Flow& flow, bool number) {
  const Workspace& workspace = flow.frame.workspace;
  if (workspace.lead_on && (number || workspace.inspects_first)) workspace.lead_on(flow.frame, flow);
}

// The words of the step that the person is on. The cell that they speak of; none: there is no step.
std::optional<Spot> draw_step(Flow& flow) {
  const StepChip* step = flow.frame.step();
  const auto look = step ? look_at_step(flow.frame, *step) : std::nullopt;
  if (!look) return std::nullopt;
  note_part(flow, kStepPart);
  draw_step_words(flow, *step, *look);
  return look->spot;
}

void draw_number(Flow& flow, const Results& results) {
  const View& view = flow.frame.view;
  float top = flow.y;
  const std::optional<Spot> step = draw_step(flow);
  note_part(flow, kNumberPart);
  const std::optional<Spot> spot = view.inspected || !step || !exists(results, *step) ? view.inspected : step;
  if (!spot) {
    draw_own(flow, true);
    dim_lagging(flow, top);
    const bool spoken = flow.y > top;
    if (spoken) flow.y += flow.px(14);
    if (results.graph.stages.empty()) return;  // no number that a device computed
    if (!spoken) draw_hint(flow);
    top = flow.y;
    draw_overrides(flow);
    draw_checks_part(flow, {.head = view.layer.head});
    draw_own(flow, false);
    lead_on(flow, false);
    return dim_lagging(flow, top);
  }
  const Opened opened = open(results, *spot);
  draw_title(flow, opened);
  const Workspace& workspace = flow.frame.workspace;
  const bool own = workspace.open && workspace.open(flow.frame, flow, *spot);
  if (!own) draw_arithmetic(flow, results, opened);
  draw_path(flow, where_it_goes(results, *spot));
  draw_own(flow, true);
  const auto attention = attention_of(results, *spot, view.layer.head);
  if (attention && !own) draw_attention(flow, results, *attention);
  draw_mask(flow, results, *spot);
  draw_call(flow, results, *spot);
  draw_overrides(flow);
  draw_checks_part(flow, attention ? CheckedRow{attention->weights, attention->head, attention->query}
                                   : CheckedRow{.head = view.layer.head});
  draw_own(flow, false);
  lead_on(flow, true);
  draw_copy_as(flow, results, *spot);
  dim_lagging(flow, top);
}

}  // namespace

void inspector::draw_arithmetic(Flow& flow, const Results& results, const Opened& opened) {
  add_pieces(flow, opened.formula);
  if (const auto softmax = open_softmax(results, opened.spot))
    draw_softmax(flow, *softmax, opened);
  else
    draw_terms(flow, opened);
  if (opened.turn && !opened.overridden) draw_turn(flow, *opened.turn);
  if (!opened.computed) return;
  const Rect line = add_line(flow);
  put(flow, line, "computed, before your number", flow.theme().dim);
  put(flow, line, write(opened.computed->value), flow.theme().text, 1);
  press_to_open(flow, "computed", line, opened.computed->spot);
}

void draw_inspector(Frame& frame, Rect area) {
  Rect above = area;
  if (frame.view.settings.show_history) {
    above.max.y -= area.height() * kHistoryShare;
    draw_history(frame, {{area.min.x, above.max.y}, area.max});
  }
  Flow flow = begin_flow(frame, "inspector", above);
  frame.view.inspector.parts.clear();
  if (frame.results) {
    follow_focus(frame.view, *frame.results, frame.step());
    if (frame.view.lags())  // in the margin: nothing moves
      put_elided(flow, {{flow.left, flow.y - flow.px(12)}, {flow.right, flow.y + flow.px(4)}},
                 "new numbers are being computed", frame.theme.warning, 1);
    draw_number(flow, *frame.results);
  } else {
    add_text(flow, frame.engine.stopped ? "nothing is computed yet" : "computing the first numbers…",
             frame.theme.dim);
  }
  follow_parts(frame.theme, frame.view.inspector);
  end_flow(flow);
  ImGui::GetWindowDrawList()->AddLine(area.min, {area.min.x, area.max.y}, frame.theme.border);
}

std::vector<StripWord> inspector_words(const Frame& frame) {
  const SidePanel& panel = frame.view.inspector;
  const Theme& theme = frame.theme;
  const Badge::Health health = badge_of(frame.engine, true).health;
  std::vector<StripWord> words;
  const auto add = [&](const char* part, const std::string& word, ImU32 ink) {
    words.push_back({part, word, ink, panel.open && panel.shown == part});
  };
  const StepChip* step = frame.step();
  if (step && step->words)
    add(kStepPart,
        "Step " + std::to_string(step - frame.steps.data() + 1) + " of " + std::to_string(frame.steps.size()),
        theme.dim);
  add(kNumberPart, "Number", theme.dim);
  if (!frame.graph.stages.empty())
    add(kChecksPart, "Checks" + health_mark(health), health_colour(theme, health));
  return words;
}

}  // namespace attn
