// Axes of arrays: told, taken, turned.
#include "core/io/dump_axes.h"

#include <array>

#include "core/system/error.h"

namespace attn::dump {
namespace {

constexpr std::array<Axes, 9> kHeads{"nd", "hnd", "nhd", "bnd", "nbd", "bhnd", "bnhd", "lbhnd", "lbnhd"};
constexpr std::array<Axes, 4> kRows{"nd", "bnd", "nbd", "lbnd"};
constexpr std::array<Axes, 5> kPairs{"nd", "hnd", "bnd", "bhnd", "lbhnd"};

// How much speaks for these axes; −1: they do not fit.
int agreement(std::span<const std::size_t> shape, Axes axes, const Expected& expected) {
  if (shape.size() != axes.size()) return -1;
  int agreed = 0;
  for (const auto& [letter, wanted] : {std::pair('b', expected.batch), std::pair('h', expected.heads),
                                       std::pair('n', expected.rows), std::pair('d', expected.columns)}) {
    const std::size_t size = size_along(shape, axes, letter);
    if (size == 0 && axes.find(letter) != axes.npos) return -1;
    // An axis of one is the batch, unless something says otherwise.
    if (letter == 'b' && wanted == 0 && size == 1) ++agreed;
    if (size == 0 || wanted == 0) continue;
    if (size != wanted) return -1;
    ++agreed;
  }
  const std::size_t heads = size_along(shape, axes, 'h');
  const std::size_t width = size_along(shape, axes, 'd') * (heads == 0 ? 1 : heads);
  if (expected.width != 0 && expected.width != width) return -1;
  return agreed;
}

}  // namespace

std::span<const Axes> head_axes() {
  return kHeads;
}

std::span<const Axes> row_axes() {
  return kRows;
}

std::span<const Axes> pair_axes() {
  return kPairs;
}

Axes find_axes(std::span<const std::size_t> shape, std::span<const Axes> tried, const Expected& expected,
               Axes liked) {
  Axes best;
  int most = -1;
  for (const Axes axes : tried) {
    const int agreed = agreement(shape, axes, expected);
    const bool as_liked = !liked.empty() && axes.ends_with(liked) && !best.ends_with(liked);
    if (agreed > most || (agreed == most && agreed >= 0 && as_liked)) most = agreed, best = axes;
  }
  return best;
}

std::size_t size_along(std::span<const std::size_t> shape, Axes axes, char letter) {
  const std::size_t at = axes.find(letter);
  return at < shape.size() ? shape[at] : 0;
}

Array in_our_order(const Array& array, Axes axes, std::size_t batch) {
  std::array<std::size_t, 3> sizes{1, 1, 1}, strides{};  // of heads, rows and columns
  std::size_t stride = 1, begin = 0;
  for (std::size_t axis = axes.size(); axis-- > 0; stride *= array.shape[axis]) {
    const std::size_t own = std::string_view("hnd").find(axes[axis]);
    if (own != std::string_view::npos) {
      sizes[own] = array.shape[axis], strides[own] = stride;
    } else if (axes[axis] == 'b' && array.shape[axis] > 1) {
      if (batch >= array.shape[axis])
        throw Error("the batch has " + std::to_string(array.shape[axis]) + ": choose one from 0 to " +
                        std::to_string(array.shape[axis] - 1),
                    Fault::option);
      begin = batch * stride;
    }
  }
  Array ours{.shape = {sizes[1], sizes[2]}, .values = {}};
  if (axes.find('h') != axes.npos) ours.shape.insert(ours.shape.begin(), sizes[0]);
  const std::span<const float> numbers = array.numbers();
  const bool in_order = (sizes[2] == 1 || strides[2] == 1) && (sizes[1] == 1 || strides[1] == sizes[2]) &&
                        (sizes[0] == 1 || strides[0] == sizes[1] * sizes[2]);
  if (in_order && numbers.size() == sizes[0] * sizes[1] * sizes[2]) {  // large ones stay where they lie
    Array same = array;
    same.shape = ours.shape;
    return same;
  }
  ours.values.reserve(numbers.size());
  for (std::size_t h = 0; h < sizes[0]; ++h)
    for (std::size_t i = 0; i < sizes[1]; ++i)
      for (std::size_t j = 0; j < sizes[2]; ++j)
        ours.values.push_back(numbers[begin + h * strides[0] + i * strides[1] + j * strides[2]]);
  return ours;
}

Array transposed(const Array& matrix) {
  const std::size_t rows = matrix.shape[0], columns = matrix.shape[1];
  Array turned{.shape = {columns, rows}, .values = {}};
  turned.values.reserve(rows * columns);
  const std::span<const float> numbers = matrix.numbers();
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < rows; ++r) turned.values.push_back(numbers[r * columns + c]);
  return turned;
}

Array columns_of(const Array& matrix, std::size_t first, std::size_t count) {
  const std::size_t width = matrix.shape.back();
  Array part{.shape = matrix.shape, .values = {}};
  part.shape.back() = count;
  const std::span<const float> numbers = matrix.numbers();
  for (std::size_t row = 0; row * width < numbers.size(); ++row)
    for (std::size_t c = 0; c < count; ++c) part.values.push_back(numbers[row * width + first + c]);
  return part;
}

}  // namespace attn::dump
