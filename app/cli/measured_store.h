// Where measurements of this machine's devices are kept.
#pragma once

#include "app/program/application.h"

namespace attn {

// Below $XDG_CACHE_HOME, for this version of the program; without a place for it nothing is kept.
MeasureSetup measures_of_this_machine();

}  // namespace attn
