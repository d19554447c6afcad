// Rows whose softmax is printed wrong in circulating texts.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/softmax/part.h"

namespace attn {

struct BookRow {
  std::string_view title;
  std::vector<float> scores;
  std::vector<double> printed;
};
std::span<const BookRow> book_rows();
// As the person's own, at the temperature of the book.
void take_book_row(SoftmaxSpec& spec, const BookRow& row);

}  // namespace attn
