// EntropySpec: the temperatures at which the workspace of entropy makes the layer's weights again. A plain
// value.
#pragma once

#include <cstddef>

namespace attn {

// Its fields, and all that is said about them, are listed in fields.h.
struct EntropySpec {
  double from = 0.05, to = 20;  // of a temperature, ends included
  std::size_t samples = 41;

  bool operator==(const EntropySpec& other) const = default;
};

}  // namespace attn
