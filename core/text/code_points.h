// Code points written as UTF-8.
#pragma once

#include <string>

namespace attn {

// Of a code point up to U+10FFFF.
std::string utf8_text(char32_t code);

}  // namespace attn
