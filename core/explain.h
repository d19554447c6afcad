// One number opened into the arithmetic that made it: what the inspector, the export and the tests show.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/tensor.h"

namespace attn {

// A value that entered a term. `input` is the position in the operation's inputs, or -1 for a constant.
struct Operand {
  double value = 0;
  int input = -1;
  Cell cell;         // where the value stands in that input
  std::string text;  // what to write for a constant: "1/√4", "fill"
};

// One summand (or candidate, or factor) of the result: the product of its operands, unless `combine` says
// else.
struct Term {
  std::vector<Operand> operands;
  double value = 0;
};

// How the terms become the result.
enum class Combine {
  given,        // no terms: the number is an input
  sum,          // Σ of the terms, each the product of its operands
  maximum,      // the largest term
  exponential,  // exp(first operand − second operand)
  quotient,     // first operand ÷ second operand
  choice,       // the one term is the value, the rule says why it was chosen
  any,          // 1 if any term is 1
};

struct Explanation {
  std::string rule;  // the formula with this cell's indices: "q[3]·k[0]"
  Combine combine = Combine::given;
  std::vector<Term> terms;
  double result = 0;  // recomputed in double from the operands
};

// A block of cells, half-open in each direction: what a cell goes into.
struct Region {
  Cell begin, end;
  bool contains(Cell c) const {
    return c.head >= begin.head && c.head < end.head && c.row >= begin.row && c.row < end.row &&
           c.column >= begin.column && c.column < end.column;
  }
  bool operator==(const Region&) const = default;
};

using Inputs = std::span<const Tensor>;
using Shapes = std::span<const Shape>;

// Helpers for the families: an operand read from an input, and the region of one cell.
Operand operand(Inputs inputs, int input, Cell cell);
Region region(Cell cell);

}  // namespace attn
