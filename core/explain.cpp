#include "core/explain.h"

namespace attn {

Operand operand(Inputs inputs, int input, Cell cell) {
  return {.value = inputs[static_cast<std::size_t>(input)][cell], .input = input, .cell = cell, .text = {}};
}

Region region(Cell cell) {
  return {cell, {cell.head + 1, cell.row + 1, cell.column + 1}};
}

}  // namespace attn
