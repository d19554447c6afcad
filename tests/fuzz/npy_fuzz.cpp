// One array: as many numbers as its shape says.
#include "core/io/npy.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    const Array array = parse_npy<float>(bytes);
    std::size_t count = 1;
    for (const std::size_t size_of_axis : array.shape) count *= size_of_axis;
    tests::require(array.values.size() == count);
  });
}
