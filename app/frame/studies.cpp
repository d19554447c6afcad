// Studies as jobs of the engine: one at a time, in turns, each yielding to what a person waits for.
#include "app/frame/studies.h"

#include <chrono>

namespace attn {
namespace {

// What is found is shown now and then, not after each step: a window draws for it.
constexpr std::chrono::milliseconds kShownAfter{100};
// It begins when the hand that edits has rested.
constexpr std::chrono::milliseconds kHandRests{120};

// The engine has jobs of its own.
std::string job_of(const std::string& name) {
  return "study: " + name;
}

}  // namespace

std::shared_ptr<const void> Studies::last_of(const Kept& kept) {
  if (!kept.shared) return nullptr;
  const std::lock_guard lock(kept.shared->mutex);
  return kept.shared->found ? kept.shared->found : kept.last;
}

void Studies::start(const std::string& name, const std::shared_ptr<Shared>& shared, Steps steps) {
  const auto show = [shared, snapshot = std::move(steps.snapshot)](bool done, const std::string& error) {
    std::shared_ptr<const void> found = snapshot();
    const std::lock_guard lock(shared->mutex);
    shared->found = std::move(found), shared->done = done, shared->error = error;
    return done;
  };
  const auto run = [show, next = std::move(steps.next)](JobControl& control, Backend& backend) {
    const auto began = std::chrono::steady_clock::now();
    try {
      bool done = false;
      do done = next(backend);
      while (!done && !control.give_up() && std::chrono::steady_clock::now() - began < kShownAfter);
      return show(done, {});  // it goes on when others of its kind had their turn
    } catch (const std::exception& error) {
      return show(true, error.what());
    }
  };
  engine_.stop_job(job_of(name));
  engine_.run({.name = job_of(name), .yields = true, .delay = kHandRests, .run = {}}, run);
}

void Studies::forget(const std::string& name) {
  engine_.stop_job(job_of(name));
  kept_.erase(name);
}

void Studies::begin_frame(const void* workspace, const std::string& device) {
  if (workspace == workspace_ && device == device_) return;
  while (!kept_.empty()) forget(std::string(kept_.begin()->first));
  workspace_ = workspace, device_ = device;
}

}  // namespace attn
