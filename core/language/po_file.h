// Tables of translations as gettext has them: PO files, which Poedit, Weblate and others edit.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct PoEntry {
  std::string english;
  std::string translation;  // empty: not translated yet, or marked as fuzzy
  std::size_t line = 0;     // of msgid, from 1
};

struct PoFile {
  std::map<std::string, std::string, std::less<>> header;  // "Language": "de"
  std::vector<PoEntry> entries;
};

// https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html, in UTF-8, without contexts and plural
// forms. Throws Error with the line and the reason. Untrusted input: in time and memory by the length of the
// text.
PoFile parse_po(std::string_view text);

}  // namespace attn
