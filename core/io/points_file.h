// Points for regression from a file: a matrix of x and values as .npy or text, or the arrays x and y of an
// .npz. What the file is, is told by its content.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/tensor/tensor.h"

namespace attn {

// A row a point: x, then one value or several. Throws Error, with the place, for what is no such matrix, for
// no points, and for a number that is not finite.
Tensor parse_points(std::span<const std::byte> bytes);

// Whether bytes that are no session, picture or archive of something else can only mean points: an .npy, an
// .npz of x and y, or text whose first line has numbers.
bool look_like_points(std::span<const std::byte> bytes);

// The same of a file; Error(Fault::input) names it.
Tensor read_points(const std::string& path);

}  // namespace attn
