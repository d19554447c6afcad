// Line by line: msgid, msgstr, and strings in quotes that go on from the line before.
#include "core/language/po_file.h"

#include <utility>

#include "core/system/error.h"

namespace attn {
namespace {

[[noreturn]] void refuse(std::size_t line, const std::string& why) {
  throw Error("line " + std::to_string(line) + ": " + why);
}

class PoReader {
 public:
  explicit PoReader(std::string_view text) : rest_(text) {}

  PoFile read() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      std::string_view line = rest_.substr(0, end);
      rest_ = end == rest_.npos ? std::string_view() : rest_.substr(end + 1);
      ++line_;
      while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
      take(line);
    }
    end_entry();
    return std::move(file_);
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with("#~") || line.empty()) return;  // what is no longer used
    if (line.starts_with("#,") && line.find("fuzzy") != line.npos) next_fuzzy_ = true;
    if (line.starts_with('#')) return;
    if (line.starts_with("msgid ")) {
      end_entry();
      entry_ = {.english = {}, .translation = {}, .line = line_};
      fuzzy_ = std::exchange(next_fuzzy_, false);
      going_on_ = &entry_.english;
      *going_on_ += quoted(line.substr(6));
    } else if (line.starts_with("msgstr ") && going_on_ == &entry_.english) {
      going_on_ = &entry_.translation;
      *going_on_ += quoted(line.substr(7));
    } else if (line.starts_with('"') && going_on_) {
      *going_on_ += quoted(line);
    } else {
      refuse(line_, "takes msgid \"…\" and below it msgstr \"…\"; contexts and plural forms are not read");
    }
  }

  std::string quoted(std::string_view text) const {
    if (text.size() < 2 || !text.starts_with('"') || !text.ends_with('"'))
      refuse(line_, "the text stands in no quotes");
    text = text.substr(1, text.size() - 2);
    std::string read;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"') refuse(line_, "a quote inside the text takes a \\ before it");
      if (text[i] != '\\') {
        read += text[i];
        continue;
      }
      constexpr std::string_view kSigns = "nt\"\\", kMeant = "\n\t\"\\";
      const std::size_t sign = ++i < text.size() ? kSigns.find(text[i]) : kSigns.npos;
      if (sign == kSigns.npos) refuse(line_, "\\ stands before n, t, \" or \\");
      read += kMeant[sign];
    }
    return read;
  }

  void end_entry() {
    if (!going_on_) return;
    if (going_on_ != &entry_.translation) refuse(entry_.line, "msgid without msgstr below it");
    going_on_ = nullptr;
    if (fuzzy_ && !entry_.english.empty()) entry_.translation.clear();
    if (entry_.english.empty())
      read_header(entry_.translation);
    else
      file_.entries.push_back(std::move(entry_));
  }

  // "Language: de\nX-Language-Name: Deutsch\n"
  void read_header(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (const std::size_t colon = line.find(": "); colon != line.npos)
        file_.header.emplace(line.substr(0, colon), line.substr(colon + 2));
    }
  }

  std::string_view rest_;
  std::size_t line_ = 0;
  PoFile file_;
  PoEntry entry_;
  bool fuzzy_ = false, next_fuzzy_ = false;
  std::string* going_on_ = nullptr;  // the part of the entry that a quoted line belongs to
};

}  // namespace

PoFile parse_po(std::string_view text) {
  return PoReader(text).read();
}

}  // namespace attn
