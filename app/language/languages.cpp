// Tables are read when a language is first asked for.
#include "app/language/languages.h"

#include <algorithm>
#include <cstdlib>

#include "core/language/po_file.h"
#include "core/system/assets.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::size_t kLargestTable = std::size_t{16} << 20;  // bytes

std::string_view code_of(const Asset& file) {
  return file.name.substr(0, file.name.find('/'));
}

PoFile parsed(const std::string& name, std::string_view text) {
  try {
    return parse_po(text);
  } catch (const Error& error) {
    throw Error(name + ": " + error.what(), error.fault());
  }
}

std::string text_of(const Asset& file) {
  return asset_text(language_files(), "assets/languages", file.name);
}

PoFile embedded(const Asset& file) {
  return parsed(std::string(file.name), text_of(file));
}

// A header is the first entry: all before the first empty line.
std::string name_of(const Asset& file) {
  const std::string text = text_of(file);
  const PoFile table = parsed(std::string(file.name), std::string_view(text).substr(0, text.find("\n\n")));
  const auto name = table.header.find("X-Language-Name");
  return name == table.header.end() ? std::string(code_of(file)) : name->second;
}

void add(PhraseBook& book, const std::string& name, const PoFile& file) {
  for (const PoEntry& entry : file.entries) try {
      book.add(entry.english, entry.translation);
    } catch (const Error& error) {
      throw Error(name + ": line " + std::to_string(entry.line) + ": " + error.what());
    }
}

// "de/lessons/masks.po" is a lesson's, every other one the window's.
PhraseBook& book_for(Language& language, const Asset& file) {
  constexpr std::string_view kLessons = "/lessons/", kEnding = ".po";
  const std::size_t at = file.name.find(kLessons);
  if (at == file.name.npos) return language.window;
  const std::string_view name = file.name.substr(at + kLessons.size());
  return language.lessons[std::string(name.substr(0, name.size() - kEnding.size()))];
}

bool add_file(Language& language, const std::string& path) {
  if (!path.ends_with(".po")) return false;
  std::vector<std::byte> bytes;
  FileReader(path).read_rest(bytes, kLargestTable);
  const PoFile file = parsed(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const auto code = file.header.find("Language");
  language.code = code == file.header.end() ? "" : code->second;
  add(language.window, path, file);
  return true;
}

}  // namespace

std::vector<LanguageName> languages() {
  std::vector<LanguageName> all{{kEnglish, "English"}};
  for (const Asset& file : language_files())
    if (all.back().code != code_of(file)) all.push_back({std::string(code_of(file)), name_of(file)});
  return all;
}

const std::string* Language::of_lesson(std::string_view lesson, std::string_view english) const {
  const auto own = lessons.find(lesson);
  const std::string* said = own == lessons.end() ? nullptr : own->second.find(english);
  const std::string* elsewhere = said && !said->empty() ? nullptr : window.find(english);
  return elsewhere && !elsewhere->empty() ? elsewhere : said;
}

std::shared_ptr<const Language> read_language(const std::string& code_or_file) {
  if (code_or_file == kEnglish) return nullptr;
  auto language = std::make_shared<Language>();
  language->code = code_or_file;
  bool known = add_file(*language, code_or_file);
  for (const Asset& file : language_files())
    if (code_of(file) == code_or_file) {
      add(book_for(*language, file), std::string(file.name), embedded(file));
      known = true;
    }
  if (!known) {
    std::vector<std::string> codes;
    for (const LanguageName& known_one : languages()) codes.push_back(known_one.code);
    throw Error(code_or_file + " is no language of the program: it speaks " + listed(codes) +
                    ", and what a PO file says",
                Fault::option);
  }
  for (const Asset& file : language_files())
    if (code_of(file) != code_or_file)
      for (const PoEntry& entry : embedded(file).entries) book_for(*language, file).add(entry.english, "");
  return language;
}

std::string in_language(const Language* language, const std::string& english) {
  return language ? language->window.translated(english) : english;
}

std::string language_of(std::string_view locale) {
  const std::string_view asked = locale.substr(0, locale.find_first_of("_.@"));
  const bool spoken = std::ranges::count(language_files(), asked, code_of) > 0;
  return spoken ? std::string(asked) : kEnglish;
}

std::string language_of_environment() {
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(variable); value && *value) return language_of(value);
  return kEnglish;
}

}  // namespace attn
