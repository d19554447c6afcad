// Base64 (RFC 4648): bytes as letters, for formats that are text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/bytes.h"

namespace attn {

std::string base64_of(Bytes bytes);

// The bytes of a text, between whose letters there may be spaces and line ends; none where it holds anything
// else, or is cut.
std::optional<std::vector<std::byte>> bytes_in_base64(std::string_view text);

}  // namespace attn
