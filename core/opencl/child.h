// A child process with a time limit: whatever a driver does to it, this program goes on.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace attn::opencl {

struct Child {
  enum class End { exited, signalled, timed_out, not_started };
  End end = End::not_started;
  int code = 0;        // exit status, signal, or errno
  std::string output;  // standard output, at most 1 MiB of it

  // "exited with status 1", "was stopped by signal 6 (Aborted)", …
  std::string ending() const;
};

// Runs `program` with the variables set, its standard error thrown away; kills it and whatever it started
// when the limit is over.
Child run_child(const std::string& program, const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& variables, std::chrono::milliseconds limit);

}  // namespace attn::opencl
