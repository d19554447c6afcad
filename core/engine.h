// Engine: the worker thread. Takes the newest document, publishes finished Results.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/backend.h"
#include "core/budget.h"
#include "core/checks.h"
#include "core/comparison.h"
#include "core/error.h"
#include "core/results.h"

namespace attn {

// Makes a backend, on the worker thread. `notes` receives what to tell the user about the choice.
using BackendFactory = std::function<std::unique_ptr<Backend>(std::vector<std::string>& notes)>;

// A device that could compute, by the number of `--device N`.
struct DeviceChoice {
  std::size_t index = 0;
  std::string title;  // its name, and why it cannot be trusted if it cannot
};
using DeviceSurvey = std::function<std::vector<DeviceChoice>()>;

// What the engine shows the rest of the program; a snapshot.
struct EngineState {
  std::shared_ptr<const Results> results;  // newest finished; null until the first
  // Of `results`, never of others; null while not known yet. They follow the results without a newer
  // document.
  std::shared_ptr<const Checks> checks;
  std::shared_ptr<const Comparison> comparison;
  std::string error;                  // why the newest document could not be computed; empty when it was
  std::optional<Fault> fault;         // what kind of error it was
  std::string device_error;           // why the device asked for last is not in use; empty when it is
  std::vector<DeviceChoice> devices;  // as of the last survey
  bool surveyed = false;              // a survey has finished
  std::vector<std::string> notes;     // about the device: which, and why
  std::string device;                 // the backend's name; empty while it is being made
  bool stopped = false;               // … because stop() was called
  std::string computing;              // the title of the stage that is being computed; empty: none is
  double progress = 0;                // the part of the stages that came before it, 0 … 1
  bool busy = false;                  // a document newer than `results` is waiting or running
};

class Evaluator;

class Engine {
 public:
  // `published` is called on the worker after each change of state (a window wakes up in it); may be empty.
  Engine(BackendFactory factory, Budget& budget, std::function<void()> published = {});
  ~Engine();  // finishes the running operation, then stops
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Newest wins: a waiting document is replaced, a running one is finished. `wanted`: stage ids; empty for
  // all.
  void post(Document document, std::vector<std::string> wanted = {});

  // Gives up the running computation, when its current stage is done, and what waits behind it. The last
  // results stay, the state's error says so; posting the document again goes on from there.
  void stop();

  // Replaces the backend; the last results stay until the new one has computed the current document. When it
  // cannot be made the one in use stays (at the start: the reference), and the state's error says why.
  void use(BackendFactory factory);

  // Lists the devices on the worker, once it has nothing better to do.
  void survey(DeviceSurvey survey);

  EngineState state() const;
  // Until nothing is waiting or running, checks, comparison and survey included: for commands and tests.
  void wait_idle() const;
  // Until the results are the newest document's, at most this long; whether they are.
  bool wait_idle_for(std::chrono::microseconds limit) const;

 private:
  struct Request {
    Document document;
    std::vector<std::string> wanted;
  };
  bool newer() const { return stopping_ || next_factory_ || inbox_; }
  bool up_to_date() const { return !inbox_ && !next_factory_ && !state_.busy; }
  bool idle() const { return up_to_date() && !survey_ && !unverified_ && !aside_; }
  void work();
  void compute(const Request& request);
  bool begin_stage(const Stage& stage, double done);
  void give_up(const std::string& why, Fault fault);
  void verify(const std::shared_ptr<const Results>& results);
  void run_survey(const DeviceSurvey& survey);
  void make_backend(const BackendFactory& factory);
  void publish(const std::function<void(EngineState&)>& change);

  Budget& budget_;
  std::function<void()> published_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::optional<Request> inbox_;
  BackendFactory next_factory_;
  DeviceSurvey survey_;
  std::shared_ptr<const Results> unverified_;  // published, their checks or comparison still to come
  bool aside_ = false;                         // verifying, or listing devices
  EngineState state_;
  bool stopping_ = false;  // the worker
  bool stop_ = false;      // what it computes, until the next post() or use()

  // The worker's own.
  std::chrono::steady_clock::time_point progress_shown_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Request> last_;  // computed again when the backend changes

  std::thread worker_;  // last: it uses everything above
};

}  // namespace attn
