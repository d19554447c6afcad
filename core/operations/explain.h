// One number opened into the arithmetic that made it: what the inspector, the export and the tests show.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace attn {

// A value that entered a term. `input` is the position in the operation's inputs, or -1 for a constant.
struct Operand {
  double value = 0;
  int input = -1;
  Cell cell;         // where the value stands in that input
  std::string text;  // what to write for a constant: "1/√4", "fill"
};

// One summand (or candidate, or factor) of the result.
struct Term {
  std::vector<Operand> operands;
  double value = 0;      // what the operands make
  int named_by = -1;     // the input whose title is the term's label: a bias among products
  bool narrows = false;  // among those of Aggregate::any: 1 only if what stands before it came to 1 too
};

// How the terms become the result.
enum class Aggregate {
  none,     // the one term is the result; without terms the number is an input
  sum,      // Σ of the terms
  maximum,  // the largest term
  any,      // 1 if any term is 1; one that narrows is joined by AND to all before it
  root,     // √ of the terms' sum
  applied,  // a function of the terms' sum, which the rule names
};

// How a term's operands are written: `before` a₀ `between` a₁ `after`, as in "exp(a₀ − a₁)".
struct Writing {
  std::string before = {}, between = "×", after = {};
};

// A piece of a formula. What it names of an input is written with the title of the stage that it is.
struct FormulaPiece {
  enum Kind {
    text,     // `text`
    part,     // the input's title, then `text`: "Q" "[3]"
    cell,     // one number of the input: "scores[3, 0]"
    number,   // `number`, then `text`
    columns,  // how many columns the input has, and what they are: "4 features"
  };
  Kind kind = text;
  std::string words = {};
  int input = -1;
  Cell place = {};
  double value = 0;
};
using Formula = std::vector<FormulaPiece>;

// A pair of numbers turned around 0: from x, y to where the angle takes them, and how much longer.
struct Turn {
  double angle = 0;  // radians
  double x = 0, y = 0;
  double gain = 1;
  bool second = false;  // the number is the pair's y
};

struct Explanation {
  std::string rule;  // in words, with this cell's indices: "left[3]·right[0]", "kept: the mask is 0 here"
  Aggregate aggregate = Aggregate::none;
  Writing writing = {};
  std::vector<Term> terms = {};
  double result = 0;     // recomputed in double from the operands
  int over = -1;         // the terms go along the columns of this input, one each; −1: they don't
  Formula formula = {};  // the rule in terms of the inputs' titles; empty: the rule says it all
  // By input: what happens to a number that comes in there, in a few words; the last one is also that of the
  // inputs behind it. Empty: the rule.
  std::vector<Formula> passages = {};
  std::optional<Turn> turn = {};  // the rotation that the number comes from
};

// A block of cells, half-open in each direction.
struct Region {
  Cell begin, end;
  bool contains(Cell c) const {
    return c.head >= begin.head && c.head < end.head && c.row >= begin.row && c.row < end.row &&
           c.column >= begin.column && c.column < end.column;
  }
  bool operator==(const Region&) const = default;
};

// What a cell goes into: mostly one block, none where it has no say.
struct Regions : std::vector<Region> {
  Regions() = default;
  Regions(Region one) : std::vector<Region>{one} {}
  Regions(Cell begin, Cell end) : Regions(Region{begin, end}) {}
};

using Inputs = std::span<const Tensor>;
using Shapes = std::span<const Shape>;

// Helpers for the families: an operand read from an input, a constant with its words, the region of one cell.
Operand operand(Inputs inputs, int input, Cell cell);
Operand constant(double value, std::string text);
Region region(Cell cell);

// An explanation of one term, whose value is the result.
Explanation only(std::string rule, Term term);
// The sum of the terms.
Explanation sum_of(std::string rule, std::vector<Term> terms);

// Pieces of formulas.
FormulaPiece words(std::string text);
FormulaPiece part_of(int input, std::string text);
FormulaPiece cell_of(int input, Cell cell);
FormulaPiece number_of(double value, std::string text = {});
FormulaPiece columns_of(int input);

// "[3]".
std::string in_brackets(std::size_t index);

}  // namespace attn
