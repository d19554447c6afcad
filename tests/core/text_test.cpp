// Texts for people and terminals: sizes in bytes, and what a terminal would obey.
#include "core/text/text.h"

#include <doctest/doctest.h>

using namespace attn;

TEST_CASE("sizes are written with the nearest unit and three digits at most") {
  CHECK(bytes_text(0) == "0 bytes");
  CHECK(bytes_text(999) == "999 bytes");
  CHECK(bytes_text(1024) == "1.0 KiB");
  CHECK(bytes_text(10 * 1024) == "10 KiB");
  CHECK(bytes_text(310ull << 20) == "310 MiB");
  CHECK(bytes_text((5ull << 30) + (200ull << 20)) == "5.2 GiB");
  CHECK(bytes_text(UINT64_MAX) == "16 EiB");
}

TEST_CASE("what a terminal would obey is escaped and all else is left alone") {
  const std::string harmless = "weights · −∞ ≤ 1e-6 ᵀ 注意 e\u0301 \"\\x1b\" 😀";
  CHECK(printable(harmless) == harmless);
  CHECK(printable("\x1b[2J\a\r\n\t\x7f") == "\\x1b[2J\\x07\\x0d\\x0a\\x09\\x7f");
  CHECK(printable("a\u009b31mb") == "a\\u009b31mb");
  CHECK(printable("exe.\u202egnp\u2066\u200f\u2028") == "exe.\\u202egnp\\u2066\\u200f\\u2028");
}

TEST_CASE("bytes that are no UTF-8 are escaped one by one") {
  CHECK(printable("\x9b") == "\\x9b");
  CHECK(printable("caf\xe9!") == "caf\\xe9!");
  CHECK(printable("\xc0\x80") == "\\xc0\\x80");                    // 0 in two bytes
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // half of a pair
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond the last code point
  CHECK(printable("\xe2\x82") == "\\xe2\\x82");                    // cut short
}
