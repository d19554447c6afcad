// FollowedFile: a file that a panel wants to hear of while it is shown. A memo, by which the program and the
// panel meet: the panel names the file in each frame, the program says before a frame what it has seen of it.
#pragma once

#include <string>

#include "core/system/file_mark.h"

namespace attn {

struct FollowedFile {
  std::string path = {};  // none: nothing is followed
  FileMark known = {};    // as the panel has read it
  enum Seen { as_known, changed, gone } seen = as_known;
  std::size_t bytes() const { return path.capacity() + known.content.capacity(); }
};

}  // namespace attn
