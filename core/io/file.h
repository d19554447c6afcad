// Whole files, in and out.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace attn {

// Throws Error(Fault::input) naming the file and the system's reason; refuses folders and files over 4 GiB.
std::vector<std::byte> read_file(const std::string& path);

// Atomic: a temporary file in the same folder, written, synced, renamed over `path`, folder synced. On any
// error the old file is untouched, nothing is left behind, and Error(Fault::output) says why.
void write_file(const std::string& path, std::span<const std::byte> bytes);
void write_file(const std::string& path, const std::string& text);

}  // namespace attn
