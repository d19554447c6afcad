// StageResult: what is known of the numbers that a stage makes, and where they are. Nobody takes "empty" for
// "not computed".
#pragma once

#include <vector>

#include "core/tensor/tensor.h"

namespace attn {

enum class Kept {
  not_kept,   // nobody asked for them, or they are made again when somebody looks
  here,       // all of them
  on_device,  // all of them, to be read back (Backend::read)
  in_part,    // those of some rows
};

class StageResult {
 public:
  StageResult() = default;  // not kept
  // What the tensor has: all of them, here or on the device, or some rows; not kept where there is none.
  StageResult(Tensor numbers);
  // Several such parts of a stack of this shape; not kept where there are none.
  StageResult(const Shape& shape, std::vector<Tensor> parts);

  Kept kept() const { return kept_; }
  bool here() const { return kept_ == Kept::here; }
  // Of the whole, as far as it is known.
  const Shape& shape() const { return shape_; }
  std::size_t stack() const { return shape_.stack; }
  std::size_t rows() const { return shape_.rows; }
  std::size_t columns() const { return shape_.columns; }

  // All numbers. Throws std::logic_error unless they are here: whoever can do without them asks before.
  const Tensor& whole() const;
  // What there is of a row: the whole, or a part with it; null where it is not here.
  const Tensor* with_row(std::size_t row) const;
  // Whether that number is here, and the number.
  bool holds(Cell cell) const { return attn::holds(shape_, cell) && with_row(cell.row) != nullptr; }
  float operator[](Cell cell) const { return (*with_row(cell.row))[cell]; }

  // All of them, here or on the device; empty of others.
  const Tensor& here_or_there() const { return whole_; }
  TensorId id() const { return whole_.id(); }
  std::size_t bytes() const;  // here

 private:
  Kept kept_ = Kept::not_kept;
  Shape shape_ = {};
  Tensor whole_ = {};
  std::vector<Tensor> parts_ = {};
};

}  // namespace attn
