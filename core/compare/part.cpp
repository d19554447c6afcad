// Equality of CompareSpec, field by field.
#include "core/compare/fields.h"

namespace attn {

bool CompareSpec::operator==(const CompareSpec& other) const {
  return equal_fields(*this, other);
}

}  // namespace attn
