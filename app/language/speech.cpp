// The window's language hangs on the Dear ImGui context, as its fonts and colours do.
#include "app/language/speech.h"

namespace attn {
namespace {

constexpr std::size_t kMostRemembered = 20000;  // texts; a number that is dragged makes new ones all the time

Speech* speech_now() {
  return ImGui::GetCurrentContext() ? static_cast<Speech*>(ImGui::GetIO().BackendLanguageUserData) : nullptr;
}

}  // namespace

void Speech::use(const PhraseBook* book) {
  said_.clear();
  book_ = book;
  ++changes_;
}

std::string_view Speech::of(std::string_view english) {
  if (!book_) return english;
  if (const auto known = said_.find(english); known != said_.end()) return known->second;
  if (said_.size() >= kMostRemembered) said_.clear();
  const std::string said = book_->translated(english);
  know(said);
  return said_.emplace(english, said).first->second;
}

void Speech::know(std::string_view said) {
  if (book_ && !book_->find(said)) said_.emplace(said, said);
}

// The toolkit keeps this pointer for whoever speaks for it; nothing else here uses it.
void Speech::speak() {
  ImGui::GetIO().BackendLanguageUserData = this;
}

std::string_view spoken_view(std::string_view english) {
  Speech* speech = speech_now();
  return speech ? speech->of(english) : english;
}

std::string known(std::string said) {
  if (Speech* speech = speech_now()) speech->know(said);
  return said;
}

std::size_t spoken_changes() {
  const Speech* speech = speech_now();
  return speech ? speech->changes() : 0;
}

std::string spoken(std::string_view english) {
  return std::string(spoken_view(english));
}

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

// It stays in the window, and scrolls: newer versions let a menu within another grow beyond it.
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
