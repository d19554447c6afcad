// What tells whether a file is still the one that was read or written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

struct FileMark {
  std::uint64_t size = 0;    // bytes
  std::string content = {};  // its hash; empty: of no file
  bool operator==(const FileMark&) const = default;
};

FileMark mark_of(std::string_view content);
// Of the file as it is now; none where there is no file. One that is there and cannot be read has a mark that
// no file has which was ever read or written: nobody knows what it holds.
std::optional<FileMark> mark_of_file(const std::string& path);

}  // namespace attn
