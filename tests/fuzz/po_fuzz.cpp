// Tables of translations: what was parsed makes a book, and the book says something in the place of each
// text.
#include "core/language/phrase_book.h"
#include "core/language/po_file.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    const PoFile file = parse_po(as_text(bytes));
    PhraseBook book;
    for (const PoEntry& entry : file.entries) book.add(entry.english, entry.translation);
    for (const PoEntry& entry : file.entries) tests::require(!book.translated(entry.english).empty());
  });
}
