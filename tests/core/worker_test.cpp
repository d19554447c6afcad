// The list of jobs: which runs next, which replaces, yields, is stopped; told by the order in which they ran.
#include "core/system/worker.h"

#include <doctest/doctest.h>

#include <memory>
#include <semaphore>

using namespace attn;

namespace {

// Jobs write their names down; the first one holds the worker until everything else has been posted.
class Log {
 public:
  Job job(const std::string& name, int priority) {
    return {.name = name, .priority = priority, .run = [this, name](JobControl&) {
              note(name);
              return true;
            }};
  }
  Job gate() {
    return {.name = "gate", .priority = -100, .run = [this](JobControl&) {
              running.release();
              open.acquire();
              return true;
            }};
  }
  void note(const std::string& name) { names.push_back(name); }  // on the worker; read when it is idle

  std::vector<std::string> names;
  std::binary_semaphore running{0}, open{0};
};

}  // namespace

TEST_CASE("the most urgent job runs first and among equals the one that came first") {
  Log log;
  Worker worker;
  worker.post(log.gate());
  log.running.acquire();
  for (const auto& [name, priority] : {std::pair{"c", 3}, {"a1", 1}, {"b", 2}, {"a2", 1}})
    worker.post(log.job(name, priority));
  CHECK(worker.status().size() == 5);
  CHECK(worker.status()[0].running);
  log.open.release();
  worker.wait_idle();
  CHECK(log.names == std::vector<std::string>{"a1", "a2", "b", "c"});
}

TEST_CASE("a waiting job is replaced by one of its name and dropped by its name") {
  Log log;
  Worker worker;
  worker.post(log.gate());
  log.running.acquire();
  worker.post({.name = "same", .priority = 1, .run = [&](JobControl&) { return log.note("old"), true; }});
  worker.post({.name = "same", .priority = 1, .run = [&](JobControl&) { return log.note("new"), true; }});
  worker.post(log.job("unwanted", 1));
  CHECK(worker.waits("unwanted"));
  worker.drop("unwanted");
  CHECK_FALSE(worker.waits("unwanted"));
  log.open.release();
  worker.wait_idle();
  CHECK(log.names == std::vector<std::string>{"new"});
}

TEST_CASE("a job that yields lets a more urgent one through and goes on afterwards") {
  Log log;
  std::binary_semaphore working(0);
  int begun = 0;
  Worker worker;
  worker.post({.name = "long", .priority = 5, .yields = true, .run = [&](JobControl& control) {
                 if (++begun == 2) return log.note("long ends"), true;
                 log.note("long begins");
                 working.release();
                 while (!control.give_up()) std::this_thread::yield();
                 return false;
               }});
  working.acquire();
  worker.post(log.job("no more urgent", 5));
  worker.post(log.job("urgent", 1));
  worker.wait_idle();
  CHECK(log.names == std::vector<std::string>{"long begins", "urgent", "no more urgent", "long ends"});
}

TEST_CASE("a job that does not yield is not asked to give up for a more urgent one") {
  Log log;
  std::binary_semaphore working(0), posted(0);
  bool asked = true;
  Worker worker;
  worker.post({.name = "firm", .priority = 5, .run = [&](JobControl& control) {
                 working.release();
                 posted.acquire();
                 asked = control.give_up();
                 return true;
               }});
  working.acquire();
  worker.post(log.job("urgent", 1));
  posted.release();
  worker.wait_idle();
  CHECK_FALSE(asked);
}

TEST_CASE("a job that is stopped gives up and does not go on") {
  std::binary_semaphore working(0);
  int begun = 0;
  Worker worker;
  worker.post({.name = "long", .priority = 5, .yields = true, .run = [&](JobControl& control) {
                 ++begun;
                 working.release();
                 while (!control.give_up()) std::this_thread::yield();
                 return false;
               }});
  working.acquire();
  worker.stop("long");
  worker.wait_idle();
  CHECK(begun == 1);
  CHECK(worker.status().empty());
}

TEST_CASE("a job that rests first lets everything that comes meanwhile go before it") {
  Log log;
  Worker worker;
  Job rested = log.job("rested", 1);
  rested.delay = std::chrono::milliseconds(200);
  worker.post(log.gate());
  log.running.acquire();
  worker.post(std::move(rested));
  worker.post(log.job("urgent", 0));
  log.open.release();
  worker.wait_idle();
  CHECK(log.names == std::vector<std::string>{"urgent", "rested"});
}

TEST_CASE("nobody rests while somebody waits for all to be done") {
  Log log;
  Worker worker;
  Job rested = log.job("rested", 1);
  rested.delay = std::chrono::hours(1);
  worker.post(std::move(rested));
  worker.wait_idle();
  CHECK(log.names == std::vector<std::string>{"rested"});
}

TEST_CASE("what a job tells of its progress is shown") {
  std::binary_semaphore told(0), seen(0);
  Worker worker;
  worker.post({.name = "count", .priority = 1, .run = [&](JobControl& control) {
                 control.progress("half of it", 0.5);
                 told.release();
                 seen.acquire();
                 return true;
               }});
  told.acquire();
  CHECK(worker.status() == std::vector<JobStatus>{{"count", "half of it", true, 0.5}});
  seen.release();
  worker.wait_idle();
}

TEST_CASE("a worker that goes asks its job to give up and runs nothing more") {
  Log log;
  bool ended = false;
  {
    std::binary_semaphore working(0);
    Worker worker({}, [&] { ended = true; });
    worker.post({.name = "long", .priority = 5, .run = [&](JobControl& control) {
                   working.release();
                   while (!control.give_up()) std::this_thread::yield();
                   return false;
                 }});
    working.acquire();
    worker.post(log.job("never", 1));
  }
  CHECK(ended);
  CHECK(log.names.empty());
}

TEST_CASE("what a job holds that is taken out of the list ends on the thread of the worker") {
  std::thread::id ended, ran;
  Worker worker;
  std::binary_semaphore running(0), open(0);
  worker.post({.name = "gate", .priority = 0, .run = [&](JobControl&) {
                 ran = std::this_thread::get_id();
                 running.release();
                 open.acquire();
                 return true;
               }});
  running.acquire();
  auto held = std::shared_ptr<int>(new int(0), [&](int* number) {
    ended = std::this_thread::get_id();
    delete number;
  });
  worker.post({.name = "held", .priority = 1, .run = [number = std::move(held)](JobControl&) {
                 return *number == 0;
               }});
  worker.stop("held");
  CHECK(ended == std::thread::id());
  open.release();
  worker.post({.name = "last", .priority = 2, .run = [](JobControl&) { return true; }});
  worker.wait_idle();
  CHECK(ended == ran);
}
