// The window's language hangs on the Dear ImGui context, as its fonts and colours do.
#include "app/language/speech.h"

#include <imgui.h>

#include <utility>

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
  const std::string said = book_->translated(english, names_);
  know(said);
  return said_.emplace(english, said).first->second;
}

void Speech::leave(TextSet names) {
  if (names == names_) return;
  said_.clear();
  names_ = std::move(names);
  ++changes_;
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

}  // namespace attn
