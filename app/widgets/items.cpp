// A label has an id that no translation changes, by which the toolkit knows the item.
#include "app/widgets/items.h"

#include "app/language/speech.h"

namespace attn {

std::string spoken_label(std::string_view english) {
  const std::string_view read = english.substr(0, english.find("##"));
  const std::string_view said = spoken_view(read);
  if (said == read) return std::string(english);
  const std::size_t fixed = english.find("###");
  return std::string(said) +
         (fixed == english.npos ? "###" + std::string(english) : std::string(english.substr(fixed)));
}

bool menu_item(std::string_view label, const char* shortcut, bool ticked, bool enabled) {
  const std::string keys = shortcut ? spoken(shortcut) : std::string();
  return ImGui::MenuItem(spoken_label(label).c_str(), keys.c_str(), ticked, enabled);
}

bool selectable(std::string_view label, bool chosen) {
  return ImGui::Selectable(spoken_label(label).c_str(), chosen);
}

bool button(std::string_view label, ImVec2 size) {
  return ImGui::Button(spoken_label(label).c_str(), size);
}

bool begin_menu(std::string_view title) {
  const ImVec2 display = ImGui::GetIO().DisplaySize, margin = ImGui::GetStyle().DisplaySafeAreaPadding;
  ImGui::SetNextWindowSizeConstraints({}, {display.x - 2 * margin.x, display.y - 2 * margin.y});
  return ImGui::BeginMenu(spoken_label(title).c_str());
}

void say(std::string_view english) {
  const std::string_view text = spoken_view(english);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

void say_dim(std::string_view english) {
  ImGui::TextDisabled("%s", spoken(english).c_str());
}

void say_wrapped(std::string_view english) {
  ImGui::TextWrapped("%s", spoken(english).c_str());
}

}  // namespace attn
