// Equality of EfficientSpec, field by field.
#include "core/efficient/fields.h"

namespace attn {

bool EfficientSpec::operator==(const EfficientSpec& other) const {
  return equal_fields(*this, other);
}

}  // namespace attn
