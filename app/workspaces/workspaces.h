// The table of workspaces: tabs, keys, `render` and every panel read its rows.
#pragma once

#include <span>

#include "app/frame/workspace.h"

namespace attn {

// Those of the program. Addresses stay valid: views, requests and results point to rows.
std::span<const Workspace> workspaces();

// Throws what building throws, in whichever of them.
void check_document(const Document& document);

}  // namespace attn
