// Whether a disk has room, found out by writing: quotas and limits show only then.
#pragma once

#include <cstddef>
#include <filesystem>

namespace attn {

// Whether a new file of so many bytes fits into the folder just now: 0, or why not, as an errno.
int room_error(const std::filesystem::path& folder, std::size_t bytes);

// Of what there may be more the next time: the disk's room, a quota, a limit. Else the folder is of no use.
bool is_want_of_room(int error);

}  // namespace attn
