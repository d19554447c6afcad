// Which parts of a picture are the same as in another: hashes of blocks of its texels.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

#include "core/evaluate/texels.h"

namespace attn {

class TexelBlocks {
 public:
  TexelBlocks() = default;
  explicit TexelBlocks(const Texels& texels);

  // Of all blocks that what lies between these corners, 0 to 1 over the picture, is drawn from; of two
  // pictures of one size it is the same where that is.
  std::uint64_t between(ImVec2 from, ImVec2 to) const;

 private:
  std::size_t width_ = 0, height_ = 0;  // texels
  std::size_t across_ = 0;              // blocks
  std::vector<std::uint64_t> hashes_;   // row after row
};

}  // namespace attn
