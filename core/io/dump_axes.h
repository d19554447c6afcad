// The axes of an array: which of them are heads, tokens and features, told by the sizes that are known. For
// dump*.cpp only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/npy.h"

namespace attn::dump {

// Letters, from the first axis to the last: l layers, b batch, h heads, n rows, d columns.
using Axes = std::string_view;

// What is known of them; 0: nothing.
struct Expected {
  std::size_t batch = 0, heads = 0, rows = 0, columns = 0;
  std::size_t width = 0;  // of all heads side by side
};

// Of rows for each head, the likeliest first; of rows alone; and of a number for each query and key.
std::span<const Axes> head_axes();
std::span<const Axes> row_axes();
std::span<const Axes> pair_axes();

// Those of `tried` that fit the shape and agree with most that is known: the first of them, but `liked`
// before the others. Empty: none fits.
Axes find_axes(std::span<const std::size_t> shape, std::span<const Axes> tried, const Expected& expected,
               Axes liked = {});
// Size of the axis with that letter; 0: there is none.
std::size_t size_along(std::span<const std::size_t> shape, Axes axes, char letter);

// As h×n×d, or n×d where there are no heads; of layers the first, of a batch the `batch`th. Throws
// Error(Fault::option) where there is none such.
Array in_our_order(const Array& array, Axes axes, std::size_t batch);
// rows×columns as columns×rows.
Array transposed(const Array& matrix);
// Columns `first` … `first + count − 1` of rows×columns, or numbers of a row.
Array columns_of(const Array& matrix, std::size_t first, std::size_t count);

}  // namespace attn::dump
