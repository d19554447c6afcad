// Files of arrays as they are understood, before they are opened.
#pragma once

#include <optional>
#include <string>

#include "app/frame/array_preview.h"
#include "core/system/progress_callback.h"

namespace attn {

// Of a file of arrays that may be a layer, or numbers computed of one; none of any other input. Where its
// arrays hold no layer they are taken for numbers of `open`. What no layer comes of is said in its `error`.
// Throws Error(Fault::input) for what cannot be read.
std::optional<ArrayPreview> preview_file(const std::string& path, const ArrayChoices& choices,
                                         const LayerSpec& open);

}  // namespace attn
