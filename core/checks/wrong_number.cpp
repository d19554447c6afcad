// The cell as a person counts to it, without the head where there is one matrix.
#include "core/checks/wrong_number.h"

#include <sstream>

#include "core/system/error.h"

namespace attn {

void throw_wrong_number(const std::string& device, const std::string& result, Shape shape, Cell cell,
                        float number, float reference) {
  std::ostringstream text;
  text.precision(9);
  text << device << " computes wrong numbers: " << result << "[";
  if (shape.stack > 1) text << cell.head << ", ";
  text << cell.row << ", " << cell.column << "] is " << number << ", on the reference " << reference
       << ". Compute with --device reference, or on another device";
  throw Error(text.str(), Fault::device);
}

}  // namespace attn
