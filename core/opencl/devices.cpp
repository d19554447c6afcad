// The one survey of this process: made when somebody first asks, kept with its cache folder until the end.
#include "core/opencl/devices.h"

#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "core/error.h"
#include "core/opencl/choice.h"
#include "core/opencl/survey.h"
#include "core/reference/backend.h"

namespace attn::opencl {
namespace {

constexpr const char *kCacheVariable = "POCL_CACHE_DIR", *kVendorsVariable = "OCL_ICD_VENDORS";

// What this process found. OpenCL is a thing of the whole process: PoCL reads POCL_CACHE_DIR once and the
// loader its drivers, so the folder and its lock must stay until the end.
struct Found {
  Surroundings surroundings;
  std::unique_ptr<Cache> cache;  // none when no folder at all can be written
  Survey survey;
};

// Before this process's first call of OpenCL; the children of the survey were given theirs each. The
// variables exist since reserve_variables(), and setenv replaces the value of one that does by storing a
// pointer, the old text staying where it is: what other threads read meanwhile is either. Only a new variable
// would move the environment under them.
void tell_opencl(const Found& found) {
  setenv(kCacheVariable, found.cache->kernels().c_str(), 1);
  if (!found.survey.vendors.empty()) setenv(kVendorsVariable, found.survey.vendors.c_str(), 1);
}

Found find_devices(Verdicts verdicts) {
  Found found{.surroundings = read_surroundings(), .cache = {}, .survey = {}};
  std::vector<std::string> notes;
  try {
    found.cache = std::make_unique<Cache>(found.surroundings, notes);
    found.survey = (verdicts == Verdicts::kept ? survey : survey_again)(*found.cache, found.surroundings);
    tell_opencl(found);
  } catch (const Error& error) {
    notes.push_back(error.what());
  }
  found.survey.notes.insert(found.survey.notes.begin(), notes.begin(), notes.end());
  return found;
}

// What was left out when the loader started stays left out until this process ends.
void renew(Found& found) {
  const std::string before = found.survey.vendors;
  found.survey = survey_again(*found.cache, found.surroundings);
  if (found.survey.vendors != before)
    found.survey.notes.push_back("other drivers answer than before: start the program again to use them");
}

Survey found_devices(Verdicts verdicts) {
  static std::mutex mutex;
  static std::unique_ptr<Found> found;
  const std::lock_guard lock(mutex);
  if (!found || !found->cache)
    found = std::make_unique<Found>(find_devices(verdicts));
  else if (verdicts == Verdicts::renewed)
    renew(*found);
  return found->survey;
}

}  // namespace

void reserve_variables() {
  // What is given stays: to a child of the survey its parent gave it.
  setenv(kCacheVariable, (read_surroundings().cache_home / "attention-lab/pocl").c_str(), 0);
  // As it is when nobody has set it; a loader that looks elsewhere is left alone.
  const char* other = std::getenv("OPENCL_VENDOR_PATH");
  const std::filesystem::path vendors = other != nullptr ? other : "/etc/OpenCL/vendors";
  std::error_code ignored;
  if (std::filesystem::is_directory(vendors, ignored)) setenv(kVendorsVariable, vendors.c_str(), 0);
}

Survey survey_devices(Verdicts verdicts) {
  return found_devices(verdicts);
}

std::unique_ptr<Backend> choose_backend(const std::string& choice, Budget& budget,
                                        std::vector<std::string>& notes, DriverCalls* calls) {
  if (choice == kReference) {
    notes.push_back("device: the reference, as asked");
    return make_reference_backend();
  }
  return choose(found_devices(Verdicts::kept), choice, budget, notes, calls);
}

}  // namespace attn::opencl
