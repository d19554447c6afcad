// The canvas of a check: stages at the left, the diagnosis beside or below, the picture of the mistake along
// the bottom.
#include <algorithm>

#include "app/canvas/canvas.h"
#include "app/canvas/notice.h"
#include "app/canvas/progress.h"
#include "app/canvas/shelf.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/words.h"
#include "app/workspaces/compare/check_file.h"
#include "app/workspaces/compare/check_rows.h"
#include "core/compare/check_fields.h"

namespace attn {
namespace {

// They stay while the rows scroll under them.
void draw_check_heads(const Frame& frame, Rect canvas, const CheckLayout& layout, ImVec2 corner) {
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float bottom = canvas.min.y + layout.heads;
  const Rect line{{corner.x + layout.left, bottom - theme.px(kCheckHeads - 8)},
                  {corner.x + layout.right, bottom - theme.px(4)}};
  list.AddRectFilled({corner.x, canvas.min.y}, {line.max.x + theme.px(12), line.max.y}, theme.canvas);
  struct Head {
    const char *title, *says;
    ImU32 ink;
  };
  const Head heads[] = {{"yours", "from the file", theme.key},
                        {"ours", "from your inputs", theme.query},
                        {"yours − ours", "", theme.text}};
  for (std::size_t c = 0; c < kColumns; ++c) {
    const Rect place = check_column(theme, line, c);
    const std::string says = heads[c].says;
    draw_title(list, theme, place.min, heads[c].ink, heads[c].title,
               says.empty() ? Subtitle() : Subtitle{{says}}, place.width());
  }
}

// Before a file was read.
void draw_no_file(Frame& frame, Rect canvas) {
  const Theme& theme = frame.theme;
  const float left = canvas.min.x + theme.px(kSceneMargin), right = canvas.max.x - theme.px(kSceneMargin);
  const ImFont* font = theme.fonts.body;
  const std::string words = wrapped(
      font,
      "No numbers of yours yet. Open a file (.npz) that your program wrote: x with its weights, or q, k and "
      "v, "
      "and any stages that it computed, as scores, weights or output. They stand here beside ours, stage by "
      "stage, and the first that differs is opened.",
      std::min(right - left, theme.px(520)));
  const float top = canvas.min.y + theme.px(kSceneMargin);
  draw_text(*ImGui::GetWindowDrawList(), font, {left, top}, theme.text, words);
  const ImVec2 size = font->CalcTextSizeA(font_size(font), 1e6f, 0, words.c_str());
  ImGui::SetCursorScreenPos({left, top + size.y + theme.px(kSceneMargin)});
  ChipRow row(theme, left, right);
  if (row.add({.id = "check.open first", .text = "open…", .tooltip = "choose the file to check (O)"}))
    frame.commands.emplace_back("check.open");
}

void scroll_to_stage(Frame& frame, const CheckLayout& layout, Rect canvas) {
  const auto stage = take_revealed(frame, frame.graph);
  if (!stage) return;
  for (const CheckRow& row : layout.rows)
    if (row.has(*stage))
      return scroll_to(frame, canvas, layout.content,
                       {{row.area.min.x, row.area.min.y - layout.heads}, row.area.max});
}

// The head in which a file differs first is shown until a person chooses another.
void lead_to_first_head(Frame& frame) {
  CompareView& view = frame.view.of<CompareView>();
  const std::vector<StageVerdict> verdicts = check_verdicts(frame);
  const std::vector<std::string>& file = frame.draft.check.file;
  if (verdicts.empty() || frame.view.pinned) return;
  const bool is_new = view.led_by != file;
  view.led_by = file;
  std::size_t& head = frame.view.layer.head;
  // Of fewer heads the last is shown in place of one that there is no more.
  if (head != std::min(view.led_to, heads_of(frame.graph) - 1)) return;
  view.led_to = head;
  // What an edit changed is known when it was searched: rounding that explains a difference is no head's.
  const Study<Diagnosis> study = check_study(frame);
  if (!is_new && study.error.empty() && (!study.found || study.stale)) return;
  const auto first = first_of(verdicts);
  const auto stage = first ? frame.graph.find(verdicts[*first].id) : std::nullopt;
  if (!stage || !verdicts[*first].same_shape || frame.graph.stages[*stage].shape.stack == 1) return;
  view.led_to = head = cell_at(frame.graph.stages[*stage].shape, verdicts[*first].at).head;
}

// Where the diagnosis is below, what it comes to is seen first.
void draw_verdict_above(Frame& frame, Rect canvas, const CheckLayout& layout, ImVec2 corner) {
  const Theme& theme = frame.theme;
  const float margin = theme.px(kSceneMargin);
  const Rect line{{corner.x + margin, canvas.min.y + theme.px(4)},
                  {corner.x + layout.content.x - margin, canvas.min.y + theme.px(kVerdictLine - 2)}};
  if (draw_verdict_line(frame, line))
    scroll_to(frame, canvas, layout.content,
              {{layout.diagnosis.min.x, layout.diagnosis.min.y - layout.heads}, layout.diagnosis.max});
}

ImVec2 draw_parts_of_check(Frame& frame, Rect canvas) {
  const std::optional<Tried> mistakes = shown_mistakes(frame);
  lead_to_first_head(frame);
  const float zoom = std::max(1.0f, frame.canvas().zoom);
  const CheckLayout layout =
      check_layout(frame, {canvas.width() * zoom, canvas.height()}, mistakes.has_value());
  scroll_to_stage(frame, layout, canvas);
  const ImVec2 corner = canvas_origin(frame.canvas(), canvas, layout.content);
  const auto seen = [&](Rect area) { return in_sight(moved(area, corner), canvas); };
  for (const CheckRow& row : layout.rows)
    if (seen(row.area)) draw_check_row(frame, row, corner);
  if (mistakes && seen(layout.picture)) draw_mistake_picture(frame, moved(layout.picture, corner));
  // Beside the rows it stays while they scroll.
  const Rect diagnosis = moved(layout.diagnosis, layout.beside ? ImVec2{corner.x, canvas.min.y} : corner);
  if (in_sight(diagnosis, canvas)) draw_diagnosis(frame, diagnosis);
  draw_check_heads(frame, canvas, layout, corner);
  if (!layout.beside) draw_verdict_above(frame, canvas, layout, corner);
  return layout.content;
}

}  // namespace

// The results on screen lag behind what the draft turns on or off.
bool shows_check(const Frame& frame) {
  return frame.results ? frame.results->document.check.on : frame.draft.check.on;
}

void draw_check(Frame& frame, Rect canvas) {
  canvas.min.y += draw_notice(frame, canvas);
  begin_canvas(frame, canvas);
  ImVec2 content{canvas.width(), canvas.height()};
  const auto* stages = checked_stages(frame);
  if (given_stages(frame.draft.check).empty())
    draw_no_file(frame, canvas);
  else if (stages)
    content = draw_parts_of_check(frame, canvas);
  if (stages) mark_steps(frame), keep_shown_mistakes(frame);
  end_canvas(frame, canvas, content);
  draw_progress(frame, canvas);
}

}  // namespace attn
