// The device of a command, in a process that can be done without.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/words/console.h"
#include "core/backend/backend.h"
#include "core/system/budget.h"

namespace attn {

class WatchedDevice {
 public:
  // When everything was read and no file begun: from here on the command goes on in a child process, so that
  // whatever ends it leaves no file. Should a device's driver end it or hang, another goes on with the
  // reference; a device asked for by name or number ends the command with Error(Fault::device). `output`: the
  // file that the command will write; may be empty.
  WatchedDevice(const std::string& word, const std::string& output, Console& console);

  // As opencl::Devices::choose.
  std::unique_ptr<Backend> open(Budget& budget, std::vector<std::string>& notes) const;

 private:
  std::shared_ptr<opencl::Devices> devices_;
  std::string word_;
  std::string failure_;  // of the child; empty while nothing failed
  DriverCalls* calls_ = nullptr;
};

}  // namespace attn
