// The file of a check: read behind the results, again where it is followed, and what is shown of its
// mistakes. Private to app/workspaces/compare.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/frame/frame.h"
#include "core/diagnosis/diagnosis.h"

namespace attn {

// Has it read, with the names as they are understood; what comes of it is in the draft of a later frame.
void read_check_file(View& view, const std::string& path, const std::vector<std::string>& names = {});
// In each frame of a check: takes what was read, and has a file that is followed read again.
void follow_check_file(Frame& frame);

// The mistakes that are shown, for commands: they see no studies.
void keep_shown_mistakes(Frame& frame);
const Tried* kept_mistakes(Memos& memos);  // null: none

}  // namespace attn
