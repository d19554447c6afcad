// The rows that books print, and what they print.
#include "core/softmax/book.h"

namespace attn {

std::span<const BookRow> book_rows() {
  static const std::vector<BookRow> rows{
      {"softmax(0.5, 0.5, 1)", {0.5f, 0.5f, 1}, {.2312, .2312, .5376}},
      {"softmax(0.5, 0.5, 0)", {0.5f, 0.5f, 0}, {.3876, .3876, .2249}},
      {"softmax(1, 0, 0.5)", {1, 0, 0.5f}, {.4656, .1713, .3631}},
      {"softmax(2.5, 0.8, 0.3, 0.2)", {2.5f, 0.8f, 0.3f, 0.2f}, {.77, .14, .05, .04}}};
  return rows;
}

void take_book_row(SoftmaxSpec& spec, const BookRow& book) {
  own_row(spec, book.scores, {});
  spec.temperature = 1;
}

}  // namespace attn
