// Arcs as Bézier curves that all go across alike, so that one search tells how far down each of them is under
// the pointer. Weights too small to be seen are neither drawn nor found; of too many the strongest are.
#include "app/cells/arcs.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/cells/cell_layout.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/strokes.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kFaintest = 0.004f;  // weights below are thinner than can be seen
constexpr float kMostLabel = 96;

const ImFont* label_font(const Theme& theme) {
  return theme.fonts.body;  // as matrices write their rows
}

// A cubic curve whose ends are level: the same way across for all, so one parameter finds the pointer on
// each.
struct Curves {
  float left, right, top, pitch;

  float row(std::size_t i) const { return top + (static_cast<float>(i) + 0.5f) * pitch; }
  // How far down (0 … 1) a curve is when it is at `x`.
  float drop_at(float x) const {
    const float wanted = std::clamp((x - left) / (right - left), 0.0f, 1.0f);
    float low = 0, high = 1;
    for (int i = 0; i < 20; ++i) {
      const float t = (low + high) / 2, u = 1 - t;
      (1.5f * u * t + t * t * t < wanted ? low : high) = t;  // 3u²t/2 + 3ut²/2 + t³, with u + t = 1
    }
    return low * low * (3 - 2 * low);
  }
  void draw(ImDrawList& list, const Theme& theme, std::size_t query, std::size_t key, ImU32 colour,
            float thickness) const {
    const float y0 = row(query), y1 = row(key), middle = (left + right) / 2;
    list.PathLineTo({left, y0});
    list.PathBezierCubicCurveTo({middle, y0}, {middle, y1}, {right, y1});
    const std::vector<ImVec2> points(list._Path.begin(), list._Path.end());
    list.PathClear();
    draw_stroke(list, theme, points, colour, thickness);
  }
};

// What is not finite has no width: it shows in the matrix.
float weight_of(const Grid& grid, std::size_t query, std::size_t key) {
  const Cell cell{grid.head, query, key};
  const float w = grid.values.holds(cell) ? grid.values[cell] : 0;
  return std::isfinite(w) ? w : 0;
}

// Pixels: a weight of 1 nearly fills its row, up to a limit.
float thickness_of(const Theme& theme, const Curves& curves, float weight) {
  const float most = std::min(theme.px(7), curves.pitch * 0.85f), least = std::min(theme.px(0.8f), most);
  return least + (most - least) * std::clamp(weight, 0.0f, 1.0f);
}

// The query in question: of the focused number, where that is a number between a query and a key.
std::optional<Cell> focused_cell(const Frame& frame, const Grid& grid) {
  const std::optional<Spot>& focus = frame.view.focus();
  if (!focus || !frame.results || focus->cell.head != grid.head) return std::nullopt;
  const Shape shape = frame.results->result(focus->stage).shape();
  const Shape own = grid.values.shape();
  if (shape != own || focus->cell.row >= own.rows || focus->cell.column >= own.columns) return std::nullopt;
  return focus->cell;
}

using Link = Strongest::Link;

// Those that are drawn: all that can be seen; of too many the strongest, and all of the row in question.
std::vector<Link> links_of(const Grid& grid, std::optional<Cell> focused) {
  const std::vector<Strongest>& strongest = grid.summary.strongest;
  const bool told = grid.head < strongest.size(), many = told || !grid.values.here();
  std::vector<Link> links;
  if (told)
    std::ranges::copy_if(strongest[grid.head].links, std::back_inserter(links), [&](const Link& link) {
      const bool is_drawn_below =
          focused && focused->row == link.row && grid.values.holds({grid.head, link.row, 0});
      return !is_drawn_below;
    });
  for (std::size_t i = 0; i < grid.values.rows(); ++i) {
    const bool row_in_question = focused && focused->row == i;
    if (many && !row_in_question) continue;
    for (std::size_t j = 0; j < grid.values.columns(); ++j)
      if (const float weight = weight_of(grid, i, j); weight >= kFaintest) links.push_back({i, j, weight});
  }
  return links;
}

std::optional<Cell> arc_at(const Frame& frame, const Grid& grid, const Curves& curves, ImVec2 mouse,
                           const std::vector<Link>& links) {
  if (mouse.x < curves.left || mouse.x > curves.right) return std::nullopt;
  const float drop = curves.drop_at(mouse.x);
  std::optional<Cell> nearest;
  float least = frame.theme.px(4);
  for (const Link& link : links) {
    const float y = curves.row(link.row) + (curves.row(link.column) - curves.row(link.row)) * drop;
    const float distance =
        std::max(0.0f, std::abs(mouse.y - y) - thickness_of(frame.theme, curves, link.value) / 2);
    if (distance < least) {
      least = distance;
      nearest = Cell{grid.head, link.row, link.column};
    }
  }
  return nearest;
}

void draw_labels(const Frame& frame, const Arcs& arcs, const Curves& curves, std::optional<Cell> lit) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = frame.theme;
  const bool roomy = arcs.pitch >= font_size(label_font(theme));
  const ImFont* font = roomy ? label_font(theme) : theme.fonts.small;
  // What is higher than a row stands apart by more than that: the first is moved down, clear of the title.
  const float least = arcs.pitch >= font_size(font) ? arcs.pitch : 1.5f * font_size(font);
  const auto step = static_cast<std::size_t>(std::ceil(least / std::max(arcs.pitch, 0.001f)));
  const auto y = [&](std::size_t i) { return std::max(curves.row(i) - font_size(font) / 2, arcs.top); };
  const float gap = theme.px(7), alpha = arcs.grid.opacity;
  const Shape shape = arcs.grid.values.shape();
  const auto ink = [&](bool bright) { return with_alpha(bright ? theme.text : theme.dim, alpha); };
  for (std::size_t i = 0; i < shape.rows; i += step) {
    const std::string text = elided(font, axis_label(arcs.grid.rows, i), theme.px(kMostLabel));
    draw_text(list, font, {curves.left - gap - text_width(font, text), y(i)}, ink(!lit || lit->row == i),
              text);
  }
  for (std::size_t j = 0; j < shape.columns; j += step) {
    const std::string text = elided(font, axis_label(arcs.grid.columns, j), theme.px(kMostLabel));
    draw_text(list, font, {curves.right + gap, y(j)}, ink(!lit || lit->column == j), text);
  }
}

void draw_curves(const Frame& frame, const Grid& grid, const Curves& curves, const std::vector<Link>& links,
                 std::optional<Cell> lit) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const Link& link : links) {
    const bool other_row = lit && lit->row != link.row;
    const float seen = 0.22f + 0.7f * std::min(1.0f, link.value);
    const float strength = seen * (other_row ? 0.3f : 1.0f) * grid.opacity;
    curves.draw(list, frame.theme, link.row, link.column, with_alpha(frame.theme.query, strength),
                thickness_of(frame.theme, curves, link.value));
  }
  if (lit)
    curves.draw(list, frame.theme, lit->row, lit->column, with_alpha(frame.theme.outline, grid.opacity),
                std::max(frame.theme.px(1),
                         thickness_of(frame.theme, curves, weight_of(grid, lit->row, lit->column)) / 2));
}

}  // namespace

float arcs_label_width(const Theme& theme, const Axis& axis, std::size_t count) {
  float width = 0;
  // Where they are numbers the last one is as wide as any.
  for (std::size_t i = axis.labels ? 0 : count - std::min<std::size_t>(1, count); i < count; ++i)
    width = std::max(width, text_width(label_font(theme), axis_label(axis, i)));
  return std::min(width, theme.px(kMostLabel)) + theme.px(7);
}

void draw_arcs(Frame& frame, const Arcs& arcs) {
  const Grid& grid = arcs.grid;
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_title(list, theme, arcs.box.min, with_alpha(theme.text, grid.opacity), grid.title, grid.subtitle,
             arcs.box.width());
  if (!grid.drawn()) return;
  const Shape shape = grid.values.shape();
  const Curves curves{arcs.box.min.x + arcs_label_width(theme, grid.rows, shape.rows),
                      arcs.box.max.x - arcs_label_width(theme, grid.columns, shape.columns), arcs.top,
                      arcs.pitch};
  const std::optional<Cell> focused = focused_cell(frame, grid);
  const std::vector<Link> links = links_of(grid, focused);

  ImGui::SetCursorScreenPos({arcs.box.min.x, arcs.top});
  ImGui::InvisibleButton("arcs", {arcs.box.width(), std::max(1.0f, arcs.box.max.y - arcs.top)});
  const bool visible = ImGui::IsItemVisible();
  draw_focus_ring(theme, theme.px(4));
  const std::optional<Cell> hovered =
      ImGui::IsItemHovered() ? arc_at(frame, grid, curves, ImGui::GetIO().MousePos, links) : std::nullopt;
  if (hovered) {
    const Spot spot{grid.stage, *hovered};
    frame.view.hovered = spot;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemClicked())
      frame.view.pinned = frame.view.pinned == spot ? std::nullopt : std::optional(spot);
  }
  const std::optional<Cell> lit = hovered ? hovered : focused;
  if (visible) draw_curves(frame, grid, curves, links, lit);
  draw_labels(frame, arcs, curves, lit);
}

}  // namespace attn
