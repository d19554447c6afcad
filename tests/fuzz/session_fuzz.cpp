// Sessions: what is read is written, and read again as the same.
#include "core/document/document.h"
#include "core/io/session.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    const Document document = parse_session(as_text(bytes));
    tests::require(parse_session(write_session(document)) == document);
  });
}
