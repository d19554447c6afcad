// What an operation makes, as a formula in primitives that array languages have or are lent: so an operation
// is said once for all of them. A formula is a stack of matrices, S×n×m. Sizes of 1 stand for any size where
// two are taken number by number; a stack that others share is repeated before.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/operations/operation.h"

namespace attn::code {

// `a`, `b`, `c` are its operands.
enum class Fn {
  input,     // number `first` of the operation's inputs
  number,    // one number for all places
  constant,  // numbers that are known
  place,     // 0, 1, … + `first` down the rows: 1×n×1
  column,    // 0, 1, … along the columns: 1×1×m
  // Number by number.
  add,
  subtract,
  multiply,
  divide,
  larger,  // the larger of two; NaN where one is
  above,   // a > b, and the like: true or false
  at_least,
  equal,
  differs,  // a ≠ b: of NaN always
  both,     // a and b, or one of them, are true
  either,
  where,  // b where a is true, else c
  exp,
  log,
  root,
  tanh,
  sine,
  cosine,
  size,  // |a|
  erf,   // the error function
  // Of a row: S×n×1.
  row_max,  // NaN where one is
  row_sum,
  // Of rows and matrices.
  column_sum,    // of each matrix: S×1×m
  stack_sum,     // of all matrices: 1×n×m
  running_sum,   // of each row, from the left
  descending,    // each row, the largest first
  product,       // a·b of each two matrices, or of one with each
  transposed,    // of each matrix
  exchanged,     // S×n×m to n×S×m
  reshaped,      // the same numbers, matrix after matrix and row after row
  columns,       // from `first` on, as many as the shape has
  rows,          // the same
  matrices,      // the same
  picked,        // the columns that are listed, in this order
  by_index,      // of each row i the columns that row i of a constant, 1×n×m, names
  by_one_index,  // the same of a single row, for all rows
  beside,        // side by side: S×n×(m + m')
  repeated,      // each matrix so many times
  tiled,         // all matrices, so many times
};

struct Node;

class Formula {
 public:
  Formula(double number);  // NOLINT: numbers are formulas
  explicit Formula(Node node);
  const Node& operator*() const { return *node_; }
  const Node* operator->() const { return node_.get(); }

 private:
  std::shared_ptr<const Node> node_;
};

struct Node {
  Fn fn = Fn::number;
  Shape shape = {1, 1, 1};
  std::vector<Formula> of = {};
  double value = 0;                      // of a number
  std::size_t first = 0;                 // where it begins, or which input
  std::vector<std::size_t> listed = {};  // columns
  std::vector<double> numbers = {};      // of a constant
  std::string called = {};               // and what it is: "angles"
};

// They check nothing: the operation's shapes were checked before.
Formula input(std::size_t number, const Shape& shape);
Formula constant(const char* called, const Shape& shape, std::vector<double> numbers);
Formula places(std::size_t rows, std::ptrdiff_t first = 0);
Formula columns_counted(std::size_t columns);

Formula operator+(Formula a, Formula b);
Formula operator-(Formula a, Formula b);
Formula operator*(Formula a, Formula b);
Formula operator/(Formula a, Formula b);
Formula binary(Fn fn, Formula a, Formula b);  // larger, above, at_least, equal, differs, both, either
Formula where(Formula condition, Formula then, Formula otherwise);
Formula of_each(Fn fn, Formula a);  // exp to erf, running_sum, descending
Formula row_max(Formula a);
Formula row_sum(Formula a);
Formula column_sum(Formula a);
Formula stack_sum(Formula a);
Formula product(Formula a, Formula b);
Formula transposed(Formula a);
Formula exchanged(Formula a);
Formula reshaped(Formula a, const Shape& shape);
Formula columns(Formula a, std::size_t first, std::size_t count);
Formula rows(Formula a, std::size_t first, std::size_t count);
Formula matrices(Formula a, std::size_t first, std::size_t count);
Formula picked(Formula a, std::vector<std::size_t> listed);
Formula by_index(Formula a, const Shape& shape, std::vector<std::size_t> listed);
Formula beside(Formula a, Formula b);
Formula tiled(Formula a, std::size_t times);

// Shared by consecutive heads: as many matrices as there are heads.
Formula shared_by(Formula a, std::size_t heads);
// Matrices of `group` consecutive heads added up.
Formula sum_of_groups(Formula a, std::size_t group);
// x·y, and 0 where either is, whatever the other is.
Formula times_or_zero(Formula x, Formula y);
Formula sigmoid(Formula x);
// 1×n×(h·c) to h×n×c, and back.
Formula split_heads(Formula x, std::size_t heads);
Formula merged_heads(Formula x);

using Given = std::vector<Formula>;  // an operation's inputs

// What its family says of an operation. Its file writes a function formula(op, inputs) for each of its
// operations and instantiates this (family.h). The program does not link without it. Throws Error, saying
// why, of what is not made of these primitives.
template <class Op>
struct CodeOf {
  static Formula formula(const Op& op, const Given& in);
};

// Throws Error where the operation has none.
Formula formula_of(const Operation& operation, const Given& in);

}  // namespace attn::code
