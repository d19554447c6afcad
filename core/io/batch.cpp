// A batch of one is its only member; of several somebody has to choose.
#include "core/io/batch.h"

#include "core/system/error.h"

namespace attn {

void take_batch_away(Array& array, std::size_t most, const std::string& what) {
  if (array.shape.size() != most + 1 || array.shape.front() == 0) return;
  const std::size_t batch = array.shape.front();
  if (batch > 1)
    throw Error(what + " has the shape " + shape_text(array.shape) + ", a batch of " + std::to_string(batch) +
                ": give one of them, as array[0]");
  array.shape.erase(array.shape.begin());
}

}  // namespace attn
