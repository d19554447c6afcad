// The loss of the workspace of gradients, of a document.
#pragma once

#include <string>

#include "core/document/document.h"
#include "core/gradient/loss.h"

namespace attn {

struct DocumentLoss {
  Loss loss;
  std::string instead = {};  // what is otherwise than asked for, and why; empty: nothing
};

// Of a kind, as the document's part says, for an output of this shape, before anything is typed over its
// target, its labels or its dO. A target or labels that come from X need one row of it for each of the
// output's and as many columns; where it has not, the loss is of ones, and labels are 0.
DocumentLoss loss_of(const Document& document, Address address, const Shape& output, LossKind kind);

}  // namespace attn
