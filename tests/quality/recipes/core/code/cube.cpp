// Cubes, as a formula.
#include "core/code/family.h"

namespace attn::code {

Formula formula(const Cube&, const Given& in) {
  return in[0] * in[0] * in[0];
}

template struct CodeOf<Cube>;

}  // namespace attn::code
