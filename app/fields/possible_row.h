// A whole number that only some values are possible for: heads that divide a width.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "app/fields/fields.h"

namespace attn {

// The nearest possible number in a direction (−1 or +1), `from` itself included; 0 when there is none.
using NextPossible = std::function<std::size_t(std::size_t from, int direction)>;
NextPossible among(std::vector<std::size_t> ascending);
NextPossible multiples_of(std::size_t step, std::size_t most);

// A step goes to the next possible number, a typed one is handed to `use`. What that refuses with an Error
// stands under the row, with the possible numbers around it as buttons.
void possible_row(Frame& frame, Column column, const FieldRow& row, const CountBox& box,
                  const NextPossible& next, const std::function<void(std::size_t)>& use);

// The same without a row: for chips.
void use_possible(View& view, const std::string& id, const NextPossible& next, std::size_t wanted,
                  const std::function<void(std::size_t)>& use);

}  // namespace attn
