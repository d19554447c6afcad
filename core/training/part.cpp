// Equality of TrainingSettings, field by field.
#include "core/training/fields.h"

namespace attn {

bool TrainingSettings::operator==(const TrainingSettings& other) const {
  return equal_fields(*this, other);
}

}  // namespace attn
