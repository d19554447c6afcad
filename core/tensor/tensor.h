// A Tensor: an immutable stack of matrices, shared by pointer, with an identity that is never reused.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn {

// stack x rows x columns; the stack is heads, or 1 for a plain matrix.
struct Shape {
  std::size_t stack = 0, rows = 0, columns = 0;
  std::size_t size() const { return stack * rows * columns; }
  bool operator==(const Shape&) const = default;
};

// "5x4" for a plain matrix, "2x5x4" for a stack: as titles and messages write it (with a multiplication
// sign).
std::string to_string(const Shape& shape);

// One number of a tensor.
struct Cell {
  std::size_t head = 0, row = 0, column = 0;
  auto operator<=>(const Cell&) const = default;
};

// Whether a tensor of this shape has that number.
inline bool holds(const Shape& shape, Cell cell) {
  return cell.head < shape.stack && cell.row < shape.rows && cell.column < shape.columns;
}

// Some rows of every matrix of a stack, side by side.
struct RowRange {
  std::size_t first = 0, count = 0;
  bool operator==(const RowRange&) const = default;
};

// The cell at a position in row-major order.
inline Cell cell_at(const Shape& shape, std::size_t index) {
  return {index / (shape.rows * shape.columns), index / shape.columns % shape.rows, index % shape.columns};
}

// And the position of a cell.
inline std::size_t index_of(const Shape& shape, Cell cell) {
  return (cell.head * shape.rows + cell.row) * shape.columns + cell.column;
}

using TensorId = std::uint64_t;  // 0 is the empty tensor

namespace detail {
TensorId next_tensor_id();
}

// The array of a file that numbers were read from, and are still as they were: another number makes another
// tensor.
struct TensorOrigin {
  std::string file;    // its full path
  std::string array;   // its name in an .npz; empty: the file is an .npy
  std::string digest;  // content_hash of the numbers as they are here
};

// T is float for everything the program shows, double for gradient checks and golden numbers.
template <class T>
class BasicTensor {
 public:
  BasicTensor() = default;

  // Takes shape.size() values, row-major, matrix after matrix.
  BasicTensor(Shape shape, std::vector<T> values, std::shared_ptr<const TensorOrigin> origin = nullptr)
      : BasicTensor(detail::next_tensor_id(), shape, {0, shape.rows}, std::move(values), std::move(origin)) {
    assert(storage_->values.size() == shape.size());
  }
  // The same of values that `keeper` keeps where they are, and as they are: a file that is mapped.
  BasicTensor(Shape shape, std::span<const T> values, std::shared_ptr<const void> keeper,
              std::shared_ptr<const TensorOrigin> origin)
      : storage_(std::make_shared<const Storage>(Storage{.id = detail::next_tensor_id(),
                                                         .shape = shape,
                                                         .rows = {0, shape.rows},
                                                         .values = values,
                                                         .keeper = std::move(keeper),
                                                         .origin = std::move(origin)})) {
    assert(values.size() == shape.size());
  }

  // Some rows of every matrix of a stack of this shape. Its numbers are found by their cells, no others;
  // values() has these rows alone.
  static BasicTensor part(Shape shape, RowRange rows, std::vector<T> values) {
    assert(values.size() == shape.stack * rows.count * shape.columns);
    return {detail::next_tensor_id(), shape, rows, std::move(values), nullptr};
  }
  // Which rows are here.
  RowRange rows_here() const { return storage_ ? storage_->rows : RowRange{}; }

  // Numbers that live on a device alone: shape and id are known, values() is empty, and `held` is the
  // device's.
  static BasicTensor on_device(Shape shape, std::shared_ptr<const void> held) {
    BasicTensor tensor;
    tensor.storage_ = std::make_shared<const Storage>(Storage{
        .id = detail::next_tensor_id(), .shape = shape, .rows = {0, shape.rows}, .held = std::move(held)});
    return tensor;
  }
  // The same tensor, its id included, with its numbers here.
  BasicTensor brought_here(std::vector<T> values) const {
    assert(storage_ && values.size() == shape().size());
    return {id(), shape(), {0, shape().rows}, std::move(values), nullptr};
  }
  // The same of values that `keeper` keeps where they are, and as they are: memory that a device shares.
  BasicTensor brought_here(std::span<const T> values, std::shared_ptr<const void> keeper) const {
    assert(storage_ && values.size() == shape().size());
    BasicTensor tensor;
    tensor.storage_ = std::make_shared<const Storage>(Storage{.id = id(),
                                                              .shape = shape(),
                                                              .rows = {0, shape().rows},
                                                              .values = values,
                                                              .keeper = std::move(keeper)});
    return tensor;
  }
  const void* held() const { return storage_ ? storage_->held.get() : nullptr; }
  // Null where there is none.
  const TensorOrigin* origin() const { return storage_ ? storage_->origin.get() : nullptr; }

  bool empty() const { return storage_ == nullptr; }
  TensorId id() const { return storage_ ? storage_->id : 0; }
  Shape shape() const { return storage_ ? storage_->shape : Shape{}; }
  std::size_t stack() const { return shape().stack; }
  std::size_t rows() const { return shape().rows; }
  std::size_t columns() const { return shape().columns; }
  std::size_t bytes() const { return values().size_bytes(); }
  std::span<const T> values() const { return storage_ ? storage_->values : std::span<const T>(); }
  const T* data() const { return values().data(); }

  // Inline by command: left to g++ every number that is read is a call with its cell on the stack.
  [[gnu::always_inline]] std::size_t index(Cell cell) const {
    const Shape& s = storage_->shape;
    const RowRange& here = storage_->rows;
    assert(cell.head < s.stack && cell.row - here.first < here.count && cell.column < s.columns);
    return (cell.head * here.count + cell.row - here.first) * s.columns + cell.column;
  }
  [[gnu::always_inline]] T operator[](Cell cell) const { return values()[index(cell)]; }

  // The same shape and the same bits, so that NaN equals itself and -0 differs from 0.
  bool operator==(const BasicTensor& other) const {
    if (id() == other.id()) return true;
    if (shape() != other.shape() || held() || other.held()) return false;
    return std::memcmp(data(), other.data(), bytes()) == 0;
  }

 private:
  struct Storage {
    TensorId id;
    Shape shape;
    RowRange rows;            // of every matrix, that are here
    std::vector<T> own = {};  // the values, unless somebody else keeps them
    std::span<const T> values = {};
    std::shared_ptr<const void> keeper = {}, held = {};
    std::shared_ptr<const TensorOrigin> origin = {};
  };

  BasicTensor(TensorId id, Shape shape, RowRange rows, std::vector<T> values,
              std::shared_ptr<const TensorOrigin> origin) {
    auto storage = std::make_shared<Storage>(Storage{
        .id = id, .shape = shape, .rows = rows, .own = std::move(values), .origin = std::move(origin)});
    storage->values = storage->own;
    storage_ = std::move(storage);
  }

  std::shared_ptr<const Storage> storage_;
};

using Tensor = BasicTensor<float>;
using Tensor64 = BasicTensor<double>;

Tensor64 to_double(const Tensor& tensor);
Tensor to_float(const Tensor64& tensor);  // rounds once, to nearest

// These rows of every matrix: of numbers that lie in this shape, or of a tensor.
std::vector<float> take_rows(std::span<const float> values, const Shape& shape, const RowRange& rows);
Tensor take_rows(const Tensor& tensor, const RowRange& rows);

// Of one matrix, each row a column.
Tensor transposed(const Tensor& matrix);

// A copy of `tensor` with one number changed: what an edit makes.
Tensor with_value(const Tensor& tensor, Cell cell, float value);

}  // namespace attn
