// Equality of HeadsSpec, field by field.
#include "core/heads/fields.h"

namespace attn {

bool HeadsSpec::operator==(const HeadsSpec& other) const {
  return equal_fields(*this, other);
}

}  // namespace attn
