// The canvas: a child window that scrolls and catches what its content leaves of the mouse.
#include "app/canvas/canvas.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/widgets/focus.h"

namespace attn {
namespace {

constexpr float kLeastZoom = 0.25f, kMostZoom = 8, kZoomStep = 1.15f, kNotch = 60;
constexpr float kScrollBar = 5, kLeastBar = 24;
constexpr float kInSight = 24;  // points of the content that stay on the canvas

// A canvas that was zoomed may stand anywhere as long as something of it is in sight.
void limit_scroll(CanvasView& view, const Theme& theme, Rect canvas, ImVec2 content) {
  const auto limit = [&](float scroll, float room, float whole) {
    const float most = std::max(0.0f, whole - room), spare = std::max(0.0f, room - whole) / 2;
    if (!view.loose) return std::clamp(scroll, 0.0f, most);
    const float seen = std::min(theme.px(kInSight), std::min(room, whole));
    return std::clamp(scroll, spare + seen - room, whole + spare - seen);
  };
  view.scroll_x = limit(view.scroll_x, canvas.width(), content.x);
  view.scroll_y = limit(view.scroll_y, canvas.height(), content.y);
}

void wheel(Frame& frame, Rect canvas, ImVec2 content) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl || (io.MouseWheel == 0 && io.MouseWheelH == 0)) return;
  CanvasView& view = frame.canvas();
  const float notch = frame.theme.px(kNotch);
  view.scroll_x -= (io.KeyShift ? io.MouseWheel : io.MouseWheelH) * notch;
  view.scroll_y -= io.KeyShift ? 0 : io.MouseWheel * notch;
  limit_scroll(view, frame.theme, canvas, content);
}

// One scroll bar: a thumb along the edge, draggable; `along` is 0 for x and 1 for y.
void scroll_bar(Frame& frame, Rect canvas, ImVec2 content, int along) {
  const float room = along == 0 ? canvas.width() : canvas.height(), whole = (&content.x)[along];
  if (whole <= room + 1) return;
  float& scroll = along == 0 ? frame.canvas().scroll_x : frame.canvas().scroll_y;
  const Theme& theme = frame.theme;
  const float length = std::max(theme.px(kLeastBar), room * room / whole), wide = theme.px(kScrollBar);
  const float travel = room - length;
  const float start = travel * std::clamp(scroll / (whole - room), 0.0f, 1.0f);
  Rect thumb{{canvas.max.x - wide - theme.px(3), canvas.min.y + start}, {canvas.max.x - theme.px(3), 0}};
  thumb.max.y = thumb.min.y + length;
  if (along == 0)
    thumb = {{canvas.min.x + start, canvas.max.y - wide - theme.px(3)},
             {canvas.min.x + start + length, canvas.max.y - theme.px(3)}};
  ImGui::SetCursorScreenPos(thumb.min);
  ImGui::InvisibleButton(along == 0 ? "scroll x" : "scroll y", {thumb.width(), thumb.height()});
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (ImGui::IsItemActive() && travel > 0) {
    const ImVec2 delta = ImGui::GetIO().MouseDelta;
    scroll += (along == 0 ? delta.x : delta.y) * (whole - room) / travel;
    limit_scroll(frame.canvas(), frame.theme, canvas, content);
  }
  ImGui::GetWindowDrawList()->AddRectFilled(thumb.min, thumb.max, hot ? theme.dim : theme.border, wide / 2);
}

// Behind everything: it comes last, and only gets what no block has taken.
void background(Frame& frame, Rect canvas, ImVec2 content) {
  ImGui::SetCursorScreenPos(canvas.min);
  ImGui::InvisibleButton("empty", {canvas.width(), canvas.height()},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  CanvasView& view = frame.canvas();
  if (ImGui::IsItemActive()) {
    const ImVec2 delta = ImGui::GetIO().MouseDelta;
    view.scroll_x -= delta.x, view.scroll_y -= delta.y;
    limit_scroll(view, frame.theme, canvas, content);
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) view.fit();
}

bool is_over_canvas() {
  return ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
}

}  // namespace

void begin_canvas(Frame& frame, Rect canvas) {
  // Tab scrolls the child to what it reaches; at all other times the view says where it is.
  const ImGuiContext& g = *GImGui;
  const bool tabbed =
      g.NavJustMovedToId != 0 && g.NavWindow && g.NavWindow->ChildId == ImGui::GetID("canvas");
  ImGui::SetCursorScreenPos(canvas.min);
  if (!tabbed)
    ImGui::SetNextWindowScroll({std::max(0.0f, std::round(frame.canvas().scroll_x)),
                                std::max(0.0f, std::round(frame.canvas().scroll_y))});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("canvas", {canvas.width(), canvas.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        ImGuiWindowFlags_NoBackground | kFocusableChild);
  ImGui::PopStyleVar();
  if (tabbed) frame.canvas().scroll_x = ImGui::GetScrollX(), frame.canvas().scroll_y = ImGui::GetScrollY();
}

float zoom_notches() {
  const ImGuiIO& io = ImGui::GetIO();
  return io.KeyCtrl && is_over_canvas() ? io.MouseWheel : 0;
}

void change_zoom(CanvasView& view, float notches) {
  view.zoom = std::clamp(view.zoom * std::pow(kZoomStep, notches), kLeastZoom, kMostZoom);
  if (std::abs(view.zoom - 1) < 0.01f) view.zoom = 1;  // there and back again
  view.loose = true;
}

ImVec2 canvas_origin(const CanvasView& view, Rect canvas, ImVec2 content) {
  const float spare_x = std::max(0.0f, canvas.width() - content.x);
  const float spare_y = std::max(0.0f, canvas.height() - content.y);
  return {std::round(canvas.min.x - view.scroll_x + spare_x / 2),
          std::round(canvas.min.y - view.scroll_y + spare_y / 2)};
}

void end_canvas(Frame& frame, Rect canvas, ImVec2 content) {
  limit_scroll(frame.canvas(), frame.theme, canvas, content);
  const ImVec2 origin = canvas_origin(frame.canvas(), canvas, content);
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
  begin_no_tab_stops();
  scroll_bar(frame, canvas, content, 0);
  scroll_bar(frame, canvas, content, 1);
  background(frame, canvas, content);
  end_no_tab_stops();
  ImGui::PopItemFlag();
  ImGui::SetCursorScreenPos({origin.x + content.x, origin.y + content.y});  // how far Tab may scroll
  ImGui::Dummy({0, 0});
  if (is_over_canvas()) wheel(frame, canvas, content);
  ImGui::EndChild();
}

std::optional<StageIndex> take_revealed(Frame& frame, const Graph& graph) {
  const std::string id = std::exchange(frame.canvas().reveal, "");
  return id.empty() ? std::nullopt : graph.find(id);
}

void scroll_to(Frame& frame, Rect canvas, ImVec2 content, Rect place) {
  CanvasView& view = frame.canvas();
  const auto nearest = [](float scroll, float room, float from, float to) {
    if (to - from > room || from < scroll) return from;
    return to > scroll + room ? to - room : scroll;
  };
  view.scroll_x = nearest(view.scroll_x, canvas.width(), place.min.x, place.max.x);
  view.scroll_y = nearest(view.scroll_y, canvas.height(), place.min.y, place.max.y);
  limit_scroll(view, frame.theme, canvas, content);
}

}  // namespace attn
