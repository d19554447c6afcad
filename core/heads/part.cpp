// What is shown of the heads, compared.
#include "core/heads/fields.h"

namespace attn {

bool HeadsSpec::operator==(const HeadsSpec& other) const {
  return equal_fields(*this, other);
}

}  // namespace attn
