// Trouble that passes: what this machine is short of just now, and a driver may have failed for.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace attn::opencl {

// Room for what drivers compile, several times over.
constexpr std::size_t kRoom = std::size_t{16} << 20;  // bytes

// "there is no room left in …", "the program has no file handles left", …; empty when nothing is short.
// `folders` are those that drivers write to.
std::string passing_trouble(const std::vector<std::filesystem::path>& folders);

// More wants to run than twice what can.
bool machine_is_busy();

}  // namespace attn::opencl
