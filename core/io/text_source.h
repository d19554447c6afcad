// Text that comes in pieces: from memory, from a file, or unpacked on the way.
#pragma once

#include <algorithm>
#include <functional>
#include <string_view>

#include "core/system/progress_callback.h"

namespace attn {

// The next piece, which lives until the next call; an empty one is the end. May throw Error.
using TextSource = std::function<std::string_view()>;

// Bytes of a piece; a source may give others.
inline constexpr std::size_t kTextPiece = std::size_t{1} << 16;

// What is there already; `text` outlives the source.
inline TextSource source_of(std::string_view text, ProgressCallback progress = {}) {
  return [text, progress = std::move(progress), given = std::size_t{0}]() mutable {
    go_on(progress, static_cast<double>(given) / static_cast<double>(std::max<std::size_t>(1, text.size())));
    const std::string_view piece = text.substr(given, kTextPiece);
    given += piece.size();
    return piece;
  };
}

}  // namespace attn
