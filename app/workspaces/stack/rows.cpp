// Layer by layer: the maps of its heads, how sharp they are, where they sink, the stream behind it.
#include <algorithm>
#include <utility>

#include "app/canvas/blocks.h"
#include "app/cells/cell_layout.h"
#include "app/cells/head_strip.h"
#include "app/plot/plot_layout.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/stack/rows_look.h"

namespace attn {
namespace {

constexpr float kFrameRounding = 6, kFrameInset = 2, kFullHeadName = 46;

std::string rows_title(const StackScene& scene) {
  switch (scene.rows) {
    case StackRows::encoder:
      return "encoder, layer by layer";
    case StackRows::decoder:
      return "decoder, layer by layer";
    case StackRows::cross:
      return "decoder to encoder, layer by layer";
  }
  return {};
}

void draw_rows_title(const StackScene& scene, const RowsLook& look) {
  const std::string range = weights_range(weights_map(scene.frame.theme, scene.memo.most_weight));
  Subtitle subtitle{{"weights of each head, " + range, true}};
  if (look.count < scene.layers())
    subtitle.push_back({"layers " + std::to_string(look.first) + "–" +
                            std::to_string(look.first + look.count - 1) + " of " +
                            std::to_string(scene.layers()) + ", wheel",
                        true});
  draw_title(*ImGui::GetWindowDrawList(), scene.frame.theme, look.area.min, scene.frame.theme.text,
             rows_title(scene), subtitle, look.area.width());
}

// "head 3", or its number where that has no room, in the middle above a map.
void draw_head_name(const StackScene& scene, Rect map, std::size_t head, float bottom) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  const std::string index = std::to_string(head), before = "head ";
  const std::string name = map.width() >= theme.px(kFullHeadName) ? before + index : index;
  draw_text(*ImGui::GetWindowDrawList(), font,
            {(map.min.x + map.max.x - text_width(font, name)) / 2, bottom - font_size(font) - theme.px(3)},
            read_colour(theme, series_colour(head), theme.canvas), name);
}

void draw_head_names(const StackScene& scene, const RowsLook& look, const Shape& shape) {
  const Theme& theme = scene.frame.theme;
  if (look.lines == 1) {
    for (std::size_t head = 0; head < shape.stack; ++head)
      draw_head_name(scene, look.map(theme, look.first, head, shape).box, head, look.top);
    return;
  }
  for (std::size_t layer = look.first; layer < look.first + look.count; ++layer)
    for (std::size_t head = 0; head < shape.stack && scene.attention(layer); ++head) {
      const Rect map = look.map(theme, layer, head, shape).box;
      draw_head_name(scene, map, head, map.min.y + theme.px(1));
    }
}

void draw_chosen_frame(const StackScene& scene, const RowsLook& look) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect row = look.row(scene.layer);
  const float in = theme.px(kFrameInset), rounding = theme.px(kFrameRounding);
  const ImVec2 min{row.min.x, row.min.y + in}, max{row.max.x, row.max.y - in};
  list.AddRectFilled(min, max, with_alpha(theme.accent_soft, 0.45f), rounding);
  list.AddRect(min, max, theme.accent, rounding, 0, theme.px(1));
}

// One stage's numbers for all of its heads.
Grid grid_of_layer(const StackScene& scene, const LayerStages& attention) {
  Grid grid = matrix_block(scene.frame, attention.weights, 0).grid;
  grid.map = weights_map(scene.frame.theme, scene.memo.most_weight), grid.own_range = false;
  grid.opacity = scene.frame.view.lags() ? kLagging : 1;
  return grid;
}

void draw_maps_of(const StackScene& scene, const RowsLook& look, std::size_t layer) {
  const LayerStages* attention = scene.attention(layer);
  if (!attention) return;
  const Grid grid = grid_of_layer(scene, *attention);
  const Shape& shape = scene.stage(attention->weights).shape;
  for (std::size_t head = 0; head < shape.stack; ++head)
    draw_map_of_head(scene.frame, grid, look.map(scene.frame.theme, layer, head, shape).box, head, 1);
}

std::string about_map(const StackScene& scene, std::size_t layer, Cell cell) {
  const Stage& stage = scene.stage(scene.attention(layer)->weights);
  const LayerMeasures& measures = scene.memo.layers[layer];
  const double weight = static_cast<double>(scene.numbers(scene.attention(layer)->weights)[cell]);
  const HeadSink& sink = measures.sinks[cell.head];
  const std::string layer_words = "layer ", head_words = ", head ";
  return layer_words + std::to_string(layer) + head_words + std::to_string(cell.head) + "\n" +
         weight_words(stage, cell, weight) + "\nentropy " + weight_text(measures.entropy[cell.head], 3) +
         " nats; " + quoted_token(stage.columns, sink.column) + " takes " + weight_text(sink.share, 3) +
         " of all weight" + "\nclick: this head, this layer, this row";
}

// Pointed at, clicked, or pressed by the keyboard.
void press_map(StackScene& scene, const RowsLook& look, std::size_t layer, std::size_t head) {
  Frame& frame = scene.frame;
  const Stage& stage = scene.stage(scene.attention(layer)->weights);
  const SmallMap map = look.map(frame.theme, layer, head, stage.shape);
  const ImVec2 mouse = ImGui::GetMousePos();
  const Cell cell = map.at(mouse, head);
  ImGui::SetCursorScreenPos(map.box.min);
  const std::string layer_id = "layer ", head_id = " head ";
  const std::string id = layer_id + std::to_string(layer) + head_id + std::to_string(head);
  const bool clicked = ImGui::InvisibleButton(id.c_str(), {map.box.width(), map.box.height()});
  const bool by_mouse = clicked && map.box.contains(mouse) && ImGui::IsItemHovered();
  if (clicked || pressed_by_enter()) {
    frame.view.layer.head = head;
    look_at_layer(scene, layer);
    if (by_mouse) {
      look_at_row(scene, cell.row);
      frame.view.pinned = Spot{stage.id, cell};
    }
  }
  draw_focus_ring(frame.theme, frame.theme.px(3));
  if (!ImGui::IsItemHovered()) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  frame.view.hovered = Spot{stage.id, cell};
  ImGui::GetWindowDrawList()->AddRect(map.box.min, map.box.max, kMapOutlineSoft);
  if (wants_tooltip()) show_tooltip(about_map(scene, layer, cell));
}

// The row that is looked at, in every map of the layer; around the map of the head, a frame.
void outline_maps(const StackScene& scene, const RowsLook& look) {
  const LayerStages* attention = scene.attention(scene.layer);
  if (!attention) return;
  const Theme& theme = scene.frame.theme;
  const Shape& shape = scene.stage(attention->weights).shape;
  for (std::size_t head = 0; head < shape.stack; ++head) {
    const SmallMap map = look.map(theme, scene.layer, head, shape);
    outline_row(theme, map.row(scene.row), head == scene.head ? kMapOutline : kMapOutlineSoft, "");
    if (head != scene.head) continue;
    const float out = theme.px(1);
    ImGui::GetWindowDrawList()->AddRect({map.box.min.x - out, map.box.min.y - out},
                                        {map.box.max.x + out, map.box.max.y + out}, theme.outline,
                                        theme.px(2), 0, theme.px(2));
  }
}

void draw_row_label(const StackScene& scene, const RowsLook& look, std::size_t layer) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect row = look.row(layer);
  const ImFont *small = theme.fonts.small, *bold = theme.fonts.bold;
  const float x = row.min.x + theme.px(kWordGap), gap = theme.px(2);
  const float y = (row.min.y + row.max.y - font_size(small) - font_size(bold) - gap) / 2;
  draw_text(list, small, {x, y}, theme.dim, "layer");
  draw_text(list, bold, {x, y + font_size(small) + gap}, theme.text, std::to_string(layer));
  if (scene.attention(layer)) return;
  draw_text(list, small, {look.maps_x, (row.min.y + row.max.y - font_size(small)) / 2}, theme.faint, "off");
}

std::string about_layer(const StackScene& scene, std::size_t layer) {
  const std::string name = "layer ";
  const std::string off = scene.attention(layer) ? "" : ": attention is off";
  return name + std::to_string(layer) + off +
         (layer == scene.layer ? "\nwheel: another layer" : "\nclick: this layer");
}

// On both sides of its maps a row is pressed as a whole; one stop of Tab is enough.
void press_row(const StackScene& scene, const RowsLook& look, std::size_t layer) {
  const Theme& theme = scene.frame.theme;
  const std::string name = "layer ", measures = "measures ";
  const Rect row = look.row(layer);
  Rect left = row, right = row;
  left.max.x = look.maps_x - theme.px(kTableGap), right.min.x = look.entropy_x;
  const std::string about = about_layer(scene, layer);
  if (press_area(theme, (name + std::to_string(layer)).c_str(), left, about)) look_at_layer(scene, layer);
  begin_no_tab_stops();
  if (press_area(theme, (measures + std::to_string(layer)).c_str(), right, about))
    look_at_layer(scene, layer);
  end_no_tab_stops();
}

// How far the rows are scrolled.
void draw_rows_thumb(const StackScene& scene, const RowsLook& look) {
  if (look.count == scene.layers()) return;
  const Theme& theme = scene.frame.theme;
  const auto all = static_cast<float>(scene.layers());
  const float height = look.pitch * static_cast<float>(look.count), right = look.area.max.x + theme.px(6);
  const float top = look.top + height * static_cast<float>(look.first) / all;
  ImGui::GetWindowDrawList()->AddRectFilled({right - theme.px(3), top},
                                            {right, top + height * static_cast<float>(look.count) / all},
                                            theme.border, theme.px(1.5f));
}

}  // namespace

void draw_layer_rows(StackScene& scene, Rect area) {
  turn_layers(scene, area);
  const RowsLook look = rows_look(scene, area);
  const std::size_t end = look.first + look.count;
  ImGui::PushID("rows");
  draw_chosen_frame(scene, look);
  // First all maps: words between them would cost each one a change of OpenGL's state.
  for (std::size_t layer = look.first; layer < end; ++layer) draw_maps_of(scene, look, layer);
  draw_rows_title(scene, look);
  if (const Stage* weights = any_weights(scene)) draw_head_names(scene, look, weights->shape);
  draw_measure_heads(scene, look);
  for (std::size_t layer = look.first; layer < end; ++layer) {
    const LayerStages* attention = scene.attention(layer);
    const std::size_t heads = attention ? scene.stage(attention->weights).shape.stack : 0;
    for (std::size_t head = 0; head < heads; ++head) press_map(scene, look, layer, head);
    draw_row_label(scene, look, layer);
    draw_row_measures(scene, look, layer);
    press_row(scene, look, layer);
  }
  outline_maps(scene, look);
  draw_rows_thumb(scene, look);
  ImGui::PopID();
}

}  // namespace attn
