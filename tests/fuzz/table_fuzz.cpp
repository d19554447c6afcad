// Tables of text: as many numbers and names as the shape says.
#include "core/io/table_file.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    const TableFile table = parse_table_file(as_text(bytes));
    tests::require(table.matrix.values.size() == table.matrix.shape[0] * table.matrix.shape[1]);
    tests::require(table.columns.empty() || table.columns.size() == table.matrix.shape[1]);
    tests::require(table.rows.empty() || table.rows.size() == table.matrix.shape[0]);
  });
}
