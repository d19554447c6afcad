// The cache folder: damaged, missing, not writable, used by two programs at once.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/system/error.h"
#include "tests/opencl/surroundings.h"

using namespace attn;
using namespace attn::opencl;
namespace fs = std::filesystem;

namespace {

// A place where a device has passed, and its kernel is in PoCL's cache.
struct Tested : Place {
  Tested() {
    set_probe(kCompile + kPass);
    start();
    REQUIRE(asked() == 1);
    REQUIRE(fs::exists(kernels() / "A/k.so"));
  }
};

// The next start clears the cache, tests again, says so, and the start after that has nothing to do.
void check_heals(const Place& place, const std::string& note) {
  const Survey survey = place.start();
  CHECK(survey.devices.at(0).passed);
  CHECK(has_note(survey, note));
  CHECK(place.asked() == 2);
  CHECK(Place::read(place.kernels() / "A/k.so") == "kernel\n");
  CHECK(place.start().notes.empty());
  CHECK(place.asked() == 2);
}

}  // namespace

TEST_CASE("A damaged list of verdicts is written anew") {
  for (const std::string text : {"", "{", "garbage", "{\"kernels\": 1}", "[]"}) {
    Tested place;
    Place::write(place.ledger(), text);
    const Survey survey = place.start();
    CHECK(survey.devices.at(0).passed);
    CHECK(place.asked() == 2);
    CHECK(place.start().notes.empty());
    CHECK(place.asked() == 2);
  }
}

TEST_CASE("A truncated list of verdicts is named as damaged") {
  Tested place;
  fs::resize_file(place.ledger(), fs::file_size(place.ledger()) / 2);
  check_heals(place, "the list of tested devices is damaged");
}

TEST_CASE("A truncated kernel is never read") {
  Tested place;
  fs::resize_file(place.kernels() / "A/k.so", 3);
  check_heals(place, "PoCL's cache of compiled kernels has changed");
}

TEST_CASE("A kernel of the right size and time that holds zeros is never read") {
  Tested place;
  const fs::path kernel = place.kernels() / "A/k.so";
  const auto time = fs::last_write_time(kernel);
  Place::write(kernel, std::string(fs::file_size(kernel), '\0'));
  fs::last_write_time(kernel, time);
  check_heals(place, "PoCL's cache of compiled kernels has changed");
}

TEST_CASE("A kernel with its own content counts as unchanged at whatever time it was copied") {
  Tested place;
  fs::last_write_time(place.kernels() / "A/k.so", fs::file_time_type::clock::now() + std::chrono::hours(5));
  CHECK(place.start().notes.empty());
  CHECK(place.asked() == 1);
}

TEST_CASE("A kernel that nobody listed is removed without alarm") {
  Tested place;
  Place::write(place.kernels() / "A/other.so", "half a ker");
  CHECK(place.start().notes.empty());
  CHECK(place.asked() == 1);
  CHECK_FALSE(fs::exists(place.kernels() / "A/other.so"));
  CHECK(fs::exists(place.kernels() / "A/k.so"));
}

TEST_CASE("A kernel for other sizes that is compiled while the program runs stays for the next start") {
  Tested place;
  {
    std::vector<std::string> notes;
    Cache running(place.surroundings, notes);
    survey(running, place.surroundings);
    Place::write(place.kernels() / "A/large.so", "for large matrices");
  }
  CHECK(place.start().notes.empty());
  CHECK(place.asked() == 1);
  CHECK(Place::read(place.kernels() / "A/large.so") == "for large matrices");
}

TEST_CASE("A kernel that a running program has compiled is left to it") {
  Tested place;
  std::vector<std::string> notes;
  Cache running(place.surroundings, notes);
  survey(running, place.surroundings);
  Place::write(place.kernels() / "A/large.so", "for large matrices");
  CHECK(place.start().notes.empty());
  CHECK(place.asked() == 1);
  CHECK(fs::exists(place.kernels() / "A/large.so"));
}

TEST_CASE("A kernel that has gone is noticed") {
  Tested place;
  fs::remove(place.kernels() / "A/k.so");
  check_heals(place, "PoCL's cache of compiled kernels has changed");
}

TEST_CASE("What PoCL touches at every use counts as unchanged") {
  Tested place;
  Place::write(place.kernels() / "A/last_accessed", "");
  Place::write(place.kernels() / "tempfile_abc", "");
  CHECK(place.start().notes.empty());
  CHECK(place.asked() == 1);
}

TEST_CASE("Empty files that PoCL left long ago are swept up") {
  Tested place;
  Place::write(place.kernels() / "tempfile_old", "");
  Place::write(place.kernels() / "tempfile_new", "");
  fs::last_write_time(place.kernels() / "tempfile_old",
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  place.start();
  CHECK_FALSE(fs::exists(place.kernels() / "tempfile_old"));
  CHECK(fs::exists(place.kernels() / "tempfile_new"));
}

TEST_CASE("Verdicts on other kernels are replaced without alarm") {
  Tested place;
  std::string text = Place::read(place.ledger());
  const std::size_t at = text.find("\"kernels\": \"") + 12;
  text[at] = text[at] == '0' ? '1' : '0';
  Place::write(place.ledger(), text);
  CHECK(place.start().notes.empty());
  CHECK(place.asked() == 2);
}

TEST_CASE("The cache folder is its owner's alone") {
  Place place;
  place.set_probe(kCompile + kPass);
  fs::create_directories(place.ledger().parent_path());
  fs::permissions(place.ledger().parent_path(), fs::perms::all);  // as it was made once
  CHECK(place.start().notes.empty());
  CHECK(fs::status(place.ledger().parent_path()).permissions() == fs::perms::owner_all);
}

TEST_CASE("A cache folder that cannot be made is replaced by a temporary one") {
  Place place;
  place.set_probe(kCompile + kPass);
  Place::write(place.folder() / "cache", "a file, not a folder");
  const Survey survey = place.start();
  CHECK(survey.devices.at(0).passed);
  CHECK(has_note(survey, "cannot be written"));
  CHECK(has_note(survey, "temporary folder"));
  CHECK(fs::is_empty(place.folder() / "tmp"));  // removed when the program ended
}

TEST_CASE("Where the cache folder has no room for kernels they go to a temporary one") {
  Place place;
  place.set_probe(kCompile + kPass);
  const Limited size(RLIMIT_FSIZE, 1 << 20);
  const Survey survey = place.start();
  CHECK(survey.devices.at(0).passed);
  CHECK(has_note(survey, "there is no room left in the cache folder"));
  CHECK(fs::is_empty(place.folder() / "tmp"));
}

TEST_CASE("Without a home the cache is temporary") {
  Place place;
  place.set_probe(kCompile + kPass);
  place.surroundings.cache_home.clear();
  const Survey survey = place.start();
  CHECK(survey.devices.at(0).passed);
  CHECK(has_note(survey, "neither XDG_CACHE_HOME nor HOME is set"));
  CHECK(fs::is_empty(place.folder() / "tmp"));
}

TEST_CASE("Without any folder to write the reason is an error") {
  Place place;
  place.surroundings.cache_home.clear();
  place.surroundings.temporary = place.folder() / "nowhere";
  std::vector<std::string> notes;
  CHECK_THROWS_WITH_AS(Cache(place.surroundings, notes), doctest::Contains("set TMPDIR"), Error);
}

TEST_CASE("Two programs share one sound cache") {
  Tested place;
  std::vector<std::string> notes;
  Cache running(place.surroundings, notes);
  survey(running, place.surroundings);
  CHECK(place.start().notes.empty());
  CHECK(notes.empty());
  CHECK(place.asked() == 1);
}

TEST_CASE("The temporary folder of a killed program is swept up and those in use and of others are not") {
  const Place place;
  const fs::path root = place.surroundings.temporary;
  fs::create_directories(root / "attention-lab-others");
  const Cache running(root);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const Cache killed(root);
    raise(SIGKILL);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  const auto count = [&] { return std::distance(fs::directory_iterator(root), fs::directory_iterator()); };
  CHECK(count() == 3);
  const Cache next(root);
  CHECK(count() == 3);
  CHECK(fs::exists(running.kernels()));
  CHECK(fs::exists(root / "attention-lab-others"));
}

TEST_CASE("A cache that another program is using is repaired by nobody") {
  Tested place;
  std::vector<std::string> notes;
  Cache running(place.surroundings, notes);
  Place::write(place.kernels() / "A/k.so", "damaged");
  const Survey survey = place.start();
  CHECK(survey.devices.at(0).passed);
  CHECK(has_note(survey, "another program is using it"));
  CHECK(Place::read(place.kernels() / "A/k.so") == "damaged");
  CHECK(fs::is_empty(place.folder() / "tmp"));
}
