// Files of which only some pieces are wanted, in any order: what lies between them is never read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace attn {

struct FilePieces {
  std::uint64_t size = 0;
  // Fills all of `out` with the bytes from `at` on, which the caller has checked to be inside. May throw
  // Error.
  std::function<void(std::uint64_t at, std::span<std::byte> out)> read;
};

// Of bytes that are there already, and outlive them.
FilePieces pieces_of(std::span<const std::byte> bytes);

// Of a file, which stays open as long as they live. Throws Error(Fault::input) naming it and the system's
// reason.
FilePieces pieces_of_file(const std::string& path);

}  // namespace attn
