// What the reference is measured by, as a device is: on one core, in double.
#pragma once

#include "core/backend/drill.h"

namespace attn::reference {

Drill make_drill(DrillKind kind);

// What tells its times from those of another: the version of Eigen, and the processor.
std::string version();

}  // namespace attn::reference
