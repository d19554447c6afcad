// The drills on real devices, in both shapes of the kernels, and on the reference: a known amount, rightly
// done.
#include <doctest/doctest.h>

#include "core/opencl/backend.h"
#include "core/opencl/self_test.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/opencl/opened.h"

using namespace attn;
using namespace attn::opencl;

namespace {

void check_drills(Backend& backend) {
  Drill add = backend.drill(DrillKind::multiply_add);
  REQUIRE(add.run);
  CHECK(add.unit > 0);
  CHECK(add.most_passes > 100);
  for (const std::size_t passes : {1u, 3u, 2u}) {
    add.run(passes);
    CHECK_NOTHROW(add.check());
  }
  Drill copy = backend.drill(DrillKind::copy);
  REQUIRE(copy.run);
  CHECK(copy.unit > 1e6);
  CHECK_THROWS_AS(copy.check(), Error);  // nothing was copied yet
  copy.run(1);
  CHECK_NOTHROW(copy.check());
  CHECK_THROWS_AS(copy.check(), Error);  // of the numbers that it made since nothing was copied
  copy.run(2);
  CHECK_NOTHROW(copy.check());
}

}  // namespace

TEST_CASE("drills leave what they have to on every device in both shapes of the kernels") {
  for (const cl::Device& device : test_devices())
    for (const bool groups : {false, true}) {
      CAPTURE(device_name(device));
      CAPTURE(groups);
      Budget budget;
      Variant variant = best_variant(device);
      variant.groups = groups;
      const auto backend = make_backend(device, variant, budget);
      check_drills(*backend);
      CHECK_FALSE(backend->facts().version.empty());
      CHECK(backend->facts().largest > 0);
    }
}

TEST_CASE("the most passes of a run are still counted exactly") {
  Budget budget;
  const cl::Device device = test_devices().front();
  Variant variant = best_variant(device);
  variant.most_steps = most_steps_of(device, variant);
  const auto backend = make_backend(device, variant, budget);
  const Drill add = backend->drill(DrillKind::multiply_add);
  add.run(add.most_passes);
  CHECK_NOTHROW(add.check());
}

TEST_CASE("the reference has the same drills") {
  const auto reference = make_reference_backend();
  check_drills(*reference);
  CHECK(reference->facts().version.find("Eigen") == 0);
}
