// JSON from untrusted text: capped in size and depth, without duplicate keys. For .cpp files of this folder
// only.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace attn {

inline constexpr std::size_t kMaximumJsonBytes = std::size_t{256} << 20;
inline constexpr std::size_t kMaximumJsonDepth =
    64;  // nlohmann's dump() would overflow the stack on deep values

// Throws Error with line and column (in characters, from 1) of a syntax error, or the path of a duplicate
// key.
nlohmann::json parse_json(std::string_view text);

// `text` in JSON's quotes; bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace attn
