// Room on a disk, asked for by writing: quotas, limits and read-only file systems show only then.
#pragma once

#include <cstddef>
#include <filesystem>

namespace attn {

// Whether a new file of so many bytes fits into the folder just now.
bool has_room(const std::filesystem::path& folder, std::size_t bytes);

}  // namespace attn
