// The diagram of the stack: boxes in the order of the computation, and what each adds to the stream.
#include "app/workspaces/stack/architecture.h"

#include <algorithm>
#include <array>

#include "app/canvas/steps.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/press.h"
#include "app/widgets/strokes.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "core/document/edit.h"
#include "core/document/stack_edit.h"

namespace attn {
namespace {

constexpr float kDiagramStep = 37, kDiagramBox = 25, kLeastStep = 27, kSumRadius = 7, kColumnGap = 18,
                kResidualOut = 9, kFactsHeight = 190, kMostColumn = 200, kBoxInset = 9;

// Each box at its step from the top, columns side by side.
void place_boxes(const Theme& theme, std::vector<DiagramColumn>& columns, Rect area) {
  std::size_t most = 1;
  for (const DiagramColumn& column : columns) most = std::max(most, column.boxes.size());
  const float step =
      std::clamp(area.height() / static_cast<float>(most), theme.px(kLeastStep), theme.px(kDiagramStep));
  const float height = std::min(theme.px(kDiagramBox), step * 0.7f), gap = theme.px(kColumnGap);
  const auto count = static_cast<float>(columns.size());
  const float width = std::min((area.width() - gap * (count - 1)) / count, theme.px(kMostColumn));
  float left = area.min.x;
  for (DiagramColumn& column : columns) {
    float y = area.min.y;
    for (DiagramBox& box : column.boxes) {
      const float inset = theme.px(kBoxInset);
      const float x = left + inset, middle = left + width / 2;
      const float radius = theme.px(kSumRadius);
      box.place = box.kind == DiagramBox::sum ? Rect{{middle - radius, y + height / 2 - radius},
                                                     {middle + radius, y + height / 2 + radius}}
                                              : Rect{{x, y}, {left + width - inset, y + height}};
      y += step;
    }
    left += width + gap;
  }
}

ImVec2 middle_of(const Rect& rect) {
  return {(rect.min.x + rect.max.x) / 2, (rect.min.y + rect.max.y) / 2};
}

void draw_lines(const StackScene& scene, const DiagramColumn& column) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect &first = column.boxes[column.first_of_block].place,
             &last = column.boxes[column.end_of_block - 1].place;
  const float side = theme.px(kBoxInset);
  const Rect& wide = column.boxes.front().place;
  const Rect frame{{wide.min.x - side, first.min.y - theme.px(8)},
                   {wide.max.x + side, last.max.y + theme.px(8)}};
  list.AddRectFilled(frame.min, frame.max, with_alpha(theme.chip, 0.35f), theme.px(8));
  list.AddRect(frame.min, frame.max, theme.border, theme.px(8));
  for (std::size_t i = 1; i < column.boxes.size(); ++i) {
    const Rect &from = column.boxes[i - 1].place, &to = column.boxes[i].place;
    const float x = middle_of(from).x, head = theme.px(3);
    const std::array<ImVec2, 2> line{{{x, from.max.y}, {x, to.min.y}}};
    draw_stroke(list, theme, line, theme.dim, theme.px(1.2f));
    list.AddTriangleFilled({x - head, to.min.y - head * 1.5f}, {x + head, to.min.y - head * 1.5f},
                           {x, to.min.y}, theme.dim);
  }
  for (const DiagramResidual& residual : column.residuals) {
    const Rect &from = column.boxes[residual.from].place, &to = column.boxes[residual.to].place;
    const float out =
        column.decoder ? wide.max.x + theme.px(kResidualOut - 3) : wide.min.x - theme.px(kResidualOut - 3);
    const float leave = from.min.y - theme.px(5), y = middle_of(to).y;
    const float edge = column.decoder ? to.max.x : to.min.x;
    const std::array<ImVec2, 4> line{{{middle_of(to).x, leave}, {out, leave}, {out, y}, {edge, y}}};
    draw_stroke(list, theme, line, theme.accent, theme.px(1.4f));
  }
}

// From what the encoder leaves to the K and V of cross-attention.
void draw_memory(const StackScene& scene, const std::vector<DiagramColumn>& columns) {
  if (columns.size() < 2 || !columns[0].memory || !columns[1].cross) return;
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect &from = columns[0].boxes[*columns[0].memory].place,
             &to = columns[1].boxes[*columns[1].cross].place;
  const float y = middle_of(from).y, into = middle_of(to).y;
  const float x = to.min.x - theme.px(kBoxInset + kColumnGap / 2);
  const std::array<ImVec2, 4> line{{{from.max.x, y}, {x, y}, {x, into}, {to.min.x, into}}};
  draw_stroke(list, theme, line, theme.good, theme.px(1.6f));
  const float head = theme.px(4);
  list.AddTriangleFilled({to.min.x - head * 1.5f, into - head}, {to.min.x - head * 1.5f, into + head},
                         {to.min.x, into}, theme.good);
  const ImFont* font = theme.fonts.small;
  const float left = from.min.x, top = from.max.y + theme.px(6);
  for (const auto& [words, down] :
       {std::pair{"memory: K, V of", 0.0f}, std::pair{"every cross-attention", 14.0f}})
    draw_text(list, font, {left, top + theme.px(down)}, theme.good, words);
}

ImU32 hue_of(const Theme& theme, const DiagramBox& box) {
  if (box.kind == DiagramBox::output) return theme.output;
  if (box.kind == DiagramBox::answer) return theme.accent;
  if (!box.box) return theme.border;
  return *box.box == StackBox::attention ? theme.query
         : *box.box == StackBox::cross   ? theme.value
                                         : theme.key;
}

// The attention over the numbers that it reads here, in place of layer B.
void copy_to_compare(const StackScene& scene, bool decoder, std::size_t layer, StackBox which) {
  const StackSide& side = decoder ? scene.spec().decoder : scene.spec().encoder;
  const BoxStages& box = *scene.places().side(decoder)->blocks[layer].find(which);
  const bool cross = which == StackBox::cross,
             reads_norm = scene.spec().norm_at == NormAt::before && box.normed;
  LayerSpec copied = cross ? *side.blocks[layer].cross : side.blocks[layer].attention;
  copied.x = scene.numbers(reads_norm ? *box.normed : box.before);
  copied.tokens = side.tokens;
  if (cross) {
    const SideStages* encoder = scene.places().side(false);
    copied.memory = encoder ? scene.numbers(encoder->output) : scene.spec().memory;
    copied.memory_tokens = encoder ? scene.spec().encoder.tokens : scene.spec().memory_tokens;
  } else if (!is_added(scene.spec().position)) {
    copied.position = scene.spec().position;
    copied.first_position = side.first_position;
  }
  Document& draft = scene.frame.draft;
  if (!draft.has(kLayerB)) begin_layer(draft, kLayerB);
  draft.layer(kLayerB) = std::move(copied);
  scene.frame.view.say("copied: it is layer B beside A now");
}

void box_menu(StackScene& scene, const DiagramBox& box, std::size_t layer) {
  if (!ImGui::BeginPopup("box")) return;
  close_by_escape();
  if (menu_item(box.off ? "switch on" : "switch off"))
    switch_stack_box(scene.frame.draft, box.decoder, layer, *box.box);
  if (*box.box != StackBox::feed_forward && menu_item("copy to Compare", nullptr, false, !box.off))
    copy_to_compare(scene, box.decoder, layer, *box.box);
  if (menu_item("open", "Enter", false, !box.off)) scene.frame.commands.emplace_back("stack.open");
  ImGui::EndPopup();
}

void light(StackScene& scene, const DiagramBox& box) {
  scene.view().box = *box.box;
  scene.view().rows = !box.decoder                  ? StackRows::encoder
                      : *box.box == StackBox::cross ? StackRows::cross
                                                    : StackRows::decoder;
}

void press_box(StackScene& scene, const DiagramBox& box, std::size_t layer) {
  const std::string id = std::string(box.decoder ? "decoder " : "encoder ") + box.id;
  ImGui::PushID("diagram");
  ImGui::PushID(id.c_str());
  if (press_area(scene.frame.theme, id.c_str(), box.place, box.tooltip)) light(scene, box);
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) {
    light(scene, box);
    scene.frame.commands.emplace_back("stack.open");
  }
  if (ImGui::IsItemClicked(1)) light(scene, box), ImGui::OpenPopup("box");
  box_menu(scene, box, layer);
  ImGui::PopID();
  ImGui::PopID();
}

// A box of no layer: to its step of the stage bar.
void press_stepped(StackScene& scene, const DiagramBox& box) {
  Frame& frame = scene.frame;
  const std::string id = std::string(box.decoder ? "decoder " : "encoder ") + box.id;
  ImGui::PushID("diagram");
  const bool pressed = press_area(frame.theme, id.c_str(), box.place, box.tooltip + "\nclick: its step");
  ImGui::PopID();
  if (!pressed) return;
  for (std::size_t place = 0; place < frame.steps.size(); ++place)
    if (std::ranges::count(frame.steps[place].stages, *box.stage) > 0)
      return step_to(frame.view, frame.steps, place);
}

void draw_box(StackScene& scene, const DiagramBox& box, std::size_t layer) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (box.kind == DiagramBox::sum) {
    const ImVec2 centre = middle_of(box.place);
    draw_disc(list, theme, centre, box.place.width() / 2, theme.canvas);
    draw_ring(list, centre, box.place.width() / 2, theme.dim, theme.px(1.2f));
    const float arm = box.place.width() / 4;
    list.AddLine({centre.x - arm, centre.y}, {centre.x + arm, centre.y}, theme.dim, theme.px(1.2f));
    list.AddLine({centre.x, centre.y - arm}, {centre.x, centre.y + arm}, theme.dim, theme.px(1.2f));
    return;
  }
  const bool own = scene.decoder() == box.decoder;
  const bool lit = own && box.box && *box.box == scene.view().box;
  const ImU32 hue = hue_of(theme, box);
  list.AddRectFilled(box.place.min, box.place.max, lit ? theme.accent_soft : theme.chip, theme.px(5));
  list.AddRect(box.place.min, box.place.max, box.off ? theme.border : hue, theme.px(5), 0,
               theme.px(lit ? 2.0f : 1.2f));
  const ImFont *font = theme.fonts.body, *small = theme.fonts.small;
  const float y = middle_of(box.place).y, pad = theme.px(7);
  const float number = box.number.empty() ? 0 : text_width(small, box.number) + pad;
  const float room = box.place.width() - 2 * pad - number;
  const std::string text = elided(text_width(font, box.text) > room ? small : font, box.text, room);
  const ImFont* with = text_width(font, box.text) > room ? small : font;
  const bool centred = box.number.empty();
  const float x = centred ? middle_of(box.place).x - text_width(with, text) / 2 : box.place.min.x + pad;
  draw_text(list, with, {x, y - font_size(with) / 2}, box.off ? theme.faint : theme.text, text);
  if (!box.number.empty())
    draw_text(list, small, {box.place.max.x - number, y - font_size(small) / 2}, theme.dim, box.number);
  if (box.box)
    press_box(scene, box, layer);
  else if (box.stage)
    press_stepped(scene, box);
  else if (ImGui::IsMouseHoveringRect(box.place.min, box.place.max))
    show_tooltip(box.tooltip);
}

}  // namespace

void draw_architecture(StackScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "architecture",
             {{"what a box adds to the stream"}}, area.width());
  std::vector<DiagramColumn> columns = diagram_of(scene);
  Rect diagram{{area.min.x, area.min.y + theme.px(kTitleHeight + 4)}, area.max};
  const bool beneath = columns.size() > 1;  // of the shorter column there is room below
  if (!beneath) diagram.max.y -= theme.px(kFactsHeight);
  place_boxes(theme, columns, diagram);
  for (const DiagramColumn& column : columns) draw_lines(scene, column);
  draw_memory(scene, columns);
  for (const DiagramColumn& column : columns) {
    const std::size_t count = scene.places().side(column.decoder)->blocks.size();
    for (const DiagramBox& box : column.boxes) draw_box(scene, box, std::min(scene.view().layer, count - 1));
  }
  const Rect& last = columns.front().boxes.back().place;
  const float top = last.max.y + theme.px(beneath ? 44 : 16);
  Rect facts{{area.min.x, top},
             {columns.front().boxes.front().place.max.x + theme.px(kBoxInset), area.max.y}};
  if (!beneath) facts.max.x = area.max.x;
  facts.min.y += draw_layer_squares(scene, facts);
  draw_lit_facts(scene, facts);
}

}  // namespace attn
