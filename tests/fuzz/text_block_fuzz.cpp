// Pasted text: a matrix, or why it is none.
#include "core/io/text.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    for (const CellsAs cells : {CellsAs::expressions, CellsAs::plain_numbers}) {
      const ParsedBlock block = parse_block(as_text(bytes), cells);
      const TextMatrix& matrix = block.matrix;
      tests::require(matrix.values.size() == matrix.rows * matrix.columns);
      tests::require(block.error.empty() == !matrix.values.empty());
    }
  });
}
