// The survey with the real driver, PoCL unless another is named, its real cache, its processors, and no
// driver at all.
#include <doctest/doctest.h>

#include <sched.h>

#include <cstdlib>
#include <thread>

#include "tests/environment.h"
#include "tests/opencl/surroundings.h"
#include "tests/places.h"

using namespace attn;
using namespace attn::opencl;
namespace fs = std::filesystem;

namespace {

struct RealProbe : Place {
  RealProbe() {
    surroundings.probe = std::string(kBinaryDir) + "/operation_cases";
    surroundings.vendors = read_surroundings().vendors;
    surroundings.limit = std::chrono::minutes(5);  // however busy the machine is
  }

  std::vector<fs::path> compiled() const {
    std::vector<fs::path> files;
    for (const auto& [path, file] : list_files(kernels())) files.push_back(kernels() / path);
    return files;
  }
};

}  // namespace

TEST_CASE("The driver passes the self-test and PoCL's damaged cache never reaches it" *
          doctest::test_suite("long")) {
  const RealProbe place;
  const Survey first = place.start();
  REQUIRE(first.devices.size() >= 1);
  for (const Device& device : first.devices) CHECK_MESSAGE(device.passed, device.name, ": ", device.verdict);
  CHECK(first.devices[0].milliseconds > 0);
  // A few roundings; of the gradient of an additive score's vector some in each of 370 terms that cancel.
  CHECK(first.devices[0].largest_error < 2e-6);
  const auto kept = fs::last_write_time(place.ledger());
  CHECK(place.start().notes.empty());
  CHECK(fs::last_write_time(place.ledger()) == kept);  // nothing was tested again

  if (first.devices[0].platform !=
      "Portable Computing Language") {  // others keep kernels in places of their own
    CHECK(place.compiled().empty());
    MESSAGE(first.devices[0].platform, ": no cache of PoCL's that could be damaged");
    return;
  }
  REQUIRE(place.compiled().size() > 10);
  // Every other kernel as a full disk cuts it off, the rest as after a power cut: zeros, of the same size and
  // time.
  std::size_t damaged = 0;
  for (const fs::path& file : place.compiled()) {
    const auto time = fs::last_write_time(file);
    const auto size = fs::file_size(file);
    if (damaged++ % 2 == 0) {
      fs::resize_file(file, size / 2);
    } else {
      Place::write(file, std::string(size, '\0'));
      fs::last_write_time(file, time);
    }
  }
  const Survey healed = place.start();
  CHECK(healed.devices.at(0).passed);
  CHECK(has_note(healed, "PoCL's cache of compiled kernels has changed"));
  CHECK(place.start().notes.empty());
}

TEST_CASE("Without any driver there is no device and the note says what to install") {
  RealProbe place;
  place.surroundings.vendors = "/dev/null/none";
  const tests::Environment no_drivers("OCL_ICD_VENDORS", "/dev/null/none");
  const Survey survey = place.start();
  CHECK(survey.devices.empty());
  CHECK(has_note(survey, "no OpenCL driver is installed; install pocl-opencl-icd"));
}

TEST_CASE("A thread that is kept from a processor may not use every one") {
  const bool before = may_use_every_processor();
  std::thread kept([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    const int here = sched_getcpu();
    CPU_SET(static_cast<std::size_t>(here), &one);
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK(may_use_every_processor() == (here == 0 && std::thread::hardware_concurrency() == 1));
  });
  kept.join();
  CHECK(may_use_every_processor() == before);
}
