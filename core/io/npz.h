// NumPy's .npz: a zip file of named .npy arrays, stored or deflated.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/io/npy.h"

namespace attn {

// Name (without ".npy") to array. Throws Error naming the array and the reason. Bytes are untrusted: names
// never become paths, members must not overlap, sizes are capped by what each header implies.
std::map<std::string, Array> parse_npz(std::span<const std::byte> bytes);

// A zip of stored members with fixed dates: the same arrays give the same bytes.
std::vector<std::byte> write_npz(std::span<const std::pair<std::string, std::vector<std::byte>>> npy_members);

}  // namespace attn
