// Engine: takes the newest document and what is to be computed of it, publishes finished Results. It knows
// graphs and backends, and nothing of what they are about.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/checks/checks.h"
#include "core/checks/comparison.h"
#include "core/evaluate/band_run.h"
#include "core/system/budget.h"
#include "core/system/error.h"
#include "core/system/worker.h"

namespace attn {

// Makes a backend, on the worker thread. `notes` receives what to tell the user about the choice.
using BackendFactory = std::function<std::unique_ptr<Backend>(std::vector<std::string>& notes)>;

// A device that could compute, by the number of `--device N`.
struct DeviceChoice {
  std::size_t index = 0;
  std::string title;  // its name, and why it cannot be trusted if it cannot
  bool operator==(const DeviceChoice&) const = default;
};
using DeviceSurvey = std::function<std::vector<DeviceChoice>()>;

// What the worker computes.
struct Request {
  Document document;
  const Plan* plan = nullptr;
  std::vector<std::string> wanted = {};          // stage ids; empty: all
  std::shared_ptr<const Built> built = nullptr;  // of both, where it is at hand
};

// What a plan has besides its graph, as far as it is computed; a snapshot.
struct DeferredResults {
  std::shared_ptr<const Results> results;  // of the same document
  std::vector<Tensor> outputs = {};        // of the pieces; empty: not yet
  std::size_t done = 0;                    // pieces, from the first on
  std::string doing = {};                  // the piece that is next
  std::string error = {};                  // why no more of them come
  std::optional<Fault> fault = {};         // what kind of error it was
  bool stopped = false;                    // … because stop() was called
  std::chrono::steady_clock::time_point began = {};

  bool running() const { return done < outputs.size() && error.empty() && !stopped; }
};

// What the engine shows the rest of the program; a snapshot.
struct EngineState {
  std::shared_ptr<const Results> results;  // newest finished; null until the first
  // Of `results`, never of others; null while not known yet. They follow the results without a newer
  // document.
  std::shared_ptr<const Checks> checks;
  std::shared_ptr<const Comparison> comparison;
  std::shared_ptr<const DeferredResults> deferred;  // null: there is none, or not yet
  std::string error;                  // why the newest document could not be computed; empty when it was
  std::optional<Fault> fault;         // what kind of error it was
  bool testing = false;               // devices are tested: until one has passed, the reference computes
  std::string device_error;           // why the device asked for last is not in use; empty when it is
  std::vector<DeviceChoice> devices;  // as of the last survey
  bool surveyed = false;              // the survey that was asked for last has finished
  std::vector<std::string> notes;     // about the device: which, and why
  std::string device;                 // the backend's name; empty while it is being made
  DeviceFacts facts;                  // of it
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

  // Newest wins: a waiting document is replaced, a running one is finished.
  void post(Request request);

  // Makes these rows of what the results do not keep (Results::bands), and shows them in their place, in
  // part; those that were looked at before go, but for the ones named again. Nothing to do for other results.
  void look(const std::vector<std::size_t>& rows);

  // Gives up the running computation, when its current stage is done, and what waits behind it. The last
  // results stay, the state's error says so; posting the document again goes on from there. When all results
  // are there it gives up the rest of them, when its current piece is done.
  void stop();

  // Replaces the backend; the last results stay until the new one has computed the current document. When it
  // cannot be made the one in use stays (at the start: the reference), and the state's error says why.
  void use(BackendFactory factory);

  // Lists the devices on the worker, once it has nothing better to do.
  void survey(DeviceSurvey survey);

  // Work of another kind: benchmarks, training, export. `run` gets the backend in use and may run stages on
  // it without memo (run_stages). It comes after all of the above whatever its priority is, and yields to
  // them when it says that it does.
  using Task = std::function<bool(JobControl& control, Backend& backend)>;
  void run(Job job, Task task);
  void stop_job(const std::string& name) { worker_.stop(name); }
  std::vector<JobStatus> jobs() const { return worker_.status(); }

  EngineState state() const;
  // Until nothing is waiting or running, checks, comparison and survey included: for commands and tests.
  void wait_idle() const { worker_.wait_idle(); }
  // Until the results are the newest document's, at most this long; whether they are.
  bool wait_idle_for(std::chrono::microseconds limit) const;

 private:
  void enqueue(const Request& request);
  void make_backend(const BackendFactory& factory);
  bool attempt(const std::function<bool()>& work);
  void compute(JobControl& control, const Request& request);
  void replaced();
  void publish_results(const std::shared_ptr<const Results>& results);
  bool begin_stage(JobControl& control, const Stage& stage, double done);
  void give_up(const std::string& why, Fault fault);
  void look_at(const std::vector<std::size_t>& rows);
  void post_bands(const std::shared_ptr<const Results>& results, BandPart part);
  template <class Pass, class Show>
  bool go_through(JobControl& control, Pass& pass, Show show);
  bool run_bands(JobControl& control, BandRun& bands);
  void post_band_checks(const std::shared_ptr<const Results>& results);
  void show_bands(Results seen);
  void show_checks(Checks seen);
  void post_check(const std::shared_ptr<const Results>& results);
  void post_comparison(const std::shared_ptr<const Results>& results);
  void post_deferred(const std::shared_ptr<const Results>& results);
  bool run_deferred(JobControl& control, const std::vector<DeferredGraph>& pieces, DeferredResults& deferred);
  void run_survey(const DeviceSurvey& survey);
  void publish(const std::function<void(EngineState&)>& change);

  Budget& budget_;
  std::function<void()> published_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  EngineState state_;
  bool stop_ = false;  // what is computed, until the next post() or use()

  // The worker's own.
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<Request> last_;   // computed again when the backend changes
  std::vector<LookedAt> looked_;  // rows of the results on show

  Worker worker_;  // last: its thread uses everything above
};

}  // namespace attn
