// The languages that the program speaks: English, and those of assets/languages, a folder of PO files for
// each.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/language/phrase_book.h"

namespace attn {

inline constexpr const char* kEnglish = "en";

struct LanguageName {
  std::string code;  // of the folder: "de"
  std::string name;  // in itself: "Deutsch"
};
// English first.
std::vector<LanguageName> languages();

// What is said in it. What another language of the program has and this one lacks is known, and not
// translated.
struct Language {
  std::string code;  // "de": of the folder, or as a PO file's header has it; may be empty
  PhraseBook window;
  std::map<std::string, PhraseBook, std::less<>> lessons;  // of each built-in one: what is said in one word
                                                           // there may take another elsewhere
  // Of a text of that lesson, else of the window. Null: it is not known.
  const std::string* of_lesson(std::string_view lesson, std::string_view english) const;
};

// A text of the window in it; null: English.
std::string in_language(const Language* language, const std::string& english);

// By its code, or what a PO file says. Null: English. Throws Error with the file, the line and the reason.
std::shared_ptr<const Language> read_language(const std::string& code_or_file);

// The code of the language that a locale ("de_DE.UTF-8") is of; English where the program does not speak it.
std::string language_of(std::string_view locale);
// Of the locale that the environment asks for: LC_ALL, LC_MESSAGES or LANG.
std::string language_of_environment();

}  // namespace attn
