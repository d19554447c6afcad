// The choice among surveyed devices: what Devices::choose does once it knows them.
#pragma once

#include "core/opencl/devices.h"

namespace attn::opencl {

// As Devices::choose, for every choice but "reference".
std::unique_ptr<Backend> choose(const Survey& survey, const std::string& choice, Budget& budget,
                                std::vector<std::string>& notes, DriverCalls* calls = nullptr);

}  // namespace attn::opencl
