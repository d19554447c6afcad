// What becomes of drivers that crash, hang or babble, and of verdicts from one start to the next.
#include <doctest/doctest.h>

#include "tests/opencl/surroundings.h"

using namespace attn;
using namespace attn::opencl;

TEST_CASE("A device that passes is tested once and remembered") {
  Place place;
  place.set_probe(kCompile + kPass);
  const Survey first = place.start(), second = place.start();
  CHECK(place.asked() == 1);
  for (const Survey& survey : {first, second}) {
    REQUIRE(survey.devices.size() == 1);
    const Device& device = survey.devices[0];
    CHECK(device.passed);
    CHECK(device.name == "Device");
    CHECK(device.verdict == "passed");
    CHECK(device.largest_error == 1e-7);
    CHECK(device.milliseconds == 2);
    CHECK(survey.notes.empty());
  }
}

TEST_CASE("A device that computes wrong numbers is remembered as failed") {
  Place place;
  place.set_probe(
      "echo '{\"passed\": false, \"verdict\": \"matmul is wrong\", \"largest_error\": 3, \"milliseconds\": "
      "0}'");
  place.start();
  const Survey second = place.start();
  CHECK(place.asked() == 1);
  CHECK_FALSE(second.devices.at(0).passed);
  CHECK(second.devices[0].verdict == "matmul is wrong");
}

TEST_CASE("Whatever a driver prints before the report is passed over") {
  Place place;
  place.set_probe("echo '{\"noise'; echo matmul is right\n" + kPass);
  CHECK(place.start().devices.at(0).passed);
}

TEST_CASE("A driver that crashes is a verdict and is given one more start") {
  Place place;
  place.set_probe("kill -ABRT $$");
  const Survey first = place.start();
  CHECK(first.devices.at(0).verdict == "the self-test was stopped by signal 6 (Aborted)");
  CHECK(place.asked() == 1);
  place.start();
  CHECK(place.asked() == 2);
  CHECK_FALSE(place.start().devices.at(0).passed);
  CHECK(place.asked() == 2);
}

TEST_CASE("A crash over a damaged kernel is healed by clearing the cache") {
  Place place;
  place.set_probe("if [ -e \"$POCL_CACHE_DIR/bad\" ]; then kill -ABRT $$; fi\n" + kPass);
  std::vector<std::string> notes;
  Cache cache(place.surroundings, notes);
  // Damaged between the program's own check and the driver's look.
  place.set_probe("if [ ! -e '" + place.folder().string() + "/once' ]; then touch '" +
                  place.folder().string() +
                  "/once'; touch \"$POCL_CACHE_DIR/bad\"; fi\nif [ -e \"$POCL_CACHE_DIR/bad\" ]; then kill "
                  "-ABRT $$; fi\n" +
                  kPass);
  const Survey healed = survey(cache, place.surroundings);
  CHECK(healed.devices.at(0).passed);
  CHECK(has_note(healed, "cache is cleared"));
}

TEST_CASE("A driver that hangs is stopped at the limit and is given one more start and more time") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(300);
  place.set_probe("exec sleep 60");
  CHECK(place.start().devices.at(0).verdict ==
        "the self-test took longer than its limit; it is run again at the next start, with more time");
  for (int start = 0; start < 2; ++start)
    CHECK(place.start().devices.at(0).verdict == "the self-test took longer than its limit");
  CHECK(place.asked() == 2);
}

TEST_CASE("A test that took too long passes at the next start when the time is enough then") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(500);
  place.set_probe("sleep 0.8\n" + kPass);
  CHECK_FALSE(place.start().devices.at(0).passed);
  CHECK(place.start().devices.at(0).passed);
  CHECK(place.start().devices.at(0).passed);
  CHECK(place.asked() == 2);
}

TEST_CASE("A test that is slow in all and says how far it is passes in one go") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(1000);
  place.set_probe("for operation in 1 2 3 4 5 6; do sleep 0.3; echo $operation is right; done\n" + kPass);
  CHECK(place.start().devices.at(0).passed);
  CHECK(place.asked() == 1);
}

TEST_CASE("A test that hangs behind a few right answers is stopped when it has said nothing for its limit") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(300);
  place.set_probe("echo matmul is right; sleep 0.1; echo softmax is right; exec sleep 60");
  const auto start = std::chrono::steady_clock::now();
  CHECK(place.start().devices.at(0).verdict.starts_with("the self-test took longer than its limit"));
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(400));
  CHECK(place.asked() == 1);
}

TEST_CASE("A test that keeps talking comes to an end all the same") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(100);
  place.set_probe("while :; do echo matmul is right; sleep 0.02; done");
  CHECK(place.start().devices.at(0).verdict.starts_with("the self-test took longer than its limit"));
  CHECK(place.asked() == 1);
}

TEST_CASE("A driver that talks while it lists its devices has no more time for it") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(300);
  const std::string talking = "for word in 1 2 3 4 5 6; do sleep 0.1; echo $word; done\n" + kList;
  place.set_drivers({{"device", {.list = talking, .test = kPass}}});
  CHECK(place.start().devices.empty());
}

TEST_CASE("Answers that make no sense are verdicts") {
  for (const std::string answer : {"echo nonsense", "true", "echo '[1]'", "echo '{\"passed\": 3}'",
                                   "echo '{\"passed\": true}'", "exit 1"}) {
    Place place;
    place.set_probe(answer);
    const Survey survey = place.start();
    REQUIRE(survey.devices.size() == 1);
    CHECK_FALSE(survey.devices[0].passed);
    CHECK(survey.devices[0].verdict.starts_with("the self-test "));
  }
}

TEST_CASE("A missing probe program leaves no device and a note") {
  Place place;
  place.surroundings.probe = (place.folder() / "nowhere").string();
  const Survey survey = place.start();
  CHECK(survey.devices.empty());
  CHECK(has_note(survey, "could not be started (No such file or directory)"));
}

TEST_CASE("A device list that makes no sense leaves no device and a note") {
  for (const std::string list :
       {"echo '{\"devices\": [{\"name\": 3}]}'", "echo '{\"devices\": 3'", "kill -SEGV $$"}) {
    Place place;
    place.set_drivers({{"device", {.list = list, .test = {}}}});
    const Survey survey = place.start();
    CHECK(survey.devices.empty());
    CHECK(has_note(survey, "device.icd is left out: listing its devices "));
  }
}

TEST_CASE("Why there is no device is passed on") {
  Place place;
  place.set_script("#!/bin/sh\necho '{\"devices\": [], \"problem\": \"no OpenCL driver\"}'\n");
  CHECK(has_note(place.start(), "no OpenCL driver"));
}
