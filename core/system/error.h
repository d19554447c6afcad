// What a user or a machine can cause. Our own bugs are asserts.
#pragma once

#include <stdexcept>
#include <string>

namespace attn {

// Where the fault lies; the command line turns it into an exit status.
enum class Fault {
  input,   // a file or a document that makes no sense
  option,  // a word or a setting that does not fit the input
  device,  // a device that is missing or failed
  output,  // something could not be written
  memory,  // there is not enough of it
};

// The one exception of the program. The message says what happened and what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Fault fault = Fault::input)
      : std::runtime_error(message), fault_(fault) {}
  Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

}  // namespace attn
