// The survey of a process: made when somebody first asks, kept with its cache folder until the end.
#include "core/opencl/devices.h"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/opencl/device_choice.h"
#include "core/opencl/survey.h"
#include "core/reference/backend.h"
#include "core/system/error.h"

namespace attn::opencl {
namespace {

constexpr const char *kCacheVariable = "POCL_CACHE_DIR", *kVendorsVariable = "OCL_ICD_VENDORS";

// Before this process's first call of OpenCL; the children of the survey were given theirs each. The
// variables exist since reserve_variables(), and setenv replaces the value of one that does by storing a
// pointer, the old text staying where it is: what other threads read meanwhile is either. Only a new variable
// would move the environment under them.
void tell_opencl(const Cache& cache, const Survey& survey) {
  setenv(kCacheVariable, cache.kernels().c_str(), 1);
  if (!survey.vendors.empty()) setenv(kVendorsVariable, survey.vendors.c_str(), 1);
}

}  // namespace

bool may_use_every_processor() {
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) return false;
  const long all = sysconf(_SC_NPROCESSORS_CONF);
  for (long i = 0; i < all; ++i)
    if (!CPU_ISSET(static_cast<std::size_t>(i), &mine)) return false;
  return all > 0;
}

void reserve_variables() {
  // With more threads than processors some would have none.
  if (std::getenv("POCL_MAX_PTHREAD_COUNT") == nullptr && may_use_every_processor())
    setenv("POCL_AFFINITY", "1", 0);
  // What is given stays: to a child of the survey its parent gave it.
  setenv(kCacheVariable, (read_surroundings().cache_home / "attention-lab/pocl").c_str(), 0);
  // As it is when nobody has set it; a loader that looks elsewhere is left alone.
  const char* other = std::getenv("OPENCL_VENDOR_PATH");
  const std::filesystem::path vendors = other != nullptr ? other : "/etc/OpenCL/vendors";
  std::error_code ignored;
  if (std::filesystem::is_directory(vendors, ignored)) setenv(kVendorsVariable, vendors.c_str(), 0);
}

Devices::Devices() : surroundings_(std::make_unique<Surroundings>(read_surroundings())) {}
Devices::~Devices() = default;

void Devices::find(Verdicts verdicts) {
  std::vector<std::string> notes;
  survey_ = {};
  try {
    cache_ = std::make_unique<Cache>(*surroundings_, notes);
    survey_ = (verdicts == Verdicts::kept ? opencl::survey : survey_again)(*cache_, *surroundings_);
    tell_opencl(*cache_, survey_);
  } catch (const Error& error) {
    notes.push_back(error.what());
  }
  survey_.notes.insert(survey_.notes.begin(), notes.begin(), notes.end());
}

// What was left out when the loader started stays left out until this process ends.
void Devices::renew() {
  const std::string before = survey_.vendors;
  survey_ = survey_again(*cache_, *surroundings_);
  if (survey_.vendors != before)
    survey_.notes.push_back("other drivers answer than before: start the program again to use them");
}

Survey Devices::survey(Verdicts verdicts) {
  const std::lock_guard lock(mutex_);
  if (!cache_)
    find(verdicts);
  else if (verdicts == Verdicts::renewed)
    renew();
  return survey_;
}

std::unique_ptr<Backend> Devices::choose(const std::string& choice, Budget& budget,
                                         std::vector<std::string>& notes, DriverCalls* calls) {
  if (choice == kReference) {
    notes.push_back("device: the reference, as asked");
    return make_reference_backend();
  }
  return opencl::choose(survey(), choice, budget, notes, calls);
}

}  // namespace attn::opencl
