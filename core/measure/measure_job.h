// Measuring while a window is open: a job of the engine's worker whose points can be read at any moment.
#pragma once

#include <memory>
#include <string>

#include "core/measure/measure.h"
#include "core/measure/measure_store.h"

namespace attn {

class Engine;

// What there is to show; a snapshot.
struct Measuring {
  std::shared_ptr<const Measured> measured;  // null: nothing for this device and shape
  bool running = false;                      // waiting for its turn included
  MeasureProgress progress = {};
  std::string note = {};  // about what is kept: a damaged file, a full disk
};

// It yields to edits, whose results come first, and goes on behind them. A run that an edit cut off is taken
// again. Functions return at once; all work, files included, is the worker's.
class MeasureJob {
 public:
  // `program`: its version.
  MeasureJob(MeasureStore store, std::string program, MeasureSurroundings surroundings = this_machine());
  ~MeasureJob();  // stops: an engine that ends after it still keeps what was measured
  MeasureJob(const MeasureJob&) = delete;
  MeasureJob& operator=(const MeasureJob&) = delete;

  // What is kept of the device in use and this shape becomes what is shown; nothing when nothing is. Not
  // while a measurement runs.
  void recall(Engine& engine, const MeasureShape& shape);
  // Throws as check_measurable does. Takes the place of one that runs, whose points are kept.
  void start(Engine& engine, MeasureSpec spec);
  // What was measured so far is shown and kept.
  void stop();

  Measuring now() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // with the job, which may outlive this
};

}  // namespace attn
