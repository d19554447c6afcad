// Whether a text has a part: most messages are checked so.
#pragma once

#include <string>

namespace attn::tests {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace attn::tests
