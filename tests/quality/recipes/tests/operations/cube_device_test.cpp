// Cubes on every device that tests meet, in all shapes and with difficult numbers.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/opencl/backend.h"
#include "core/opencl/cases/cases.h"
#include "core/opencl/cases/compare.h"
#include "core/opencl/self_test.h"
#include "tests/opencl/opened.h"

using namespace attn;
using namespace attn::opencl;

TEST_CASE("a device computes cubes as the reference does") {
  const auto cubes = std::ranges::find_if(
      declarations(), [](const Declaration& d) { return d.operation == std::string_view(Cube::kName); });
  REQUIRE(cubes != declarations().end());
  for (const cl::Device& device : test_devices()) {
    Budget budget;
    const Variant variant = best_variant(device);
    const auto backend = make_backend(device, variant, budget);
    for (const Case& c : cubes->cases(Scope::comparison)) {
      const Arithmetic arithmetic = arithmetic_of(device, variant);
      if (c.subnormals && !arithmetic.subnormals) continue;
      const Deviation deviation = compare(*cubes, c, backend->run(c.operation, c.inputs), arithmetic);
      INFO(c.name, ": ", deviation.first_wrong);
      CHECK(deviation.wrong == 0);
    }
  }
}
