// Verdicts made while something was short that may be there the next time, and tests that are asked for.
#include <doctest/doctest.h>

#include "core/opencl/trouble.h"
#include "tests/opencl/surroundings.h"

using namespace attn;
using namespace attn::opencl;

namespace {

const std::string kDoesNotCompile =
    "echo '{\"passed\": false, \"computed\": false, \"verdict\": \"cannot compile\", \"largest_error\": 0, "
    "\"milliseconds\": 0}'\n";
const std::string kWrong =
    "echo '{\"passed\": false, \"computed\": true, \"verdict\": \"add is wrong\", \"largest_error\": 3, "
    "\"milliseconds\": 0}'\n";

// Tests all devices while no file may become large, and keeps what it learns.
Survey test_on_full_disk(const Place& place) {
  const Limited files(RLIMIT_FSIZE, kRoom - 1);
  return place.start(survey_again);
}

bool tells_of_full_disk(const Place& place, const std::string& verdict) {
  return verdict.find(" (there is no room left in " + place.surroundings.temporary.string()) !=
         std::string::npos;
}

}  // namespace

TEST_CASE("A kernel that does not compile is tried again when the disk was full and else not") {
  Place place;
  place.set_probe(kDoesNotCompile);
  const std::string verdict = test_on_full_disk(place).devices.at(0).verdict;
  CHECK(verdict.starts_with("cannot compile ("));
  CHECK(tells_of_full_disk(place, verdict));
  CHECK(place.start().devices.at(0).verdict == "cannot compile");
  place.start();
  CHECK(place.asked() == 2);
}

TEST_CASE("A verdict is kept though a folder is not there or takes no files at all") {
  for (const char* folder : {"/proc", "/dev/null/none"}) {
    Place place;
    place.surroundings.temporary = folder;
    place.set_probe(kDoesNotCompile);
    CHECK(place.start().devices.at(0).verdict == "cannot compile");
    place.start();
    CHECK(place.asked() == 1);
  }
}

TEST_CASE("Crashes on a full disk don't count") {
  Place place;
  place.set_probe("kill -BUS $$");
  for (int start = 0; start < 3; ++start)
    CHECK(tells_of_full_disk(place, test_on_full_disk(place).devices.at(0).verdict));
  CHECK(place.asked() == 3);
  place.set_probe(kPass);
  CHECK(place.start().devices.at(0).passed);
}

TEST_CASE("A device that ran out of resources is tried again at each start") {
  Place place;
  place.set_probe(
      "echo '{\"passed\": false, \"computed\": false, \"passing\": true, \"verdict\": \"out of resources\", "
      "\"largest_error\": 0, \"milliseconds\": 0}'");
  for (int start = 0; start < 3; ++start) CHECK(place.start().devices.at(0).verdict == "out of resources");
  CHECK(place.asked() == 3);
  place.set_probe(kPass);
  CHECK(place.start().devices.at(0).passed);
  CHECK(place.start().devices.at(0).passed);
  CHECK(place.asked() == 4);
}

TEST_CASE("A test that the system ended for want of memory is tried again at each start") {
  Place place;
  place.set_probe("kill -KILL $$");
  for (int start = 0; start < 3; ++start) place.start();
  CHECK(place.asked() == 3);
}

TEST_CASE("A test that takes too long on a busy machine is given more time at once") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(500);
  place.surroundings.busy = [] { return true; };
  place.set_probe("sleep 0.8\n" + kPass);
  const Survey survey = place.start();
  CHECK(survey.devices.at(0).passed);
  CHECK(has_note(survey, "the self-test took longer than its limit, as the machine is busy: once more"));
  CHECK(place.asked() == 2);
}

TEST_CASE("A test that took too long on a busy machine is tried again") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(300);
  place.surroundings.busy = [] { return true; };
  place.set_probe("exec sleep 60");
  CHECK(place.start().devices.at(0).verdict ==
        "the self-test took longer than its limit (the machine is busy with other things)");
  place.set_probe(kPass);
  CHECK(place.start().devices.at(0).passed);
}

TEST_CASE("A driver that could not be asked for want of file handles is asked at the next start") {
  Place place;
  place.set_probe(kPass);
  {
    const Limited files(RLIMIT_NOFILE, 3);
    CHECK_FALSE(place.start().notes.empty());
  }
  const Survey survey = place.start();
  REQUIRE(survey.devices.size() == 1);
  CHECK(survey.devices[0].passed);
  CHECK(survey.notes.empty());
}

TEST_CASE("What is short is named") {
  CHECK(passing_trouble({"/tmp"}).empty());
  {
    const Limited size(RLIMIT_FSIZE, kRoom - 1);
    CHECK(passing_trouble({"/tmp"}) == "there is no room left in /tmp");
  }
  const Limited files(RLIMIT_NOFILE, 20);
  CHECK(passing_trouble({}) == "the program has no file handles left");
}

TEST_CASE("Asked to test again it asks every driver and keeps the new answers") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(300);
  place.set_drivers(
      {{"slow", {.list = "exec sleep 60", .test = {}}}, {"wrong", {.list = kList, .test = kWrong}}});
  // As far as the files tell, it is the driver that hung.
  const auto same_time = [&] {
    std::filesystem::last_write_time(place.surroundings.vendors + "/slow.icd",
                                     std::filesystem::file_time_type());
  };
  same_time();
  CHECK_FALSE(place.start().devices.at(0).passed);
  place.set_drivers({{"slow", {.list = kList, .test = kPass}}, {"wrong", {.list = kList, .test = kPass}}});
  same_time();
  const Survey again = place.start(survey_again);
  REQUIRE(again.devices.size() == 2);
  CHECK(again.devices[0].passed);
  CHECK(again.devices[1].passed);
  const std::size_t asked = place.asked();
  CHECK(place.start().devices.at(1).passed);
  CHECK(place.asked() == asked);
}

TEST_CASE("Testing again leaves the compiled kernels alone and uses none of them") {
  Place place;
  place.set_probe(kCompile + kPass);
  place.start();
  place.set_probe("if [ -e \"$POCL_CACHE_DIR/A\" ]; then exit 1; fi\n" + kPass);
  CHECK(place.start(survey_again).devices.at(0).passed);
  CHECK(place.start().notes.empty());
  CHECK(std::filesystem::exists(place.kernels() / "A/k.so"));
  CHECK(std::filesystem::is_empty(place.folder() / "tmp"));
}

TEST_CASE("A program that is using the cache does not keep another from testing again") {
  Place place;
  place.set_probe(kWrong);
  std::vector<std::string> notes;
  Cache running(place.surroundings, notes);
  survey(running, place.surroundings);
  place.set_probe(kPass);
  CHECK(place.start(survey_again).devices.at(0).passed);
  CHECK(place.start().devices.at(0).passed);
}
