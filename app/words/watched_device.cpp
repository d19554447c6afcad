// What is said of a child that did not come to its end.
#include "app/words/watched_device.h"

#include "core/opencl/devices.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

std::string words_of(const Child& child, const WatchedFork& fork, std::chrono::milliseconds patience) {
  const std::string device = fork.device().empty() ? "an OpenCL driver" : fork.device();
  if (child.end != Child::End::timed_out) return device + " crashed: its process " + child.ending();
  return device + " hangs: no answer in " + brief(std::chrono::duration<double>(patience).count()) +
         " s (--patience)";
}

}  // namespace

WatchedDevice::WatchedDevice(const std::string& word, const std::string& output, Console& console)
    : devices_(console.devices), word_(word) {
  if (!console.fork) return;
  WatchedFork& fork = *console.fork;
  if (word_ != kReference) {
    const auto child = fork.begin(console.patience, output);
    calls_ = fork.calls();
    if (!child) return;
    failure_ = words_of(*child, fork, console.patience);
    if (word_ != "auto")
      throw Error(failure_ + ". Compute on another device, or with --device reference", Fault::device);
  }
  fork.begin(console.patience, output);
  fork.hand_out();  // there is nothing else that could compute
}

std::unique_ptr<Backend> WatchedDevice::open(Budget& budget, std::vector<std::string>& notes) const {
  if (failure_.empty()) return devices_->choose(word_, budget, notes, calls_);
  notes.push_back("computing on the reference instead: " + failure_);
  return make_reference_backend();
}

}  // namespace attn
