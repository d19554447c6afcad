// The arrays of a file as they were understood, and what else they can be taken for. Private to
// app/workspaces/compare.
#pragma once

#include "app/fields/fields.h"

namespace attn {

// A line each; pressed, it opens a list of meanings. Another one has the file read with it.
void draw_check_names(Frame& frame, Column column);

// What the terminal says for this check: "attention-lab check dump.npz --heads 4 --mask causal".
std::string check_command_line(const Document& document);

}  // namespace attn
