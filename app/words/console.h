// Console: what a command was started in, and what it hands out: all of it when it is done, or nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/watched_fork.h"
#include "core/opencl/devices.h"
#include "core/system/file.h"

namespace attn {

// The program's exit statuses: a contract with scripts, listed in --help and the README.
enum ExitStatus {
  kDone = 0,
  kOutOfOrder = 1,  // out of memory, or a bug of ours
  kDifferent = 1,   // compare: what was compared differs, as with diff
  kBadWords = 2,    // unknown words, or options that do not fit the input
  kNoDevice = 3,    // the device asked for is missing, failed its self-test or failed at work
  kBadInput = 4,    // a file that cannot be read or makes no sense
  kNotWritten = 5,  // the output could not be written
};

class Console {
 public:
  // Prints the results; throws Error(Fault::output).
  using Print = std::function<void(std::string_view)>;
  Console(std::shared_ptr<opencl::Devices> found, std::ostream& notes, Print print)
      : devices(std::move(found)), err(notes), print_(std::move(print)) {}

  std::shared_ptr<opencl::Devices> devices;    // of this process
  std::ostringstream out;                      // results
  std::ostream& err;                           // notes and errors, at once
  WatchedFork* fork = nullptr;                 // for what meets drivers; none: they are met in this process
  std::chrono::milliseconds patience{30'000};  // with one call of a driver

  // A file of which all is written; it appears when everything was printed.
  void keep(std::unique_ptr<FileWriter> file) {
    file->finish();
    files_.push_back(std::move(file));
  }
  void write_file(const std::string& path, std::span<const std::byte> bytes) {
    auto file = std::make_unique<FileWriter>(path);
    file->write(bytes);
    keep(std::move(file));
  }

  // When the command is done: prints the results, and then the files appear. Throws Error(Fault::output); a
  // file that has not appeared then never does.
  void hand_out() {
    print_(out.view());
    for (auto files = std::exchange(files_, {}); const auto& file : files) file->commit();
  }
  // When it could not be done.
  void take_back() { files_.clear(); }

 private:
  Print print_;
  std::vector<std::unique_ptr<FileWriter>> files_;
};

}  // namespace attn
