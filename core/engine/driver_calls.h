// What is in a driver's hands just now, for another process to see: whoever waits for this one can tell a
// call that never returns from work of our own.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "core/backend/backend.h"

namespace attn {

// Lies in memory that both processes have.
struct DriverCalls {
  std::atomic<int> under_way = 0;
  std::atomic<std::uint64_t> begun = 0;
  std::atomic<double> allowance = 0;  // seconds that a slow device needs for what was asked of it
  std::array<char, 128> device{};     // whose driver is called; ends with 0
};

// A call, for as long as it is here. `calls`: null where nobody watches.
class DriverCall {
 public:
  explicit DriverCall(DriverCalls* calls);
  ~DriverCall();
  DriverCall(const DriverCall&) = delete;
  DriverCall& operator=(const DriverCall&) = delete;

 private:
  DriverCalls* calls_;
};

// Says whose driver the calls from here on are.
void name_device(DriverCalls* calls, std::string_view device);

// The same backend, whatever is asked of it a call: its end, and that of the tensors it keeps, too. Itself
// where nobody watches.
std::unique_ptr<Backend> with_monitored_calls(std::unique_ptr<Backend> device, DriverCalls* calls);

}  // namespace attn
