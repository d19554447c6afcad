// Equality of GradientsSpec, field by field.
#include "core/gradients/fields.h"

namespace attn {

bool GradientsSpec::operator==(const GradientsSpec& other) const {
  return equal_fields(*this, other);
}

}  // namespace attn
