// Several drivers: one that crashes or hangs hides only itself.
#include <algorithm>

#include "core/opencl/drivers.h"

#include <doctest/doctest.h>

#include "tests/opencl/surroundings.h"

using namespace attn;
using namespace attn::opencl;
namespace fs = std::filesystem;

namespace {

const Place::Acts kGood{.list = kList, .test = kPass};

// A good driver between two others that do this when they are asked for their devices.
void set_bad_neighbours(Place& place, const std::string& bad) {
  place.set_drivers({{"a", {.list = bad, .test = {}}}, {"good", kGood}, {"z", {.list = bad, .test = {}}}});
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("A driver that crashes when its devices are listed hides only itself") {
  Place place;
  set_bad_neighbours(place, "kill -SEGV $$");
  const Survey survey = place.start();
  REQUIRE(survey.devices.size() == 1);
  CHECK(survey.devices[0].passed);
  CHECK(has_note(survey, "a.icd is left out: listing its devices was stopped by signal 11"));
  CHECK(has_note(survey, "z.icd is left out"));
}

TEST_CASE("A driver that hangs when its devices are listed hides only itself and costs its limit once") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(300);
  set_bad_neighbours(place, "exec sleep 60");
  for (int start = 0; start < 3; ++start) {
    const Survey survey = place.start();
    REQUIRE(survey.devices.size() == 1);
    CHECK(survey.devices[0].passed);
    CHECK(has_note(survey, "a.icd is left out: listing its devices took longer than its limit"));
  }
  CHECK(place.listed("a") == 1);
  CHECK(place.listed("z") == 1);
  CHECK(place.listed("good") == 3);
  CHECK(place.asked() == 1);
}

TEST_CASE("A driver that crashed is asked once more at the next start and then left alone") {
  Place place;
  set_bad_neighbours(place, "kill -SEGV $$");
  for (int start = 0; start < 4; ++start) place.start();
  CHECK(place.listed("a") == 2);
}

TEST_CASE("A driver that hung is asked again when it has been replaced") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(300);
  set_bad_neighbours(place, "exec sleep 60");
  place.start();
  fs::last_write_time(place.surroundings.vendors + "/a.icd",
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  place.start();
  CHECK(place.listed("a") == 2);
  CHECK(place.listed("z") == 1);
}

TEST_CASE("A driver that hangs alone is remembered where there is no device") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(300);
  place.set_drivers({{"a", {.list = "exec sleep 60", .test = {}}}});
  CHECK(place.start().devices.empty());
  CHECK(has_note(place.start(), "a.icd is left out"));
  CHECK(place.listed("a") == 1);
}

TEST_CASE("This process is kept from the drivers that crash and from no others") {
  Place place;
  set_bad_neighbours(place, "kill -SEGV $$");
  CHECK(names_in(place.start().vendors) == std::vector<std::string>{"good.icd"});
  place.set_drivers({{"good", kGood}});
  CHECK(place.start().vendors.empty());
}

TEST_CASE("A driver whose only device hangs in its test hides no other device") {
  Place place;
  place.surroundings.limit = std::chrono::milliseconds(300);
  place.set_drivers({{"bad", {.list = kList, .test = "exec sleep 60"}}, {"good", kGood}});
  for (int start = 0; start < 2; ++start) {
    const Survey survey = place.start();
    REQUIRE(survey.devices.size() == 2);
    CHECK_FALSE(survey.devices[0].passed);
    CHECK(survey.devices[1].passed);
    CHECK(survey.devices[1].twin == 1);  // both say the same of themselves
  }
  CHECK(place.asked() == 3);  // the bad one twice
}

TEST_CASE("A verdict stays with its device when another driver comes before it") {
  Place place;
  place.set_drivers({{"good", kGood}});
  place.start();
  std::string other = kList;
  other.replace(other.find("Device"), 6, "Another");
  place.set_drivers({{"before", {.list = other, .test = kPass}}, {"good", kGood}});
  const Survey survey = place.start();
  REQUIRE(survey.devices.size() == 2);
  CHECK(survey.devices[1].passed);
  CHECK(place.asked() == 2);
}

TEST_CASE("Why a driver has no device is of no interest where another has one") {
  Place place;
  const std::string none = "echo '{\"devices\": [], \"problem\": \"there is nothing\"}'";
  place.set_drivers({{"empty", {.list = none, .test = {}}}, {"good", kGood}});
  CHECK(place.start().notes.empty());
  place.set_drivers({{"empty", {.list = none, .test = {}}}});
  CHECK(has_note(place.start(), "there is nothing"));
}

TEST_CASE("Files that name one library are one driver") {
  Place place;
  place.set_drivers({{"a", kGood}, {"b", kGood}});
  Place::write(place.surroundings.vendors + "/b.icd", "a\n");
  Place::write(place.surroundings.vendors + "/notes.txt", "c");
  const std::vector<Driver> drivers = installed_drivers(place.surroundings.vendors);
  REQUIRE(drivers.size() == 1);
  CHECK(drivers[0].name == "a.icd");
}
