// The rules of the mask when tokens come, go and move.
#pragma once

#include <span>

#include "core/attention/layer.h"
#include "core/document/document.h"
#include "core/edits/edit_shapes.h"

namespace attn {

// Which axes a change of tokens touches: rows by query, rows and columns by key.
struct TouchedAxes {
  bool queries = false, keys = false;
};

// Called while the layer still has its old tokens. Lengths of padding and prefix count as many old keys as
// before, and new ones among them; documents grow and shrink by what comes and goes in them, global tokens
// move with their token. Where keys are tokens of their own, what names tokens of both sides only loses what
// is no longer there. A rule that is left without numbers goes.
void follow_rules(LayerSpec& layer, const Order& order, TouchedAxes touched);

// Whether the user's own mask hides a cell: head, query, key.
bool is_painted(const LayerSpec& layer, Cell cell);

// Hides cells from their queries with the user's own mask, or frees what it hid there: of the cells' heads
// alone, or of all. A mask that came to hide nothing goes. Throws Error when a cell lies outside the layer,
// or the mask would be more than a document may hold; the document stays as it was.
void paint_mask(LayerAt in, std::span<const Cell> cells, bool hide, bool all_heads);

}  // namespace attn
