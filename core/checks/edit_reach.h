// What an edit costs: the operations of the stages that it reaches, and those that ran.
#pragma once

#include "core/evaluate/results.h"

namespace attn {

struct EditOperations {
  double reached = 0, done = 0;  // operation_count, added up over stages
};

// Of the results behind an edit; `before`: those that it was made on, of the same plan. Reached are the
// stages that are computed from a given matrix that is another one, or by another operation.
EditOperations edit_operations(const Results& before, const Results& after);

}  // namespace attn
