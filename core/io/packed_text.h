// Text packed by zlib, as pictures carry their session.
#pragma once

#include <string_view>
#include <vector>

#include "core/io/text_source.h"
#include "core/text/bytes.h"

namespace attn {

// Throws Error(Fault::output) when there is not enough memory.
std::vector<std::byte> packed_text(std::string_view session);

// Unpacked while it is read: what a small picture says may be large. `data` outlives the source, which throws
// Error where it is damaged or larger than a file may be.
TextSource unpacked_text(Bytes data, ProgressCallback progress = {});

}  // namespace attn
