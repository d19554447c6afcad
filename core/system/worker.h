// Worker: one thread and the list of what it has to do, the most urgent first.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace attn {

class Worker;

// What a running job may ask and tell; used on the worker's thread.
class JobControl {
 public:
  // Somebody wants it to end: it was stopped, the program quits, or it yields and a more urgent job waits.
  bool give_up() const;
  // What it is doing, and which part of it is done (0 … 1).
  void progress(const std::string& doing, double done);

 private:
  friend class Worker;
  explicit JobControl(Worker& worker) : worker_(worker) {}
  Worker& worker_;
};

struct Job {
  std::string name;                    // a waiting job of the same name is replaced
  int priority = 0;                    // the lowest runs first, among equals the oldest
  bool yields = false;                 // to more urgent jobs, while it runs
  std::chrono::milliseconds delay{0};  // it starts when nothing more urgent has come or run for so long
  // Whether it is done; one that is not, because it yielded, goes on when the more urgent ones are done.
  // Throws nothing.
  std::function<bool(JobControl&)> run;
};

// One job of the list, for whoever shows it.
struct JobStatus {
  std::string name, doing;
  bool running = false;
  double done = 0;
  bool operator==(const JobStatus&) const = default;
};

class Worker {
 public:
  // `changed` is called on the thread when a job has told of its progress, at most ten times a second;
  // `at_end` when the thread ends. Either may be empty.
  explicit Worker(std::function<void()> changed = {}, std::function<void()> at_end = {});
  ~Worker();  // asks the running job to give up and drops the others
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void post(Job job);
  // Takes a waiting job from the list.
  void drop(std::string_view name);
  // Drops a waiting one and asks a running one to give up; it does not go on.
  void stop(std::string_view name);

  bool waits(std::string_view name) const;
  bool quitting() const { return quitting_; }
  std::vector<JobStatus> status() const;  // the running one first
  void wait_idle() const;                 // also for those that would rest

 private:
  friend class JobControl;
  void work();
  void take_most_urgent(std::unique_lock<std::mutex>& lock);
  bool more_urgent(int priority) const;
  void take_out(std::string_view name);
  void end_dropped(std::unique_lock<std::mutex>& lock);
  std::chrono::steady_clock::time_point rests_since(int priority) const;

  std::function<void()> changed_, at_end_;
  mutable std::mutex mutex_;
  mutable std::condition_variable wake_;
  mutable std::size_t awaited_ = 0;  // who waits for all to be done: no job rests meanwhile
  std::vector<Job> waiting_;         // as they came
  std::vector<Job> dropped_;         // what they hold ends on the thread, as what ran does
  std::unique_ptr<Job> running_;     // null: none
  bool stopped_ = false;             // the running one
  std::string doing_;                // of the running one
  double done_ = 0;
  std::chrono::steady_clock::time_point shown_;
  // When something last came, or ended, for which jobs of this priority and behind it rest.
  std::map<int, std::chrono::steady_clock::time_point> came_;
  std::atomic<bool> quitting_ = false;
  std::thread thread_;  // last: it uses everything above
};

}  // namespace attn
