// Lets tests find interactive things by name. Dear ImGui 1.86 forgets items as soon as the next one is added,
// so the linker (tests/CMakeLists.txt, --wrap) sends its ItemAdd, GetID and PushID through here; the log that
// they fill is the headless host's, through ImGuiIO::UserData.
#include <imgui.h>
#include <imgui_internal.h>

#include <string>

#include "app/host/headless.h"

namespace {

attn::ItemLog* log() {
  return ImGui::GetCurrentContext() ? static_cast<attn::ItemLog*>(ImGui::GetIO().UserData) : nullptr;
}

void name(ImGuiID id, const std::string& label) {
  attn::ItemLog* items = log();
  if (!items) return;
  std::string& known = items->labels[id];
  if (!label.empty()) known = label;  // an empty label's id is its parent's
}

void name_pushed(const std::string& label) {
  name(ImGui::GetCurrentWindow()->IDStack.back(), label);
}

std::string path_of(ImGuiID id) {
  std::string path;
  const auto add = [&](ImGuiID part) {
    const auto label = log()->labels.find(part);
    if (label != log()->labels.end()) path += (path.empty() ? "" : "/") + label->second;
  };
  const ImVector<ImGuiID>& stack = ImGui::GetCurrentWindow()->IDStack;
  for (const ImGuiID pushed : stack) add(pushed);
  if (id != stack.back()) add(id);
  return path;
}

}  // namespace

// ImGui::ItemAdd(const ImRect&, ImGuiID, const ImRect*, ImGuiItemFlags) and so on, as the Itanium C++ ABI
// spells them.
extern "C" {

bool __real__ZN5ImGui7ItemAddERK6ImRectjPS1_i(const ImRect&, ImGuiID, const ImRect*, int);
bool __wrap__ZN5ImGui7ItemAddERK6ImRectjPS1_i(const ImRect& box, ImGuiID id, const ImRect* nav, int flags) {
  const bool visible = __real__ZN5ImGui7ItemAddERK6ImRectjPS1_i(box, id, nav, flags);
  if (id != 0 && visible && log()) log()->items.push_back({id, path_of(id), {box.Min, box.Max}});
  return visible;
}

ImGuiID __real__ZN11ImGuiWindow5GetIDEPKcS1_(ImGuiWindow*, const char*, const char*);
ImGuiID __wrap__ZN11ImGuiWindow5GetIDEPKcS1_(ImGuiWindow* window, const char* text, const char* end) {
  const ImGuiID id = __real__ZN11ImGuiWindow5GetIDEPKcS1_(window, text, end);
  name(id, end ? std::string(text, end) : std::string(text));
  return id;
}

ImGuiID __real__ZN5ImGui5GetIDEPKc(const char*);
ImGuiID __wrap__ZN5ImGui5GetIDEPKc(const char* text) {
  const ImGuiID id = __real__ZN5ImGui5GetIDEPKc(text);
  name(id, text);
  return id;
}

void __real__ZN5ImGui6PushIDEPKc(const char*);
void __wrap__ZN5ImGui6PushIDEPKc(const char* text) {
  __real__ZN5ImGui6PushIDEPKc(text);
  name_pushed(text);
}

void __real__ZN5ImGui6PushIDEi(int);
void __wrap__ZN5ImGui6PushIDEi(int number) {
  __real__ZN5ImGui6PushIDEi(number);
  name_pushed(std::to_string(number));
}

bool __real__ZN5ImGui5BeginEPKcPbi(const char*, bool*, int);
bool __wrap__ZN5ImGui5BeginEPKcPbi(const char* title, bool* open, int flags) {
  const bool shown = __real__ZN5ImGui5BeginEPKcPbi(title, open, flags);
  name(ImGui::GetCurrentWindow()->ID, title);
  return shown;
}

}  // extern "C"
