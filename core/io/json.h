// JSON from untrusted text, told value by value: nothing is kept of it but what its listener keeps. For .cpp
// files of this folder only.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/io/text_source.h"

namespace attn {

inline constexpr std::size_t kMaximumJsonDepth =
    64;  // nlohmann's dump() would overflow the stack on deep values
// Between two values: longer runs of white space and brackets, and longer texts, nobody writes.
inline constexpr std::size_t kMaximumJsonGap = std::size_t{1} << 20;

// Is told what the text says, in order. A value is a scalar, or what stands between a begin and its end; a
// key comes before its value. Whatever it throws ends the reading.
class JsonListener {
 public:
  virtual ~JsonListener() = default;
  virtual void scalar(nlohmann::json&& value) = 0;  // text, number, true, false or null
  virtual void begin(bool array) = 0;               // else an object
  virtual void end() = 0;
  virtual void key(std::string key) = 0;
};

// Throws Error with line and column (in characters, from 1) of what is wrong. Takes time by the length of the
// text, and memory of a few kMaximumJsonGap.
void read_json(const TextSource& source, JsonListener& listener);

// `text` in JSON's quotes; bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace attn
