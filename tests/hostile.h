// Texts that want out of where they are put: of strings, comments and cells of any language, and of
// terminals.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "core/text/text.h"

namespace attn::tests {

inline const std::vector<std::string>& hostile_pieces() {
  using namespace std::string_literals;
  static const std::vector<std::string> kPieces{"\""s,
                                                "'"s,
                                                "\"\"\""s,
                                                "'''"s,
                                                "\\"s,
                                                "\\n"s,
                                                "\n"s,
                                                "\r"s,
                                                "\t"s,
                                                "\0"s,
                                                "\x1b[2J"s,
                                                "\x1b]0;t\a"s,
                                                "\u009b"s,
                                                "\u202e"s,
                                                "\u2066"s,
                                                "\u2028"s,
                                                "="s,
                                                "+"s,
                                                "@"s,
                                                "-"s,
                                                "＝"s,
                                                "1+cmd"s,
                                                "*/"s,
                                                "/*"s,
                                                "//"s,
                                                "#"s,
                                                "%"s,
                                                "\\end{bmatrix}"s,
                                                "$("s,
                                                "`"s,
                                                "; rm -rf"s,
                                                "|"s,
                                                ","s,
                                                ";"s,
                                                ":"s,
                                                "..."s,
                                                "…"s,
                                                "[[1, 2]]"s,
                                                "matrix(c(1))"s,
                                                "np.array"s,
                                                "7"s,
                                                "-5"s,
                                                "1e3"s,
                                                "nan"s,
                                                "pi"s,
                                                "e"s,
                                                " "s,
                                                "a"s,
                                                "the cat"s,
                                                "\xff\xfe"s,
                                                "\x9b"s,
                                                "注意"s,
                                                "😀"s,
                                                "{{x}}"s,
                                                "&lt;"s,
                                                "<b>"s};
  return kPieces;
}

inline std::string hostile_text(std::mt19937& random) {
  const std::vector<std::string>& pieces = hostile_pieces();
  std::string text;
  for (std::size_t count = random() % 5; count > 0; --count) text += pieces[random() % pieces.size()];
  return text;
}

// Whether a terminal can be shown it: lines of printable text.
inline bool is_tame(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = first_code_point(text.substr(at));
    if (!is_printable(c) && text[at] != '\n') return false;
    at += c.bytes;
  }
  return true;
}

}  // namespace attn::tests
