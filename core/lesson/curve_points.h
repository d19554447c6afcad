// A curve that is guessed: the numbers of a row, each at a point with a name.
#pragma once

#include <string>
#include <vector>

#include "core/lesson/live_numbers.h"

namespace attn {

struct CurvePoints {
  std::vector<std::string> names =
      {};  // as the exercise says, else keys, heads, … that the numbers are read along
  std::vector<double> values = {};
};

inline constexpr std::size_t kMostPoints = 9;  // a digit chooses each

// Of the exercise’s numbers as they are now. Throws Error with the line and the reason: where they are not
// two to nine, too.
CurvePoints curve_points(const LessonExercise& exercise, const LiveNumbers& live);

// How far two curves of as many points are apart, on average.
double mean_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace attn
