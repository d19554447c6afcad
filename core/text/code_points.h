// Characters of UTF-8: code points written so, and a text taken apart.
#pragma once

#include <string>
#include <string_view>

namespace attn {

// Of a code point up to U+10FFFF.
std::string utf8_text(char32_t code);

// What a text begins with: of one that is no UTF-8 a byte at least. Empty of an empty text.
std::string_view first_character(std::string_view text);

}  // namespace attn
