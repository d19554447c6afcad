// A child process: whatever it does, or is made to do by a driver or a person, this program goes on.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct Child {
  enum class End { exited, signalled, timed_out, stopped, not_started, unseen };
  End end = End::not_started;
  int code = 0;  // exit status, signal, or errno (unseen: where this process ignores its children's end)
  std::string output;  // standard output, at most 1 MiB of it

  bool succeeded() const { return end == End::exited && code == 0; }
  // "exited with status 1", "was stopped by signal 6 (Aborted)", …
  std::string ending() const;
};

// What a child is given besides its words.
struct ChildOptions {
  std::map<std::string, std::string> variables = {};    // on top of this process's own
  std::optional<std::chrono::milliseconds> limit = {};  // none: it may take as long as it likes
  // How long it may say nothing, from its start and from each word on; none: as long as it likes.
  std::optional<std::chrono::milliseconds> silence = {};
  std::stop_token stop = {};  // asks for its end before that
  bool errors = false;        // its standard error is output too
  // Of all its output, each piece as it comes; may be empty.
  std::function<void(std::string_view)> heard = {};
};

// Runs `program`, its standard error thrown away unless `errors` asks for it, and waits for its end. When one
// of the limits is over or a stop is asked for, it is killed. Whatever it started goes with it.
Child run_child(const std::string& program, const std::vector<std::string>& arguments,
                const ChildOptions& options);

}  // namespace attn
