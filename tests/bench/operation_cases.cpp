// The declared cases outside the test program: once each, for oclgrind to watch, or timed.
//   operation_cases [run [DEVICE [OPERATION]]]  every operation, or one, in every shape, by all kernels
//   operation_cases bench [DEVICE]              how many times as fast as the reference
//   operation_cases probe WHAT                  as `attention-lab probe`, for tests of the survey
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "core/opencl/backend.h"
#include "core/opencl/cases/compare.h"
#include "core/opencl/devices.h"
#include "core/opencl/self_test.h"
#include "core/reference/backend.h"
#include "core/system/error.h"

using namespace attn;
using namespace attn::opencl;

namespace {

constexpr int kRounds = 9;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A checking interpreter takes a tenth of a second a case, and many differ in their options alone: so many of
// them, and for GPUs as many again, others where there are.
constexpr std::size_t kMost = 24;

// A step that shares no factor with a list's length: options come again size by size, and each has its turn.
std::size_t far_step(std::size_t size) {
  std::size_t step = size * 5 / 8;
  while (std::gcd(step, size) != 1) ++step;
  return step;
}

std::vector<Case> chosen(std::vector<Case> cases, Variant variant, std::size_t most) {
  if (cases.size() <= most) return cases;
  const std::size_t step = far_step(cases.size()), first = variant.groups ? most : 0;
  std::vector<Case> some;
  for (std::size_t i = first; i < first + most; ++i)
    some.push_back(std::move(cases[i * step % cases.size()]));
  return some;
}

// Wrong results are counted here too: under oclgrind an uninitialised number may show first in the result.
std::size_t run_once(const cl::Device& device, Variant variant, const std::string& operation) {
  Budget budget;
  const auto backend = make_backend(device, variant, budget);
  const Arithmetic arithmetic = arithmetic_of(device, variant);
  std::size_t wrong = 0, ran = 0;
  for (const Declaration& declaration : declarations()) {
    if (!operation.empty() && operation != declaration.operation) continue;
    const auto start = Clock::now();
    const std::size_t before = ran;
    for (const Case& c :
         chosen(declaration.cases(Scope::shapes), variant, operation.empty() ? kMost : SIZE_MAX)) {
      if (c.subnormals && !arithmetic.subnormals) continue;
      const Deviation deviation = compare(declaration, c, backend->run(c.operation, c.inputs), arithmetic);
      if (deviation.wrong > 0)
        std::printf("%s, %s: %s\n", declaration.operation, c.name.c_str(), deviation.first_wrong.c_str());
      wrong += deviation.wrong > 0;
      ++ran;
    }
    std::printf("%8.2f s: %s, %zu cases\n", seconds_since(start), declaration.operation, ran - before);
    std::fflush(stdout);
  }
  std::printf("%zu cases in kernels for %s, sums in %s: %zu wrong\n", ran,
              variant.groups ? "GPUs" : "processors", variant.double_sums ? "double" : "two floats", wrong);
  return wrong;
}

double seconds(Backend& backend, const Case& c) {
  const auto start = Clock::now();
  backend.run(c.operation, c.inputs);
  return seconds_since(start);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + kRounds / 2, values.end());
  return values[kRounds / 2];
}

// Device and reference take turns, so that whatever else the machine does meets both.
void bench(const cl::Device& device) {
  Budget budget;
  const auto backend = make_backend(device, best_variant(device), budget),
             reference = make_reference_backend();
  std::printf("%-20s %-28s %12s %12s %8s\n", "operation", "case", "device, ms", "ref., ms", "ratio");
  for (const Declaration& declaration : declarations())
    for (const Case& c : declaration.cases(Scope::benchmark)) {
      seconds(*backend, c);
      std::vector<double> device_times, reference_times, ratios;
      for (int round = 0; round < kRounds; ++round) {
        device_times.push_back(seconds(*backend, c));
        reference_times.push_back(seconds(*reference, c));
        ratios.push_back(reference_times.back() / device_times.back());
      }
      std::printf("%-20s %-28s %12.3f %12.3f %8.2f\n", declaration.operation, c.name.c_str(),
                  1e3 * median(device_times), 1e3 * median(reference_times), median(ratios));
    }
}

}  // namespace

int main(int count, char** words) {
  const std::string command = count > 1 ? words[1] : "run";
  const std::size_t index = count > 2 ? std::strtoul(words[2], nullptr, 10) : 0;
  const std::string operation = count > 3 ? words[3] : "";
  if (command == "probe" && count == 3) return probe(words[2]);
  std::string problem;
  const std::vector<cl::Device> devices = list_devices(problem);
  if ((command != "run" && command != "bench") || index >= devices.size()) {
    std::fprintf(stderr, "usage: operation_cases run|bench [DEVICE]; %zu devices %s\n", devices.size(),
                 problem.c_str());
    return 2;
  }
  try {
    if (command == "bench") {
      bench(devices[index]);
      return 0;
    }
    const bool doubles = best_variant(devices[index]).double_sums;
    return run_once(devices[index], {.groups = false, .double_sums = doubles}, operation) +
                       run_once(devices[index], {.groups = true, .double_sums = false}, operation) ==
                   0
               ? 0
               : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
