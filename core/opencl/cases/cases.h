// One declaration per operation: its inputs of every difficult kind, and how far a device may be from the
// reference. It serves the device's self-test, the comparison in the tests, the benchmark and the oclgrind
// run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/operations/operation.h"

namespace attn::opencl {

enum class Scope {
  self_test,   // a few small cases that reach every kernel
  comparison,  // all shapes and kinds of numbers
  shapes,      // all shapes with ordinary numbers: what memory checking needs, which is slow
  long_grids,  // more rows than a launch has items, so that the kernels stride
  benchmark,   // one or two sizes worth timing
};

struct Case {
  std::string name;  // shape and kind of numbers
  Operation operation;
  std::vector<Tensor> inputs;
  bool subnormals = false;  // asks for subnormal numbers, which some devices don't have
};

// What a device promises, as far as tolerances depend on it.
struct Arithmetic {
  bool double_sums = true;
  bool subnormals = true;
};

// The largest |device − reference| that rounding explains in one cell of a case, when both are finite.
// `reference` is the value there in double, not rounded to float: a result that is rounded once is half a
// unit away, never one.
using Tolerance = double (*)(const Case&, Cell, double reference, const Arithmetic&);
// The same of every cell of one row, 0 where the reference is not finite; `reference`: the row's.
using RowTolerances = std::vector<double> (*)(const Case&, std::size_t head, std::size_t row,
                                              std::span<const double> reference, const Arithmetic&);

struct Declaration {
  const char* operation;  // its kName
  std::vector<Case> (*cases)(Scope);
  Tolerance tolerance;
  RowTolerances row_tolerances = nullptr;  // where cells of a row share most of the work; null: cell by cell
};

// All operations but Source, which computes nothing.
std::span<const Declaration> declarations();

}  // namespace attn::opencl
