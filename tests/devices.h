// The devices of a test program, of which it has one as any process has.
#pragma once

#include <memory>

#include "core/opencl/devices.h"

namespace attn::tests {

inline const std::shared_ptr<opencl::Devices>& devices() {
  static const auto one = std::make_shared<opencl::Devices>();
  return one;
}

}  // namespace attn::tests
