// The devices of a test program, of which it has one as any process has.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/opencl/devices.h"

namespace attn::tests {

inline const std::shared_ptr<opencl::Devices>& devices() {
  static const auto one = std::make_shared<opencl::Devices>();
  return one;
}

// The device of that index, opened once for all cases: each time the driver goes through the source of every
// kernel. Never closed, for at the end the driver may be gone before it.
inline Backend& opened_device(std::size_t index) {
  struct Opened {
    Budget budget;
    std::unique_ptr<Backend> backend;
  };
  static auto& all = *new std::map<std::size_t, Opened>;
  Opened& one = all[index];
  std::vector<std::string> notes;
  if (!one.backend) one.backend = devices()->choose(std::to_string(index), one.budget, notes);
  return *one.backend;
}

}  // namespace attn::tests
