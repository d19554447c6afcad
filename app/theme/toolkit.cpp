// What differs between versions of Dear ImGui: first as 1.86 has it, then as 1.90 does, where keys have names
// of their own, input is queued and Tab stops at every item; at the end what changes once more behind 1.90.
#include "app/theme/toolkit.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <cstdint>
#include <utility>

namespace attn {

#if IMGUI_VERSION_NUM < 19000

// Keys have GLFW's codes; these are the ones that the toolkit needs to know itself.
void set_up_keys() {
  constexpr std::pair<ImGuiKey_, int> kKeys[] = {
      {ImGuiKey_Tab, GLFW_KEY_TAB},
      {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
      {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
      {ImGuiKey_UpArrow, GLFW_KEY_UP},
      {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
      {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
      {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
      {ImGuiKey_Home, GLFW_KEY_HOME},
      {ImGuiKey_End, GLFW_KEY_END},
      {ImGuiKey_Insert, GLFW_KEY_INSERT},
      {ImGuiKey_Delete, GLFW_KEY_DELETE},
      {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
      {ImGuiKey_Space, GLFW_KEY_SPACE},
      {ImGuiKey_Enter, GLFW_KEY_ENTER},
      {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
      {ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER},
      {ImGuiKey_A, GLFW_KEY_A},
      {ImGuiKey_C, GLFW_KEY_C},
      {ImGuiKey_V, GLFW_KEY_V},
      {ImGuiKey_X, GLFW_KEY_X},
      {ImGuiKey_Y, GLFW_KEY_Y},
      {ImGuiKey_Z, GLFW_KEY_Z},
  };
  for (const auto& [key, code] : kKeys) ImGui::GetIO().KeyMap[key] = code;
}

bool key_pressed(int glfw_key, bool repeat) {
  return ImGui::IsKeyPressed(glfw_key, repeat);
}

bool any_key_pressed() {
  for (int key = 0; key < IM_ARRAYSIZE(ImGui::GetIO().KeysDown); ++key)
    if (key_pressed(key, false)) return true;
  return false;
}

void feed_mouse(ImVec2 position) {
  ImGui::GetIO().MousePos = position;
}
void feed_button(int button, bool down) {
  ImGui::GetIO().MouseDown[button] = down;
}
void feed_wheel(float notches, float sideways) {
  ImGui::GetIO().MouseWheel = notches;
  ImGui::GetIO().MouseWheelH = sideways;
}
void feed_key(int glfw_key, bool down) {
  ImGui::GetIO().KeysDown[glfw_key] = down;
}
void feed_modifiers(bool control, bool shift, bool alt) {
  ImGuiIO& io = ImGui::GetIO();
  io.KeyCtrl = control, io.KeyShift = shift, io.KeyAlt = alt;
  feed_key(GLFW_KEY_LEFT_CONTROL, control);
  feed_key(GLFW_KEY_LEFT_SHIFT, shift);
  feed_key(GLFW_KEY_LEFT_ALT, alt);
}
void feed_at_once() {}
bool input_waits() {
  return false;
}

void focus_next_item() {
  ImGui::SetKeyboardFocusHere();
}
void keep_tab_alive() {}

// Tab stops at items that take text, so all are marked as if they did.
void begin_tab_stops() {
  ImGui::PushItemFlag(ImGuiItemFlags_Inputable, true);
}
void end_tab_stops() {
  ImGui::PopItemFlag();
}
bool moves_by_tab() {
  return (GImGui->NavMoveFlags & ImGuiNavMoveFlags_Tabbing) != 0;
}

// A menu that takes the place of another gets its window one frame later; Esc would ask that window for its
// flags.
void leave_unmade_menus() {
  if (!ImGui::GetIO().KeysDown[GLFW_KEY_ESCAPE]) return;
  ImVector<ImGuiPopupData>& popups = GImGui->OpenPopupStack;
  while (!popups.empty() && !popups.back().Window) popups.pop_back();
}

void keep_wheel() {
  ImGui::SetItemUsingMouseWheel();
}

#else

namespace {

struct KeyRange {
  int first, last;  // GLFW's
  ImGuiKey name;    // of the first
};
constexpr KeyRange kKeys[] = {
    {GLFW_KEY_A, GLFW_KEY_Z, ImGuiKey_A},
    {GLFW_KEY_0, GLFW_KEY_9, ImGuiKey_0},
    {GLFW_KEY_F1, GLFW_KEY_F12, ImGuiKey_F1},
    {GLFW_KEY_KP_0, GLFW_KEY_KP_9, ImGuiKey_Keypad0},
    {GLFW_KEY_LEFT_SHIFT, GLFW_KEY_LEFT_SHIFT, ImGuiKey_LeftShift},
    {GLFW_KEY_LEFT_CONTROL, GLFW_KEY_LEFT_CONTROL, ImGuiKey_LeftCtrl},
    {GLFW_KEY_LEFT_ALT, GLFW_KEY_LEFT_ALT, ImGuiKey_LeftAlt},
    {GLFW_KEY_TAB, GLFW_KEY_TAB, ImGuiKey_Tab},
    {GLFW_KEY_LEFT, GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
    {GLFW_KEY_RIGHT, GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
    {GLFW_KEY_UP, GLFW_KEY_UP, ImGuiKey_UpArrow},
    {GLFW_KEY_DOWN, GLFW_KEY_DOWN, ImGuiKey_DownArrow},
    {GLFW_KEY_PAGE_UP, GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
    {GLFW_KEY_PAGE_DOWN, GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
    {GLFW_KEY_HOME, GLFW_KEY_HOME, ImGuiKey_Home},
    {GLFW_KEY_END, GLFW_KEY_END, ImGuiKey_End},
    {GLFW_KEY_INSERT, GLFW_KEY_INSERT, ImGuiKey_Insert},
    {GLFW_KEY_DELETE, GLFW_KEY_DELETE, ImGuiKey_Delete},
    {GLFW_KEY_BACKSPACE, GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
    {GLFW_KEY_SPACE, GLFW_KEY_SPACE, ImGuiKey_Space},
    {GLFW_KEY_ENTER, GLFW_KEY_ENTER, ImGuiKey_Enter},
    {GLFW_KEY_ESCAPE, GLFW_KEY_ESCAPE, ImGuiKey_Escape},
    {GLFW_KEY_MENU, GLFW_KEY_MENU, ImGuiKey_Menu},
    {GLFW_KEY_APOSTROPHE, GLFW_KEY_APOSTROPHE, ImGuiKey_Apostrophe},
    {GLFW_KEY_COMMA, GLFW_KEY_SLASH, ImGuiKey_Comma},  // , - . /
    {GLFW_KEY_SEMICOLON, GLFW_KEY_SEMICOLON, ImGuiKey_Semicolon},
    {GLFW_KEY_EQUAL, GLFW_KEY_EQUAL, ImGuiKey_Equal},
    {GLFW_KEY_LEFT_BRACKET, GLFW_KEY_RIGHT_BRACKET, ImGuiKey_LeftBracket},  // [ \ ]
    {GLFW_KEY_GRAVE_ACCENT, GLFW_KEY_GRAVE_ACCENT, ImGuiKey_GraveAccent},
    {GLFW_KEY_KP_DECIMAL, GLFW_KEY_KP_EQUAL, ImGuiKey_KeypadDecimal},  // . / * - + Enter =
};

ImGuiKey name_of(int glfw_key) {
  for (const KeyRange& range : kKeys)
    if (glfw_key >= range.first && glfw_key <= range.last)
      return static_cast<ImGuiKey>(range.name + (glfw_key - range.first));
  return ImGuiKey_None;
}

}  // namespace

void set_up_keys() {}

bool key_pressed(int glfw_key, bool repeat) {
  const ImGuiKey key = name_of(glfw_key);
  return key != ImGuiKey_None && ImGui::IsKeyPressed(key, repeat);
}

bool any_key_pressed() {
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key)
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) return true;
  return false;
}

void feed_mouse(ImVec2 position) {
  ImGui::GetIO().AddMousePosEvent(position.x, position.y);
}
void feed_button(int button, bool down) {
  ImGui::GetIO().AddMouseButtonEvent(button, down);
}
void feed_wheel(float notches, float sideways) {
  ImGui::GetIO().AddMouseWheelEvent(sideways, notches);
}
void feed_key(int glfw_key, bool down) {
  if (const ImGuiKey key = name_of(glfw_key); key != ImGuiKey_None) ImGui::GetIO().AddKeyEvent(key, down);
}
void feed_modifiers(bool control, bool shift, bool alt) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, control);
  io.AddKeyEvent(ImGuiMod_Shift, shift);
  io.AddKeyEvent(ImGuiMod_Alt, alt);
  feed_key(GLFW_KEY_LEFT_CONTROL, control);
  feed_key(GLFW_KEY_LEFT_SHIFT, shift);
  feed_key(GLFW_KEY_LEFT_ALT, alt);
}
void feed_at_once() {
  ImGui::GetIO().ConfigInputTrickleEventQueue = false;
}
bool input_waits() {
  return !GImGui->InputEventsQueue.empty();
}

// 1.90.1 looks for the item in the scope where the focus is, which may be another window's; and the item that
// has it takes it back when it comes later in this frame.
void focus_next_item() {
  GImGui->NavFocusScopeId = GImGui->CurrentFocusScopeId;
  GImGui->NavId = 0;
  ImGui::SetKeyboardFocusHere();
}
// Esc leaves the focus in a scope that no item has.
void keep_tab_alive() {
  if (GImGui->NavWindow && GImGui->NavFocusScopeId == 0)
    GImGui->NavFocusScopeId = GImGui->NavWindow->NavRootFocusScopeId;
}

void begin_tab_stops() {}
void end_tab_stops() {}
bool moves_by_tab() {
  return (GImGui->NavMoveFlags & ImGuiNavMoveFlags_IsTabbing) != 0;
}

void leave_unmade_menus() {}

void keep_wheel() {
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
}

#endif

void show_focus(bool shown) {
#if IMGUI_VERSION_NUM < 19140
  GImGui->NavDisableHighlight = !shown;
#else
  ImGui::SetNavCursorVisible(shown);
#endif
}

void show_text_from_start(ImGuiID field) {
  ImGuiInputTextState& state = GImGui->InputTextState;
  if (state.ID != field) return;
#if IMGUI_VERSION_NUM < 19110
  state.ScrollX = 0;
#else
  state.Scroll.x = 0;
#endif
}

#if IMGUI_VERSION_NUM < 19200

float font_size(const ImFont* font) {
  return font->FontSize;
}
float font_ascent(const ImFont* font) {
  return font->Ascent;
}
const ImFontGlyph* glyph_of(const ImFont* font, ImWchar character) {
  return font->FindGlyphNoFallback(character);
}
ImTextureID font_texture() {
  return ImGui::GetIO().Fonts->TexID;
}

#else

namespace {

// A font in the size that it was loaded with.
ImFontBaked* baked(const ImFont* font) {
  return const_cast<ImFont*>(font)->GetFontBaked(font->LegacySize);
}

}  // namespace

float font_size(const ImFont* font) {
  return font->LegacySize;
}
float font_ascent(const ImFont* font) {
  return baked(font)->Ascent;
}
const ImFontGlyph* glyph_of(const ImFont* font, ImWchar character) {
  return baked(font)->IsGlyphLoaded(character) ? baked(font)->FindGlyphNoFallback(character) : nullptr;
}
ImTextureID font_texture() {
  return ImGui::GetIO().Fonts->TexRef.GetTexID();
}

#endif

// A pointer up to 1.91.3, a number since.
unsigned opengl_name(ImTextureID texture) {
  return static_cast<unsigned>((std::uintptr_t)texture);
}

void renew_font_texture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

}  // namespace attn
