// Spans side by side, in the largest letters that leave room for all; those of the present step that stand
// next to each other share a frame.
#include "app/layer/formula_line.h"

#include <algorithm>
#include <string>

#include "app/canvas/steps.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

// Points. Where the canvas is wide the formula begins where the numbers of the first matrix usually do.
constexpr float kLine = 34, kSmallLine = 28, kSmallMargin = 6, kSmallCanvas = 480, kLeft = 64,
                kBetweenSpans = 9, kBetweenLayers = 28, kFramePad = 5, kFrameHeight = 30;

struct LaidSpan {
  const FormulaSpan* span;
  float x = 0, width = 0;  // pixels
  bool lit = false;
};

bool is_lit(const Frame& frame, const FormulaSpan& span) {
  const StepChip* step = frame.step();
  return step && std::ranges::any_of(span.stages, [&](StageIndex stage) {
           return std::ranges::count(step->stages, stage) > 0;
         });
}

// What a part stands for is done in the last of its steps: Q is there before, but QKᵀ is the scores.
std::optional<std::size_t> step_of(const Frame& frame, const FormulaSpan& span) {
  for (std::size_t i = frame.steps.size(); i-- > 0;)
    if (std::ranges::any_of(span.stages, [&](StageIndex stage) {
          return std::ranges::count(frame.steps[i].stages, stage) > 0;
        }))
      return i;
  return std::nullopt;
}

// Returns the right end.
float place(std::vector<LaidSpan>& pieces, const Frame& frame, const ImFont* font, float x) {
  pieces.clear();
  for (const Part& part : frame.graph.parts) {
    if (!pieces.empty() && !part.formula.empty()) x += frame.theme.px(kBetweenLayers);
    for (const FormulaSpan& span : part.formula) {
      const float width = text_width(font, span.text);
      pieces.push_back({&span, x, width, is_lit(frame, span)});
      x += width + frame.theme.px(kBetweenSpans);
    }
  }
  return x;
}

void draw_frames(const Theme& theme, const std::vector<LaidSpan>& pieces, float middle) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float pad = theme.px(kFramePad), half = theme.px(kFrameHeight) / 2;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].lit) continue;
    std::size_t last = i;
    while (last + 1 < pieces.size() && pieces[last + 1].lit) ++last;
    const ImVec2 min{pieces[i].x - pad, middle - half};
    const ImVec2 max{pieces[last].x + pieces[last].width + pad, middle + half};
    list.AddRectFilled(min, max, theme.accent_soft, theme.px(5));
    list.AddRect(min, max, theme.accent, theme.px(5), 0, theme.px(1.5f));
    i = last;
  }
}

void draw_piece(Frame& frame, const LaidSpan& piece, const ImFont* font, float middle, std::size_t index) {
  const Theme& theme = frame.theme;
  bool hot = false;
  if (const auto step = step_of(frame, *piece.span)) {
    ImGui::SetCursorScreenPos({piece.x, middle - theme.px(kFrameHeight) / 2});
    if (ImGui::InvisibleButton(std::to_string(index).c_str(), {piece.width, theme.px(kFrameHeight)}))
      step_to(frame.view, frame.steps, *step);
    hot = ImGui::IsItemHovered();
    if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (wants_tooltip()) show_tooltip(frame.steps[*step].title + ": " + frame.steps[*step].says);
  }
  const bool bright = piece.lit || hot || !frame.step();
  draw_text(*ImGui::GetWindowDrawList(), font, {piece.x, middle - font_size(font) / 2},
            bright ? theme.text : theme.dim, piece.span->text);
}

void draw_spans(Frame& frame, float left, float right, float middle) {
  const Fonts& fonts = frame.theme.fonts;
  const ImFont* font = fonts.small;
  std::vector<LaidSpan> pieces;
  for (const ImFont* tried : {fonts.large, fonts.lead, fonts.body, fonts.small}) {
    font = tried;
    if (place(pieces, frame, font, left) <= right) break;
  }
  const std::size_t all = pieces.size();
  while (!pieces.empty() && pieces.back().x + pieces.back().width > right) pieces.pop_back();
  draw_frames(frame.theme, pieces, middle);
  for (std::size_t i = 0; i < pieces.size(); ++i) draw_piece(frame, pieces[i], font, middle, i);
  if (!pieces.empty() && pieces.size() < all)
    draw_text(*ImGui::GetWindowDrawList(), font,
              {pieces.back().x + pieces.back().width, middle - font_size(font) / 2}, frame.theme.dim, "…");
}

}  // namespace

float draw_formula_line(Frame& frame, Rect canvas) {
  if (frame.steps.empty()) return 0;
  const Theme& theme = frame.theme;
  const bool roomy = canvas.width() >= theme.px(kRoomyScene);
  const bool low = canvas.height() < theme.px(kSmallCanvas);
  const float margin = theme.px(kSceneMargin), top = low ? theme.px(kSmallMargin) : margin;
  const float line = theme.px(low ? kSmallLine : kLine), middle = canvas.min.y + top + line / 2;
  const std::string all = "all stages";
  const ImVec2 chip = chip_size(theme, all);
  ImGui::PushID("formula");
  begin_no_tab_stops();                  // the stage bar has the same steps
  if (!low || !frame.view.before.shown)  // whose line stands there
    draw_spans(frame, canvas.min.x + (roomy ? theme.px(kLeft) : margin),
               canvas.max.x - margin - chip.x - theme.px(kWideGap), middle);
  end_no_tab_stops();
  ImGui::SetCursorScreenPos({canvas.max.x - margin - chip.x, middle - chip.y / 2});
  if (draw_chip(theme, {.id = "all",
                        .text = all,
                        .tooltip = "every stage at full strength (A)",
                        .on = frame.step() == nullptr}))
    frame.commands.push_back("stage.all");
  ImGui::PopID();
  return top + line;
}

}  // namespace attn
