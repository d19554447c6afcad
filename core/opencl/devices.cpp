// The one survey of this process: made when somebody first asks, kept with its cache folder until the end.
#include "core/opencl/devices.h"

#include <cstdlib>
#include <mutex>

#include "core/error.h"
#include "core/opencl/choice.h"
#include "core/opencl/survey.h"
#include "core/reference/backend.h"

namespace attn::opencl {
namespace {

// What this process found. OpenCL is a thing of the whole process: PoCL reads POCL_CACHE_DIR once, so the
// folder and its lock must stay until the end.
struct Found {
  std::unique_ptr<Cache> cache;  // none when no folder at all can be written
  Survey survey;
};

Found find_devices() {
  Found found;
  const Surroundings surroundings = read_surroundings();
  std::vector<std::string> notes;
  try {
    found.cache = std::make_unique<Cache>(surroundings, notes);
    found.survey = survey(*found.cache, surroundings);
    // Before this process's first call of OpenCL; the children of the survey were given it each.
    setenv("POCL_CACHE_DIR", found.cache->kernels().c_str(), 1);
  } catch (const Error& error) {
    notes.push_back(error.what());
  }
  found.survey.notes.insert(found.survey.notes.begin(), notes.begin(), notes.end());
  return found;
}

const Survey& found_devices() {
  static std::mutex mutex;
  static std::unique_ptr<Found> found;
  const std::lock_guard lock(mutex);
  if (!found) found = std::make_unique<Found>(find_devices());
  return found->survey;
}

}  // namespace

Survey survey_devices() {
  return found_devices();
}

std::unique_ptr<Backend> choose_backend(const std::string& choice, Budget& budget,
                                        std::vector<std::string>& notes) {
  if (choice == "reference") {
    notes.push_back("device: the reference, as asked");
    return make_reference_backend();
  }
  return choose(found_devices(), choice, budget, notes);
}

}  // namespace attn::opencl
