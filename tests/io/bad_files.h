// Files that are damaged in one way each, by name: made of valid ones. What has to be said of them is beside
// them.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace attn::tests {

inline constexpr std::size_t kMega = std::size_t{1} << 20;

struct BadFile {
  std::string name;  // the damage
  std::function<std::vector<std::byte>()> bytes;
  std::vector<const char*> said;  // parts of the message: the place and the reason
};

// A reader, and the files that it refuses.
struct BadFiles {
  std::string format;
  // Throws Error.
  std::function<void(std::span<const std::byte>)> read;
  std::vector<BadFile> files;
};

inline std::vector<BadFile> joined(std::initializer_list<std::vector<BadFile>> groups) {
  std::vector<BadFile> all;
  for (const std::vector<BadFile>& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

BadFiles bad_sessions();
BadFiles bad_layers();  // sessions whose text is in order, but not what it says
BadFiles bad_npy();
BadFiles bad_npz();
BadFiles bad_archived_arrays();  // .npz in order, their arrays not
BadFiles bad_safetensors();
BadFiles bad_tables();
BadFiles bad_pictures();
BadFiles bad_svg();
BadFiles bad_points();
BadFiles bad_foreign();  // of other programs

}  // namespace attn::tests
