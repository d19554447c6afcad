// The largest magnitude of a group chooses its digits. What they would round away is written as a power of
// ten, so that a 0 on screen is exactly 0.
#include "app/inspector/inspector_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace attn::inspector {
namespace {

constexpr const char* kMinus = "−";  // as wide as "+", unlike the hyphen

std::string digits_of(double magnitude, std::chars_format format, int precision) {
  std::array<char, 400> buffer{};  // a double in fixed format has at most 309 digits before the point
  const auto [end, status] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, format, precision);
  return status == std::errc() ? std::string(buffer.data(), end) : std::string();
}

// "1.5e-09" to "1.5e−9".
std::string tidy_power(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  const int power = std::stoi(text.substr(e + 1));
  text.resize(e);
  return text + "e" + (power < 0 ? kMinus : "") + std::to_string(std::abs(power));
}

}  // namespace

// As the largest grows decimals go, where it is small they come: lines stay about equally long.
Digits digits_for(const std::vector<double>& values, int least) {
  double largest = 0;
  for (const double v : values)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  if (largest == 0) return {least, false};
  if (largest >= 1e6 || largest < 1e-4) return {3, true};
  if (largest >= 1e4) return {1, false};
  if (largest >= 1e3) return {2, false};
  if (largest >= 0.1) return {least, false};
  return {largest >= 0.00995 ? std::max(least, 4) : 6, false};
}

Digits column_digits(const std::vector<double>& values, int least) {
  Digits digits = digits_for(values, least);
  if (digits.powers) digits.decimals = 1;
  if (!digits.powers && digits.decimals == 1) digits.decimals = 0;
  return digits;
}

std::string write(double value, Digits digits, bool sign) {
  const std::string front = value < 0 ? kMinus : sign ? "+" : "";
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return front + "∞";
  if (digits.powers && value == 0) return "0";
  const double magnitude = std::abs(value);
  if (digits.powers)
    return front + tidy_power(digits_of(magnitude, std::chars_format::scientific, digits.decimals));
  const std::string text = digits_of(magnitude, std::chars_format::fixed, digits.decimals);
  const bool vanished = value != 0 && text.find_first_not_of("0.") == std::string::npos;
  return front + (vanished ? tidy_power(digits_of(magnitude, std::chars_format::scientific, 0)) : text);
}

std::string write(double value) {
  return write(value, digits_for({value}));
}

std::string write_distance(double value) {
  if (value == 0 || !std::isfinite(value)) return write(value, {1, true});
  return tidy_power(digits_of(value, std::chars_format::scientific, 1));
}

std::string four_digits(double value) {
  return write(value, digits_for({value}, 3));
}

}  // namespace attn::inspector
