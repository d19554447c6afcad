// Plots' numbers in words. Units: SI for time and bytes; minutes, hours and days for long times.
#include "app/plot/plot_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace attn {
namespace {

constexpr const char* kThin = "\u2009";
constexpr double kLargestPlain = 1e7, kLeastPlain = 1e-4;  // others are powers of ten
constexpr int kMostDigits = 9;
constexpr double kMinute = 60, kHour = 3600, kDay = 86400, kYear = 365.25 * kDay;

struct Unit {
  double from, size;  // from which magnitude on it is used
  const char* suffix;
};
constexpr std::array kTimes{Unit{kYear * 3, kYear, " years"},
                            Unit{kDay * 2, kDay, " days"},
                            Unit{kHour * 2, kHour, " h"},
                            Unit{kMinute * 2, kMinute, " min"},
                            Unit{1, 1, " s"},
                            Unit{1e-3, 1e-3, " ms"},
                            Unit{1e-6, 1e-6, " µs"},
                            Unit{0, 1e-9, " ns"}};
constexpr std::array kBytes{Unit{1e18, 1e18, " EB"}, Unit{1e15, 1e15, " PB"}, Unit{1e12, 1e12, " TB"},
                            Unit{1e9, 1e9, " GB"},   Unit{1e6, 1e6, " MB"},   Unit{1e3, 1e3, " KB"},
                            Unit{0, 1, " B"}};

// The unit for a number of that magnitude; a hair below still counts, as 0.9999999 s does for 1 s.
Unit unit_of(PlotAxis::Format format, double magnitude) {
  const auto first = [&](const auto& units) {
    const auto fits = [&](const Unit& unit) { return magnitude * (1 + 1e-9) >= unit.from; };
    return *std::ranges::find_if(units, fits);
  };
  if (format == PlotAxis::seconds) return first(kTimes);
  if (format == PlotAxis::bytes) return first(kBytes);
  if (format == PlotAxis::percent) return {0, 0.01, " %"};
  return {0, 1, ""};
}

int exponent_of(double value) {
  return value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
}

// As many as the step needs to be exact: 2 for 0.25.
int decimals_of(double step) {
  const int first = std::clamp(-exponent_of(step), 0, 15);
  for (int decimals = first; decimals < first + 3; ++decimals) {
    const double counted = step * std::pow(10, decimals);
    if (std::abs(counted - std::round(counted)) < 1e-6) return decimals;
  }
  return first;
}

std::string fixed(double value, int decimals) {
  char buffer[400];
  const auto [end, status] =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
  return status == std::errc() ? std::string(buffer, end) : std::string();
}

void strip_zeros(std::string& digits) {
  if (digits.find('.') == std::string::npos) return;
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
}

// "10⁻⁶"
std::string power(int base, int exponent) {
  constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = std::to_string(base) + (exponent < 0 ? "⁻" : "");
  for (const char digit : std::to_string(std::abs(exponent))) text += kDigits[digit - '0'];
  return text;
}

// "2.5·10⁹", the mantissa with at most so many decimals.
std::string with_power(double value, int decimals) {
  if (value == 0) return "0";
  int exponent = exponent_of(value);
  std::string mantissa = fixed(std::abs(value) / std::pow(10, exponent), std::clamp(decimals, 0, 12));
  if (mantissa.starts_with("10")) mantissa = "1", ++exponent;
  strip_zeros(mantissa);
  const std::string sign = value < 0 ? "−" : "";
  return sign + (mantissa == "1" ? "" : mantissa + "·") + power(10, exponent);
}

// At most `digits` significant ones, none of them a zero behind the point for nothing.
std::string significant(double value, int digits) {
  const int exponent = exponent_of(value);
  if (exponent >= digits) {
    const double unit = std::pow(10, exponent - digits + 1);
    return decimal_text(std::round(value / unit) * unit, 0);
  }
  std::string text = decimal_text(value, std::clamp(digits - 1 - exponent, 0, 15));
  strip_zeros(text);
  return text;
}

std::string not_finite(double value) {
  return std::isnan(value) ? "NaN" : value > 0 ? "∞" : "−∞";
}

std::string plural(std::string text) {
  if (text == "1 days") return "1 day";
  return text == "1 years" ? "1 year" : text;
}

}  // namespace

std::string decimal_text(double value, int decimals) {
  if (!std::isfinite(value)) return not_finite(value);
  const std::string digits = fixed(std::abs(value), decimals);
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  std::string text = value < 0 && !zero ? "−" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0) text += kThin;
    text += digits[i];
  }
  return text;
}

AxisNumbers axis_numbers(PlotAxis::Format format, double largest, double step) {
  Unit unit = unit_of(format, largest);
  // Long times are counted in what the step is a round number of: every 30 s up to 3 minutes.
  if (format == PlotAxis::seconds && largest >= 1) {
    const bool odd = step < kMinute;
    unit = odd            ? Unit{1, 1, " s"}
           : step < kHour ? Unit{0, kMinute, " min"}
           : step < kDay  ? Unit{0, kHour, " h"}
                          : Unit{0, kDay, " days"};
  }
  AxisNumbers numbers{.format = format, .unit = unit.size, .step = step, .suffix = unit.suffix};
  numbers.decimals = decimals_of(step / unit.size);
  const double most = largest / unit.size;
  numbers.powers = most >= kLargestPlain || (most > 0 && most < kLeastPlain) ||
                   exponent_of(std::max(most, 1.0)) + 1 + numbers.decimals > kMostDigits;
  return numbers;
}

std::string tick_text(const AxisNumbers& numbers, double value) {
  if (std::abs(value) < numbers.step * 1e-6) return "0";
  const double counted = value / numbers.unit;
  if (!numbers.powers) {
    std::string text = decimal_text(counted, numbers.decimals);
    strip_zeros(text);
    return plural(text + numbers.suffix);
  }
  const int decimals = exponent_of(counted) - exponent_of(numbers.step / numbers.unit) + 1;
  return with_power(counted, decimals) + numbers.suffix;
}

std::string log_tick_text(PlotAxis::Format format, int base, double value) {
  if (format != PlotAxis::number) {
    Unit unit = unit_of(format, value);
    // "1 000 s" is a power; "17 min" is not.
    if (format == PlotAxis::seconds && value < kDay && value >= 1) unit = {1, 1, " s"};
    const double counted = value / unit.size;
    const bool extreme = counted >= kLargestPlain || counted < kLeastPlain;
    return plural((extreme ? with_power(counted, 2) : significant(counted, 3)) + unit.suffix);
  }
  if (value < kLargestPlain * (1 - 1e-9) && value >= kLeastPlain * (1 - 1e-9)) return significant(value, 8);
  const double exponent = std::log2(value);
  if (base == 2 && std::abs(exponent - std::round(exponent)) < 1e-9)
    return power(2, static_cast<int>(std::round(exponent)));
  return with_power(value, 2);
}

std::string time_left_text(double seconds) {
  return seconds < 0.5 ? "" : readout_text(PlotAxis::seconds, std::ceil(seconds), 1) + " left";
}

std::string readout_text(PlotAxis::Format format, double value, double resolution) {
  if (!std::isfinite(value)) return not_finite(value);
  constexpr int kLeast = 4, kMost = 8;  // significant digits
  const double magnitude = std::abs(value);
  const int needed = exponent_of(value) - exponent_of(std::max(resolution, 1e-300)) + 1;
  if (format != PlotAxis::number) {
    const Unit unit = unit_of(format, magnitude);
    if (value == 0) return format == PlotAxis::percent ? "0 %" : "0";
    const double counted = value / unit.size;
    const bool extreme = magnitude / unit.size >= kLargestPlain || magnitude / unit.size < kLeastPlain;
    const int digits = std::clamp(needed, kLeast, kMost);
    return plural((extreme ? with_power(counted, 3) : significant(counted, digits)) + unit.suffix);
  }
  if (value == std::round(value) && magnitude < 1e12) return decimal_text(value, 0);
  const int digits = std::clamp(needed, kLeast, kMost);
  if (magnitude >= kLargestPlain || magnitude < kLeastPlain) return with_power(value, digits - 1);
  return significant(value, digits);
}

}  // namespace attn
