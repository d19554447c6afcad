// Document: everything the user edits. One part per workspace.
#pragma once

#include "core/attention/layer.h"

namespace attn {

struct Document {
  LayerSpec layer;
  bool operator==(const Document&) const = default;
};

}  // namespace attn
