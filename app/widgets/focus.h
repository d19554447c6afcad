// Keyboard focus: Tab goes through every item of the window, Space and Enter press the focused one, a ring
// shows it.
#pragma once

#include "app/theme.h"

namespace attn {

// Panels in child windows: Tab enters and leaves them.
inline constexpr ImGuiWindowFlags kFocusableChild = ImGuiWindowFlags_NavFlattened;

// Call once at the start of a frame: a text field that was left forgets its undo steps. Dear ImGui 1.86 stops
// Tab at text fields only and moves the focus with the arrows, which belong to the stages and the cells;
// newer versions go through everything by themselves.
void begin_focus();

// Makes the items that follow stops of Tab, until end_tab_stops(). Call inside the window.
void begin_tab_stops();
void end_tab_stops();

// The last item has the keyboard, and the person is using the keyboard.
bool has_focus_ring();

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
