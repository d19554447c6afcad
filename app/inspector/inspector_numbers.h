// How the inspector writes numbers: a group of numbers shares its digits, so that columns line up.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace attn::inspector {

// Digits after the point, or powers of ten for what is very large or very small.
struct Digits {
  int decimals = 3;
  bool powers = false;
  bool operator==(const Digits&) const = default;
};

// Enough digits for the largest finite magnitude of the group; weights pass `least` = 4.
Digits digits_for(const std::vector<double>& values, int least = 3);

// The same where several columns share a line: 10000, 1.0e6.
Digits column_digits(const std::vector<double>& values, int least);

// "−1.521", "∞", "NaN", "1.5e−9"; with a sign for summands: "+1.297". What the digits would write as zero but
// is none is a power of ten: "2e−7".
std::string write(double value, Digits digits, bool sign = false);

// One number alone, and a distance to two digits: "2.1e−8", "0".
std::string write(double value);
std::string write_distance(double value);
// "3.718": as many digits as are read off a plot.
std::string four_digits(double value);

}  // namespace attn::inspector
