// Where a gradient goes. Private to app/inspector: others ask where_it_goes().
#pragma once

#include "app/inspector/inspector_model.h"

namespace attn::inspector {

// Of a number of Role::gradient: a leg for each gradient that it is a term of.
std::vector<PathStep> where_a_gradient_goes(const Results& results, const Spot& from);

}  // namespace attn::inspector
