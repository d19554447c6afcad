// Parts are found by what the last frame drew; what is out of sight is scrolled into it, and a matrix that is
// larger than the canvas fills it.
#include "app/cli/render_part.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/frame/drawn_parts.h"
#include "app/frame/visible_stages.h"
#include "app/words/refuse.h"
#include "core/system/error.h"

namespace attn {
namespace {

const DrawnParts& drawn_parts(Offscreen& screen) {
  return screen.app().memos().of<DrawnParts>();
}

// The first of that name that is whole, else the first.
std::optional<DrawnPart> find_part(const std::vector<DrawnPart>& parts, const std::string& name) {
  std::optional<DrawnPart> found;
  for (const DrawnPart& part : parts)
    if (part.name == name && (!found || (part.whole() && !found->whole()))) found = part;
  return found;
}

[[noreturn]] void refuse_part(const char* option, const std::string& name, const char* kind,
                              const std::vector<DrawnPart>& parts) {
  std::vector<std::string> names;
  for (const DrawnPart& part : parts)
    if (std::ranges::count(names, part.name) == 0) names.push_back(part.name);
  if (names.empty()) throw Error(std::string(option) + ": this workspace shows no " + kind, Fault::option);
  refuse(option, name, std::string("a ") + kind + " of what is shown: " + listed(names), names);
}

// The canvas moved so that the part's upper left corner is in sight, with all that has room.
void scroll_to_part(Offscreen& screen, const DrawnPart& part) {
  CanvasView& canvas = screen.app().view().canvas();
  canvas.scroll_x += part.area.min.x - part.seen.min.x + std::max(0.0f, part.area.max.x - part.seen.max.x);
  canvas.scroll_y += part.area.min.y - part.seen.min.y + std::max(0.0f, part.area.max.y - part.seen.max.y);
  screen.lab().settle();
}

Rect whole_part(const char* option, const DrawnPart& part) {
  if (part.whole()) return part.area;
  const auto pixels = [](float side) { return std::to_string(std::lround(side)); };
  throw Error(std::string(option) + ": the canvas has no room for all of " + part.name + ", which is " +
                  pixels(part.area.width()) + "x" + pixels(part.area.height()) +
                  " pixels: make the window larger (--size)",
              Fault::option);
}

Rect plot_in_sight(Offscreen& screen, const std::string& name) {
  const auto find = [&] { return find_part(drawn_parts(screen).plots, name); };
  std::optional<DrawnPart> part = find();
  if (!part) refuse_part("--plot", name, "plot", drawn_parts(screen).plots);
  if (!part->whole()) scroll_to_part(screen, *part), part = find();
  return whole_part("--plot", *part);
}

Rect matrix_in_sight(Offscreen& screen, const std::string& name) {
  View& view = screen.app().view();
  const auto find = [&] { return find_part(drawn_parts(screen).matrices, name); };
  std::optional<DrawnPart> part = find();
  if (!part || !part->whole()) {
    show_stage(view, screen.lab().results()->graph, name);
    screen.lab().settle(), part = find();
  }
  if (!part) refuse_part("--matrix", name, "matrix", drawn_parts(screen).matrices);
  if (!part->whole()) {
    toggle_filled(view.canvas(), name);
    screen.lab().settle(), part = find();
  }
  if (part && !part->whole()) scroll_to_part(screen, *part), part = find();
  if (!part) refuse_part("--matrix", name, "matrix", drawn_parts(screen).matrices);
  return whole_part("--matrix", *part);
}

}  // namespace

NumbersWriter numbers_in_sight(Offscreen& screen, const RenderRequest& request) {
  screen.app().memos().of<DrawnParts>().with_numbers = true;
  screen.lab().frame();
  const DrawnParts& drawn = drawn_parts(screen);
  const std::string& name = request.matrix.empty() ? request.plot : request.matrix;
  const auto part = find_part(request.matrix.empty() ? drawn.plots : drawn.matrices, name);
  if (part && part->numbers) return part->numbers;
  throw Error("--numbers: " + name + " is too large for all of it to be kept: trace --only writes it",
              Fault::option);
}

std::optional<Rect> bring_into_sight(Offscreen& screen, const RenderRequest& request) {
  const std::array<const std::string*, 3> asked{&request.matrix, &request.plot, &request.panel};
  if (std::ranges::count_if(asked, [](const std::string* name) { return !name->empty(); }) > 1)
    throw Error("--matrix, --plot and --panel: a picture is of one of them", Fault::option);
  if (!request.matrix.empty()) return matrix_in_sight(screen, request.matrix);
  if (!request.plot.empty()) return plot_in_sight(screen, request.plot);
  if (request.panel.empty()) return std::nullopt;
  const std::vector<DrawnPart>& panels = drawn_parts(screen).panels;
  const auto part = find_part(panels, request.panel);
  if (!part) refuse_part("--panel", request.panel, "panel", panels);
  return part->area;
}

}  // namespace attn
