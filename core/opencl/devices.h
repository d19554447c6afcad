// OpenCL devices: which there are, which can be trusted, and how one is chosen. No OpenCL type shows here.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/engine/driver_calls.h"
#include "core/opencl/loops.h"
#include "core/system/budget.h"

namespace attn::opencl {

class Cache;
struct Surroundings;

// One device as OpenCL lists it, and what the self-test said of it.
struct Device {
  std::size_t index = 0;  // N of --device N, counted over all platforms
  std::string name, platform, driver;
  std::size_t twin = 0;  // how many with the same name, platform and driver come before it
  bool gpu = false;
  bool passed = false;
  std::string verdict;          // "passed", or why not
  double largest_error = 0;     // against the reference, over the self-test's operations
  double milliseconds = 0;      // of a small layer, warm
  Steps most_steps = kEndless;  // of an item's loops; what takes more is left to the reference
  FlashTiles flash_tiles = {};  // the fastest there for flash attention; none where none was found
};

// Everything found, with notes on what went wrong on the way ("no OpenCL platform: …", "damaged kernel cache
// removed"). A missing or broken device is a verdict, never an exception.
struct Survey {
  std::vector<Device> devices;
  std::vector<std::string> notes;
  // For OCL_ICD_VENDORS of a process that shall meet none of the drivers that crash or hang when their
  // devices are listed; empty when there are no such drivers.
  std::string vendors = {};
};

// Before there are threads: makes room in the environment for what OpenCL reads there, which is known only
// later and on a worker. Where it may, it tells PoCL to keep each of its threads on a processor of its own:
// woken together for a short kernel, two on one would run one after the other.
void reserve_variables();

// Whether this thread may run on every processor, 0 … all in use: PoCL numbers them so, asks nobody, and
// aborts where there is none of that number.
bool may_use_every_processor();

enum class Verdicts {
  kept,     // as cached by device, driver and kernel hash
  renewed,  // every driver is asked again
};

// Wall time of a small layer (two heads, 32 tokens of width 64, every stage), warm: Device::milliseconds, and
// the same for any other backend.
double small_layer_milliseconds(Backend& backend);

// What the child process does; the text is read back by the survey. Commands: "list", or a device's number.
int probe(const std::string& command);

// The devices of a process, which has one of these, made by main: OpenCL is a thing of the whole process.
// PoCL reads POCL_CACHE_DIR once and the loader its drivers, so the cache folder and its lock must stay until
// the end. They are looked for when somebody first asks. For any thread.
class Devices {
 public:
  Devices();
  ~Devices();

  // Lists and self-tests the devices, each driver by itself, in child processes (`probe` of this program)
  // that may say nothing for 10 s.
  Survey survey(Verdicts verdicts = Verdicts::kept);
  // "auto" (best device that passed: GPU before processor; else the reference, which also steps in when that
  // device fails at work), "reference", a number, or part of a name. Throws Error(Fault::option) for an
  // unknown word, with the nearest; Error(Fault::device) when a device asked for by name or number is missing
  // or failed its self-test. Adds to `notes` which was chosen and why. `calls`, where somebody watches, is
  // told of what is asked of the driver, from the first time that this process meets it.
  std::unique_ptr<Backend> choose(const std::string& choice, Budget& budget, std::vector<std::string>& notes,
                                  DriverCalls* calls = nullptr);

 private:
  void find(Verdicts verdicts);
  void renew();

  std::mutex mutex_;
  std::unique_ptr<const Surroundings> surroundings_;
  std::unique_ptr<Cache> cache_;  // none before the first look, and when no folder at all can be written
  Survey survey_;
};

}  // namespace attn::opencl
