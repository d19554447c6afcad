// What others ask of an operation, said by its family: so nobody else has to know which operation it is.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/operations/explain.h"

namespace attn {

enum class EmptyRow;
enum class Fill;
enum class NumberFormat;

// Which step of a softmax it can be, or of softmax-1, or of sparsemax.
enum class SoftmaxStep { none, exponential, sum, division, sum_with_one, threshold, above };

struct Backward;

// Numbers that fall with probability p, by a seed; the others are multiplied by the factor.
struct Chance {
  double p = 0;
  std::uint64_t seed = 0;
  double factor = 1;
  std::size_t first = 0, rows = 0;  // as Dropout has them
  bool keeps(const Shape& shape, Cell cell) const;
};

// Of one operation on inputs of certain shapes.
struct Traits {
  double multiply_adds = 0;            // what the reference does: how long a comparison takes
  std::optional<double> counted = {};  // operations as the Cost workspace counts them; none: one a number
  // Bytes held besides inputs and result: of double by the reference, of lists of pairs by devices.
  std::uint64_t widened = 0;
  bool long_rows =
      false;  // one number reads all points: the reference is asked for rows, telling how far it is

  bool in_place = false;        // its result replaces input 0, in whose memory it may be made
  bool passes_numbers = false;  // a number is one of its input, nearly: its arithmetic is where it was made
  bool joins_heads = false;     // its columns are those of all heads, side by side
  bool mutes_heads = false;     // and some of them are switched off
  bool stays_in_format =
      false;                    // numbers of a format give numbers of it, or counts: nothing is to be rounded
  bool made_from_seed = false;  // a parameter that no file gave
  std::optional<NumberFormat> rounds_to = {};
  std::optional<std::size_t> takes_from = {};  // its result is columns of input 0, from this one on
  std::size_t column_heads = 0;  // a projection: the columns of its parameters are those of so many heads

  std::optional<double> factor = {};  // that every number is multiplied by
  std::optional<Fill> fill = {};      // what scores become where input 1, a mask, hides them
  std::optional<Chance> chance = {};
  SoftmaxStep step = SoftmaxStep::none;
  EmptyRow empty_row = {};  // of exponentials: what becomes of a row without a key
  bool hard = false;        // of exponentials: all weight on the largest
  bool steps = false;       // its result stands still between jumps: it rounds
  bool bends = false;       // it has a bend or a step where a number of its result becomes more than 0
};

// Of a −∞ in a cell of the result: it stands for "masked" by itself, or where one of these cells of inputs,
// or all of them, hold a −∞ that does.
struct MaskOrigin {
  bool here = false, all = false;
  bool any_sign = false;                              // a +∞ does as well
  std::vector<std::pair<std::size_t, Cell>> of = {};  // number of the input, its cell
};

// What rows of a result read of each input: the same rows, or all. None: it cannot be made by rows.
enum class RowsRead { same, all };
using RowReads = std::optional<std::vector<RowsRead>>;

// What its family says of an operation. The family's file writes a function of each of these names for each
// of its operations and instantiates this (family.h). The program does not link without it.
template <class Op>
struct Family {
  static Shape result_shape(const Op& op, Shapes inputs);  // throws Error when they do not fit
  static Explanation explain(const Op& op, Inputs inputs, Cell cell);
  static Regions reach(const Op& op, Shapes inputs, std::size_t input, Cell cell);
  static Traits traits(const Op& op, Shapes inputs, const Shape& result);
  // Makes `op` what makes these rows of its result alone.
  static RowReads cut(Op& op, Shapes inputs, const RowRange& rows);
  // What flows back through it, in terms of operations (core/operations/backward.h).
  static Backward backward(const Op& op, Shapes inputs, const Shape& result);
  // These two for few.
  static MaskOrigin mask_origin(const Op& op, Inputs inputs, Cell cell);
  static double size_of_terms(const Op& op, Inputs inputs);
};

// Helpers for the families.
inline double size_of(const Shape& shape) {
  return static_cast<double>(shape.size());
}
// In double, since a size_t may not hold it.
inline double times(std::size_t n, std::size_t m) {
  return static_cast<double>(n) * static_cast<double>(m);
}

}  // namespace attn
