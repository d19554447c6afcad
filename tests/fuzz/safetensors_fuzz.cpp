// Tensors: each that is listed as readable is read.
#include "core/io/safetensors.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    const FilePieces file = pieces_of(bytes);
    for (const SafeTensor& tensor : list_safetensors(file))
      if (tensor.refusal.empty())
        tests::require(read_safetensors(file, {&tensor, 1}).at(tensor.name).values.size() <= bytes.size());
  });
}
