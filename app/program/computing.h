// Computing: the engine with its device, what of the work waits to be asked for, and what is measured.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/program/background_task.h"
#include "app/program/store.h"
#include "core/engine/engine.h"
#include "core/measure/measure_job.h"

namespace attn {

// Where devices come from. `choice`: auto, reference or a number, as --device takes them.
struct DeviceSource {
  // Tests the devices that have no verdict yet, on a thread of its own: it may take seconds. Until then the
  // reference computes. Empty: no device needs it.
  std::function<void()> test = {};
  BackendFactory backend;                                                // at the start
  std::function<BackendFactory(const std::string& choice)> backend_for;  // another device's; may be empty
  // Lists the devices, on the worker, tested again where asked; may be empty.
  std::function<std::vector<DeviceChoice>(bool again)> survey;
};

// How devices are measured: where it is kept, for which version of the program, and by which clock.
struct MeasureSetup {
  MeasureStore store = {};
  std::string program = {};
  MeasureSurroundings surroundings = this_machine();
};

class Computing {
 public:
  // `store` is told that something is computed and when it is done: a program that ends meanwhile asks before
  // it computes that again. `wake` is called from other threads; may be empty.
  Computing(DeviceSource devices, MeasureSetup measures, Store store, Budget& budget,
            std::function<void()> wake);

  // While devices are tested, what would keep the reference for longer than a person waits is left to them.
  void compute(Request request);
  // The document is not computed before it is asked for.
  void hold(const Document& document) { held_ = document; }
  void release() { held_.reset(); }
  bool holds(const Document& document) const { return held_ == document; }
  // What is computed from now on is of another work, whose place in the store is marked as it was left.
  void begin_other_work() { marked_ = false; }
  // The program ends: a computation that this cuts short ended nothing, and what is held is held again.
  void end(const Document& document) { store_.set_computing(holds(document)); }

  // As it is shown: of another plan's results nothing, nor of another document's where this one's do not
  // come.
  EngineState state_for(const Document& document, const Plan* plan);
  // What a person points at and pins is made where the results do not keep it.
  void look(const std::shared_ptr<const Results>& results, const View& view);
  Engine& engine() { return engine_; }
  const Engine& engine() const { return engine_; }

  // Whether devices are tested.
  bool testing() const { return testing_; }
  // False: no other device can be chosen. While devices are tested, it is used as soon as that is done.
  bool use(const std::string& choice);
  void survey_devices();
  // All of them tested again; false: there are none to choose from. When that is done, `follow_retest` makes
  // the choice anew.
  bool retest_devices();
  void follow_retest(const std::string& choice);

  Measuring measuring() const { return measure_.now(); }
  // Of the device in use, behind everything else that it computes. Throws Error where that cannot be done.
  void measure(const MeasureSpec& spec);
  void stop_measuring() { measure_.stop(); }
  // What is kept of this shape on the device in use is there again, where it is not in sight.
  void recall_measured(const MeasureShape& shape, const std::string& device, const Measuring& in_sight);

 private:
  void end_test();

  DeviceSource devices_;
  Store store_;
  bool marked_ = false;           // in the store, as being computed
  std::optional<Document> held_;  // what is not computed before it is asked for
  std::atomic<bool> retested_ = false;
  std::optional<std::pair<MeasureShape, std::string>> recalled_;                 // the shape and the device
  std::pair<std::shared_ptr<const Bands>, std::vector<std::size_t>> looked_at_;  // whose rows, which
  std::optional<Request> for_device_;  // waits until one has passed its test
  bool survey_asked_ = false;          // while devices are tested
  bool testing_;                       // they are, or nobody has taken up yet that they were
  Engine engine_;                      // its thread calls wake
  MeasureJob measure_;                 // goes before the engine, which keeps what is measured until then
  BackgroundTask<bool> test_;          // of devices
};

}  // namespace attn
