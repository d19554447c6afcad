// A page of the manual on the screen.
#pragma once

#include <string>

#include "app/frame/frame.h"
#include "app/manual/pages.h"

namespace attn {

// From the cursor down, which is left below it. The block that was asked for is marked, and scrolled to where
// that is still to be done. Returns the page that a pressed link leads to; empty: none was pressed. An
// address elsewhere is copied, and so is code.
std::string draw_page(Frame& frame, const ManualPage& page, float width);

}  // namespace attn
