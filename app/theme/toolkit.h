// Dear ImGui's versions: what 1.86 (Debian 12) and 1.90 (Debian 13, Ubuntu 24.04) name or do differently has
// one name here. No other file asks which version there is.
#pragma once

#include <GLFW/glfw3.h>
#include <imgui.h>

namespace attn {

// Keys, by GLFW's codes.
bool key_pressed(int glfw_key, bool repeat = true);
bool any_key_pressed();
// Either Enter.
inline bool enter_pressed() {
  return key_pressed(GLFW_KEY_ENTER, false) || key_pressed(GLFW_KEY_KP_ENTER, false);
}

// After a context was made: its keys, by GLFW's codes.
void set_up_keys();

// Input of hosts without a window, for the next frame.
void feed_mouse(ImVec2 position);
void feed_button(int button, bool down);
void feed_wheel(float notches, float sideways);
void feed_key(int glfw_key, bool down);
void feed_modifiers(bool control, bool shift, bool alt);
// All that was fed is there in the next frame. Newer versions spread it over several otherwise, so that no
// change of a button or key hides another.
void feed_at_once();

// Whether the toolkit itself spreads input over frames, as it came; and whether some of it still waits.
inline constexpr bool kQueuesInput = IMGUI_VERSION_NUM >= 19000;
bool input_waits();

// Fonts were loaded anew: their texture too, where the renderer does not see to it itself. All else that it
// made stays: of buffers that were made anew 1.86 would go on believing the old sizes, and draw nothing.
void renew_font_texture();

// Draw data of one list, which outlives it: newer versions keep a vector of lists.
inline void set_list(ImDrawData& data, ImDrawList*& list) {
#if IMGUI_VERSION_NUM >= 18980
  data.CmdLists.clear();
  data.CmdLists.push_back(list);
#else
  data.CmdLists = &list;
#endif
  data.CmdListsCount = 1;
}

// The keyboard's focus. A move that the keyboard asks for in this frame is Tab's, not an arrow's.
bool moves_by_tab();
// The focused item shows it, as after Tab.
void show_focus(bool shown = true);
// The next item of the current window gets the keyboard, a frame later.
void focus_next_item();
// At the start of a frame: where Esc has taken the focus out of a window Tab leads in again.
void keep_tab_alive();
// The items that follow are stops of Tab, until end_tab_stops().
void begin_tab_stops();
void end_tab_stops();

// A text field of this id that is being typed into shows its text from the start again.
void show_text_from_start(ImGuiID field);

// Before a frame begins: a menu that Esc meets before its window was made does not open.
void leave_unmade_menus();

// The wheel over the last item is the item's: no window around it scrolls.
void keep_wheel();

// Pixels of a line and from its top to the base line, as the font was loaded.
float font_size(const ImFont* font);
float font_ascent(const ImFont* font);
// Null when the font has no such character.
const ImFontGlyph* glyph_of(const ImFont* font, ImWchar character);
// The texture that holds the fonts.
ImTextureID font_texture();
// Its name in OpenGL.
unsigned opengl_name(ImTextureID texture);

}  // namespace attn
