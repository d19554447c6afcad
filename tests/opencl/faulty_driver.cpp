// An OpenCL driver with a fault, for whole programs to meet; else it is the driver that it names as its own.
//   FAULTY_DRIVER_REAL   that driver's library
//   FAULTY_DRIVER_FAULT  crash; hang; hang-outside-tests: only where no self-test is run; empty: none
//   FAULTY_DRIVER_LOG    a file that gets a line for each process that meets it, "tested" or "used"
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool runs_a_test() {
  std::ifstream file("/proc/self/cmdline");
  const std::string words{std::istreambuf_iterator<char>(file), {}};
  return words.find("probe") != std::string::npos;
}

void* open_real() {
  if (const std::string log = variable("FAULTY_DRIVER_LOG"); !log.empty())
    std::ofstream(log, std::ios::app) << (runs_a_test() ? "tested\n" : "used\n");
  const std::string fault = variable("FAULTY_DRIVER_FAULT");
  if (fault == "crash") std::abort();
  while (fault == "hang" || (fault == "hang-outside-tests" && !runs_a_test())) ::pause();
  return ::dlopen(variable("FAULTY_DRIVER_REAL").c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

// Through it the loader finds all others.
extern "C" void* clGetExtensionFunctionAddress(const char* name) {
  static void* const real = open_real();
  using Find = void* (*)(const char*);
  const auto find = real ? reinterpret_cast<Find>(::dlsym(real, "clGetExtensionFunctionAddress")) : nullptr;
  return find ? find(name) : nullptr;
}
