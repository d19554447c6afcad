// Heads: how many, which are switched off, which is shown; for the controls, the keys and the canvas.
#pragma once

#include <vector>

#include "app/frame.h"

namespace attn {

// The head counts next to `wanted`, below and above, that the layer can have.
std::vector<std::size_t> head_fixes(const Document& document, std::size_t wanted);

// Changes the number of heads of the draft; where it does not fit, says so at the control, with what would.
void use_heads(Frame& frame, std::size_t heads, std::size_t kv_heads);

// Switches a head off, or on again: off, it adds zeros to what follows.
void toggle_head(LayerSpec& layer, std::size_t head);
// All other heads off; when they are already, all on.
void solo_head(LayerSpec& layer, std::size_t head);

}  // namespace attn
