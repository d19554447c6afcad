// Edits of the document that may be refused. Refused, they change nothing, and the person is told why.
#pragma once

#include <functional>

#include "app/frame.h"
#include "app/widgets/fields.h"

namespace attn {

class Application;

// Within a frame, of the layer whose controls are drawn or of the whole document. Whether it was done.
bool attempt(Frame& frame, const std::function<void(LayerAt)>& edit);

// The same, but told under a row of the controls.
bool attempt(Frame& frame, const RefusedAt& at, const std::function<void(LayerAt)>& edit);

// As a command of the table.
std::function<void(Application&)> edit_command(std::function<void(Document&, Application&)> edit);

}  // namespace attn
