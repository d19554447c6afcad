// Archives: all arrays, and the layer of them.
#include "core/io/layer_npz.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    NamedArrays left_out;
    layer_from_arrays(parse_npz<float>(bytes, kTruthArray), &left_out);
  });
}
