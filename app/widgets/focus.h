// Keyboard focus: Tab goes through every item of the window, Space and Enter press the focused one, a ring
// shows it.
#pragma once

#include "app/theme/theme.h"
#include "app/theme/toolkit.h"

namespace attn {

// Panels in child windows: Tab enters and leaves them.
inline constexpr ImGuiWindowFlags kFocusableChild = ImGuiWindowFlags_NavFlattened;

// Call once at the start of a frame: a text field that was left forgets its undo steps, and arrows move no
// focus: they belong to the stages and the cells.
void begin_focus();
// Call once at its end: where what has the focus is gone or is no stop, as the toolkit's own choice at the
// start, Tab reaches the first that is.
void end_focus();

// Before begin_focus(): takes the move that Tab asks for in this frame; false: there is none.
bool take_tab();

// The items that follow are no stops of Tab, until end_no_tab_stops().
void begin_no_tab_stops();
void end_no_tab_stops();

// The last item has the keyboard, and the person is using the keyboard.
bool has_focus_ring();
// Which item has; 0: none.
ImGuiID ringed_item();

// The last item was pressed by Enter. (Space presses InvisibleButton by itself.)
bool pressed_by_enter();

// The pointer rests on the last item for long enough to want words; and a frame has to come for them.
bool wants_tooltip();
bool tooltip_due();

// Call inside a menu: Esc closes it with the menus that were opened from it. (Dear ImGui closes the innermost
// alone, and the entry under the pointer opens it again.)
void close_by_escape();

// A ring around the last item while it has the keyboard.
void draw_focus_ring(const Theme& theme, float rounding);

}  // namespace attn
