// What bends a network's inner numbers, as a formula of them: products have it in them too.
#pragma once

#include "core/code/formula.h"

namespace attn::code {

Formula activated(ActivationKind kind, Formula x);

}  // namespace attn::code
