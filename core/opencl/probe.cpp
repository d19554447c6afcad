// The child process: it alone meets a driver for the first time. Its last line is JSON, read in survey.cpp.
#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/opencl/devices.h"
#include "core/opencl/self_test.h"

namespace attn::opencl {
namespace {

using Json = nlohmann::json;

// Drivers may return bytes that aren't UTF-8.
void print(const Json& report) {
  std::cout << report.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

int list() {
  std::string problem;
  Json rows = Json::array();
  for (const cl::Device& device : list_devices(problem)) {
    const Identity identity = identity_of(device);
    rows.push_back({{"name", identity.name},
                    {"platform", identity.platform},
                    {"driver", identity.driver},
                    {"gpu", is_gpu(device)}});
  }
  print({{"devices", rows}, {"problem", problem}});
  return 0;
}

int test(std::size_t index) {
  std::string problem;
  const std::vector<cl::Device> devices = list_devices(problem);
  if (index >= devices.size()) return 1;
  const TestReport report = self_test(
      devices[index], [](const std::string& what) { std::cout << what << " is right" << std::endl; });
  print({{"passed", report.passed},
         {"computed", report.computed},
         {"passing", report.passing},
         {"verdict", report.verdict},
         {"largest_error", report.largest_error},
         {"milliseconds", report.milliseconds},
         {"most_steps", report.most_steps},
         {"flash_rows", report.flash_tiles.rows},
         {"flash_keys", report.flash_tiles.keys}});
  return 0;
}

}  // namespace

int probe(const std::string& command) {
  // A driver that hangs must not outlive the program that asked, nor anybody by much.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(600);
  if (command == "list") return list();
  std::size_t index = 0;
  const char* end = command.data() + command.size();
  const auto [last, error] = std::from_chars(command.data(), end, index);
  if (error != std::errc() || last != end) return 2;
  return test(index);
}

}  // namespace attn::opencl
