// WatchedFork: the rest of the program in a child process, so that a driver can take nothing along.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/driver_calls.h"
#include "core/system/child.h"

namespace attn {

class WatchedFork {
 public:
  WatchedFork();
  ~WatchedFork();
  WatchedFork(const WatchedFork&) = delete;
  WatchedFork& operator=(const WatchedFork&) = delete;

  // Returns in the child, with nothing: it goes on, and what it writes to the standard streams or std::cerr
  // is held back until hand_out(). Returns in this process only where the child ended without done(), or a
  // call of its driver takes longer than `patience` and what DriverCalls allows: how it ended, for this
  // process to do the work otherwise. After done() this process ends as the child did, and a signal that asks
  // for the end ends both. `output`: the child's temporary files next to it are removed; may be empty.
  // Before there are threads; as often as needed. Where no process can be started, it goes on in this one,
  // with nobody watching.
  std::optional<Child> begin(std::chrono::milliseconds patience, const std::string& output);

  // Of the child; null in a process that nobody watches.
  DriverCalls* calls() const;
  // Whose driver had been called last.
  std::string device() const;

  // What follows is shown, what was held back first: from here on nobody does the work again, and however the
  // child ends its parent does too.
  void hand_out();
  // The status that the program ends with, whatever happens on the way out.
  void done(int status);

 private:
  struct Shared;
  struct Streams;
  Child watch(pid_t pid, std::chrono::milliseconds patience, const sigset_t& signals,
              const std::string& output);

  Shared* shared_ = nullptr;         // with the parent or the child; null where there is no memory for it
  std::unique_ptr<Streams> before_;  // the child's, until it hands out
  bool watched_ = false;             // this is the child
};

}  // namespace attn
