// Text that comes in pieces: from memory, from a file, or unpacked on the way.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

namespace attn {

// The next piece, which lives until the next call; an empty one is the end. May throw Error.
using TextSource = std::function<std::string_view()>;

// What is there already; `text` outlives the source.
inline TextSource source_of(std::string_view text) {
  return [text]() mutable { return std::exchange(text, {}); };
}

}  // namespace attn
