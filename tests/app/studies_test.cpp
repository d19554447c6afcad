// Studies: taken step by step on the worker, shown as they come, begun anew for another key.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "app/frame/studies.h"
#include "core/reference/backend.h"
#include "core/system/error.h"

using namespace attn;

namespace {

struct Counted {
  int steps = 0;
};

struct StudiesLab {
  Budget budget;
  Engine engine{[](std::vector<std::string>&) { return make_reference_backend(); }, budget};
  Studies studies{engine};
  std::atomic<int> begun = 0, taken = 0;

  // Counts to `most`; below 0 without end.
  Study<Counted> count(const std::string& key, int most, const std::string& name = "count") {
    return studies.of<Counted>(name, key, [this, most] {
      ++begun;
      return [this, most](Counted& found, Backend& backend) {
        CHECK_FALSE(backend.name().empty());
        ++taken;
        return ++found.steps == most;
      };
    });
  }
};

}  // namespace

TEST_CASE("a study is begun once for a key and ends with its last step") {
  StudiesLab lab;
  CHECK_FALSE(lab.count("a", 5).done);
  lab.engine.wait_idle();
  const Study<Counted> study = lab.count("a", 5);
  REQUIRE(study.found);
  CHECK(study.done);
  CHECK(study.found->steps == 5);
  CHECK(study.error.empty());
  CHECK(lab.begun == 1);
  CHECK(lab.taken == 5);
}

TEST_CASE("another key begins the study anew, and what was found of the first is stale until then") {
  StudiesLab lab;
  CHECK_FALSE(lab.count("a", 5).found);
  lab.engine.wait_idle();
  CHECK_FALSE(lab.count("a", 5).stale);
  for (const char* key : {"b", "c"}) {  // the second before anything is found of the first
    const Study<Counted> study = lab.count(key, 3);
    REQUIRE(study.found);
    CHECK(study.stale);
    CHECK_FALSE(study.done);
    CHECK(study.found->steps == 5);
  }
  lab.engine.wait_idle();
  const Study<Counted> study = lab.count("c", 3);
  CHECK_FALSE(study.stale);
  CHECK(study.found->steps == 3);
  lab.studies.forget("count");
  lab.engine.wait_idle();
  CHECK_FALSE(lab.count("b", 3).found);
}

TEST_CASE("a study that is given up for another never ends") {
  StudiesLab lab;
  lab.count("endless", -1);
  while (lab.taken == 0) std::this_thread::yield();
  lab.count("b", 3);
  lab.engine.wait_idle();
  CHECK(lab.count("b", 3).found->steps == 3);
}

TEST_CASE("a short study does not wait for the end of a long one") {
  StudiesLab lab;
  lab.count("endless", -1, "long");
  const auto taken_up = [&] { return lab.count("endless", -1, "long").found; };
  while (!taken_up()) std::this_thread::yield();
  while (!lab.count("a", 3, "short").done) std::this_thread::yield();
  const int before = taken_up()->steps;
  while (taken_up()->steps == before) std::this_thread::yield();
  CHECK_FALSE(lab.count("endless", -1, "long").done);
  lab.studies.forget("long");
}

TEST_CASE("a study that throws says why, and keeps what it had found until then") {
  StudiesLab lab;
  const auto begin = [] {
    return [](Counted& found, Backend&) -> bool {
      if (++found.steps == 3) throw Error("no more than two");
      return false;
    };
  };
  lab.studies.of<Counted>("count", 1, begin);
  lab.engine.wait_idle();
  const Study<Counted> study = lab.studies.of<Counted>("count", 1, begin);
  CHECK(study.done);
  CHECK(study.error == "no more than two");
}
