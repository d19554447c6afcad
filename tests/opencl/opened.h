// The devices that tests open in their own process, with compiled kernels kept beside the builds: the
// driver's compiler, which is the same in all of them, takes a minute for them.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "core/opencl/context.h"
#include "tests/places.h"

namespace attn::opencl {

inline std::vector<cl::Device> test_devices() {
  const std::string folder = std::filesystem::path(kBinaryDir).parent_path() / "test-kernels";
  std::filesystem::create_directories(folder);
  setenv("POCL_CACHE_DIR", folder.c_str(), 1);
  std::string problem;
  std::vector<cl::Device> devices = list_devices(problem);
  REQUIRE_MESSAGE(!devices.empty(), problem);  // PoCL is installed with the tests
  return devices;
}

}  // namespace attn::opencl
