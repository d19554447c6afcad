// Drivers that leave loops early: Mesa's on processors stops an item after 65,535 steps of all its loops, and
// what it should have written stays empty. How many a device makes is measured; nobody asks it for more.
#pragma once

#include <cstdint>
#include <limits>

#include "core/system/error.h"

namespace attn::opencl {

class Workbench;

// Steps of an item's loops, each loop's own counted at every step around it.
using Steps = std::uint64_t;
inline constexpr Steps kEndless = std::numeric_limits<Steps>::max();

// Thrown in place of a launch whose items would be left early.
class LoopTooLong : public Error {
 public:
  using Error::Error;
};

// How many steps lead from 0 to `number` (shaders/loops.cl): `asked` or fewer; none when more do.
Steps steps_to(std::uint32_t number, Steps asked);

// How many steps the device makes; kEndless when it makes all it was asked for. Throws cl::Error.
Steps measure_steps(Workbench& bench);

}  // namespace attn::opencl
