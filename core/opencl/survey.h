// The survey of devices with its surroundings given: what devices.h does for this program, tests do for
// others.
#pragma once

#include "core/opencl/cache.h"
#include "core/opencl/devices.h"

namespace attn::opencl {

// Never throws for what devices and folders do: those are verdicts and notes.
Survey survey(Cache& cache, const Surroundings& surroundings);

// The same with every driver asked and every device tested anew, with nothing compiled before. `cache`, which
// others may be using, keeps its kernels and gets the answers.
Survey survey_again(Cache& cache, const Surroundings& surroundings);

}  // namespace attn::opencl
