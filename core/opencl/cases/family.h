// For the families' own files alone: what declaration() is.
#pragma once

#include "core/opencl/cases/families.h"

namespace attn::opencl {

template <class Op>
Declaration declaration() {
  return declared(Of<Op>{});
}

}  // namespace attn::opencl
