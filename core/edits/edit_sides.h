// Edits of all tokens of a side at once: their order, and the memory as a whole. As in edit.h an edit that
// cannot be made throws Error and leaves the document as it was.
#pragma once

#include <vector>

#include "core/edits/edit.h"

namespace attn {

// Row i becomes the old row order[i], a permutation. What belongs to tokens goes along, as when one is moved.
void reorder_tokens(LayerAt in, const std::vector<std::size_t>& order, TokenSide side = TokenSide::query);

// The memory: keys and values from tokens of their own, so that there can be another number of them than of
// queries. What comes is a copy of x and its labels: without an encoding no number changes. Of Q, K and V
// that are given, K and V are the memory: its tokens get labels of their own, at first those of the queries.
// Without it keys and values come from x (belong to the queries' tokens) again, and what was given for keys
// that are no longer there goes. Throw Error where there is a memory already, or none.
void add_memory(LayerAt in);
void remove_memory(LayerAt in);

}  // namespace attn
