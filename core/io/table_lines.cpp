// Walks over text; nothing is kept but the cell.
#include "core/io/table_lines.h"

#include <algorithm>

namespace attn {
namespace {

// A name in quotes may hold spaces.
bool next_word(std::string_view line, std::size_t& at, TableCell& cell) {
  at = std::min(line.find_first_not_of(" \t", at), line.size());
  if (at == line.size()) return false;
  cell.quoted = line[at] == '"';
  const std::size_t begin = at + (cell.quoted ? 1 : 0);
  at = std::min(line.find_first_of(cell.quoted ? "\"" : " \t", begin), line.size());
  cell.text = line.substr(begin, at - begin);
  if (cell.quoted) ++at;
  return true;
}

}  // namespace

bool TableLines::next() {
  while (!rest_.empty()) {
    const std::size_t feed = rest_.find('\n'), end = std::min(rest_.substr(0, feed).find('\r'), feed);
    line_ = rest_.substr(0, end);
    ++number_;
    const bool pair = end != rest_.npos && rest_.substr(end).starts_with("\r\n");
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + (pair ? 2 : 1));
    if (line_.find_first_not_of(' ') != line_.npos) return true;
  }
  return false;
}

char separator_of(std::string_view line) {
  bool inside = false;
  char found = ' ';
  for (const char c : line) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    if (c == '\t') return c;
    if (c == ';' || (c == ',' && found == ' ')) found = c;
  }
  return found;
}

bool next_of(std::string_view line, char separator, std::size_t& at, TableCell& cell) {
  if (at > line.size()) return false;
  return separator == ' ' ? next_word(line, at, cell) : next_cell(line, separator, at, cell);
}

}  // namespace attn
