// Session files: a Document as JSON. The schema is documented in session.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/document/document.h"
#include "core/io/text_source.h"

namespace attn {

inline constexpr std::string_view kSessionFormat = "attention-lab session";
// All from 1 on are read; written is the oldest that says what there is (session.md).
inline constexpr unsigned kSessionVersion = 4;

// What a session that is a file may name its large matrices by.
struct SessionFiles {
  std::string folder = {};  // the session's; empty: it is no file, and holds all
  bool mapped = false;      // numbers may stay in their files (core/system/mapped_file.h)
};

// Round-trips exactly: parse_session(write_session(d)) == d, −0, subnormals and ±∞ included. NaN comes back
// as the quiet NaN of numeric_limits: its sign and payload are not kept. Labels are UTF-8; other bytes become
// U+FFFD. `look`: what is looked at, in words that mean nothing here; empty: nothing is said of it. Throws
// what check_limits throws.
std::string write_session(const Document& document, const std::string& look = {},
                          const SessionFiles& files = {});

// Throws Error with the place in the text and what is wrong: line and column of a syntax error, else the path
// ("layer.x row 2 has 3 numbers, expected 4"). Untrusted input: the document is made while the text comes,
// within check_limits, in time by the length of the text and memory by what the document holds. Numbers are
// checked one by one; whether the matrices fit each other is for build_graph to say.
Document read_session(const TextSource& source, std::string* look = nullptr, const SessionFiles& files = {});
Document parse_session(std::string_view text, std::string* look = nullptr);

}  // namespace attn
