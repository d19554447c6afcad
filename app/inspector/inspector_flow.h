// Flow: a side panel's content from top to bottom, in a scrolling child window. A cursor, not a layout
// engine.
#pragma once

#include <string>
#include <vector>

#include "app/frame/frame.h"
#include "app/inspector/inspector_model.h"

namespace attn::inspector {

struct Flow {
  Frame& frame;
  ImDrawList& list;
  float left, right, y;  // pixels; y is where the next thing goes
  float reached;         // the rightmost pixel of what did not fit

  const Theme& theme() const { return frame.theme; }
  float width() const { return right - left; }
  float px(float points) const { return frame.theme.px(points); }
};

// Begins the child window and the flow; end_flow tells the window how much there is to scroll. A panel
// narrower than can be read scrolls sideways.
Flow begin_flow(Frame& frame, const char* id, Rect area);
void end_flow(Flow& flow);

float line_height(const Flow& flow);
float text_width(const std::string& text);

// Words that wrap; a caption above a block; a gap.
void add_text(Flow& flow, const std::string& text, ImU32 colour, ImFont* font = nullptr);
void add_heading(Flow& flow, const char* text);
void add_pieces(Flow& flow, const std::vector<ColouredText>& pieces);

// The next line, full width; the flow moves on.
Rect add_line(Flow& flow);
// A name and its value at the right: in small letters where they have no room beside each other, the value
// below the name where it has none even then. Where they lie.
Rect add_pair(Flow& flow, const std::string& name, const std::string& value, ImU32 name_colour,
              ImU32 value_colour);
// The same, of a quantity.
void add_fact(Flow& flow, const std::string& name, const std::string& value, ImU32 colour);
// Text in a line; `align` 0 left … 1 right.
void put(Flow& flow, Rect line, const std::string& text, ImU32 colour, float align = 0);
// The same, elided to the line's width, where it stands at its left; words of the glossary explain
// themselves. Whether one of them was pressed.
bool put_explained(Flow& flow, Rect line, const std::string& text, ImU32 colour);
// Elided to the line's width, the whole in a tooltip.
void put_elided(Flow& flow, Rect line, const std::string& text, ImU32 colour, float align = 0);

// Small letters and narrow gaps while it lives, where a table as wide as `wanted` (in the usual ones) does
// not fit. Tables that don't fit even then scroll sideways.
class CompactScope {
 public:
  CompactScope(const Flow& flow, float wanted);
  ~CompactScope();
  CompactScope(const CompactScope&) = delete;
  CompactScope& operator=(const CompactScope&) = delete;
  explicit operator bool() const { return on_; }

 private:
  bool on_;
};

// Something to press over `area`: with a stop of Tab, a focus ring, underlined under the pointer.
bool press(Flow& flow, const std::string& id, Rect area, const std::string& tooltip = {});
// Opens another number: pins it, scrolls the canvas and this panel to it, shows its head.
void open_number(Flow& flow, const Spot& spot);
// The same when `area` is pressed; nothing to press where the number stands nowhere.
void press_to_open(Flow& flow, const std::string& id, Rect area, const std::optional<Spot>& spot);

// A list that shows its first `most` lines until a person opens the rest. How many are to be drawn now.
std::size_t shown_of(const char* id, std::size_t count, std::size_t most);
// The line under it, which opens and closes the rest: "12 more", with what is to be said of them. Nothing
// where all are among the first.
void add_more(Flow& flow, const char* id, std::size_t count, std::size_t most, const std::string& rest = {});
// Moves on where the next line is far out of sight: of very many none but those near it are drawn.
bool passes_line(Flow& flow);

// Chips that wrap; the index of the one that was pressed.
std::optional<std::size_t> add_chips(Flow& flow, const char* id, const std::vector<std::string>& labels,
                                     const std::string& tooltip);

}  // namespace attn::inspector
