// How plots write numbers.
#include <doctest/doctest.h>

#include <cmath>

#include "app/plot/plot_numbers.h"

using namespace attn;

namespace {

constexpr auto kNumber = PlotAxis::number, kSeconds = PlotAxis::seconds, kBytes = PlotAxis::bytes,
               kPercent = PlotAxis::percent;

std::string tick(PlotAxis::Format format, double largest, double step, double value) {
  return tick_text(axis_numbers(format, largest, step), value);
}

}  // namespace

TEST_CASE("plot numbers have thin spaces between thousands and a true minus") {
  CHECK(decimal_text(1048576, 0) == "1\u2009048\u2009576");
  CHECK(decimal_text(4096, 0) == "4\u2009096");
  CHECK(decimal_text(999, 0) == "999");
  CHECK(decimal_text(-1234.5, 1) == "−1\u2009234.5");
  CHECK(decimal_text(-0.001, 2) == "0.00");
  CHECK(decimal_text(std::nan(""), 2) == "NaN");
  CHECK(decimal_text(-HUGE_VAL, 2) == "−∞");
}

TEST_CASE("plot ticks of numbers have the decimals that their step needs") {
  CHECK(tick(kNumber, 1, 0.5, 0.5) == "0.5");
  CHECK(tick(kNumber, 1, 0.5, 1) == "1");
  CHECK(tick(kNumber, 1, 0.25, 0.25) == "0.25");
  CHECK(tick(kNumber, 30, 10, -20) == "−20");
  CHECK(tick(kNumber, 0.3, 0.1, 0.1 + 0.2) == "0.3");
  CHECK(tick(kNumber, 1, 0.2, 5e-17) == "0");
  CHECK(tick(kNumber, 200000, 50000, 150000) == "150\u2009000");
}

TEST_CASE("plot ticks of very large and very small numbers are powers of ten") {
  CHECK(tick(kNumber, 2e9, 5e8, 1.5e9) == "1.5·10⁹");
  CHECK(tick(kNumber, 2e9, 5e8, 1e9) == "10⁹");
  CHECK(tick(kNumber, 3e-6, 1e-6, -2e-6) == "−2·10⁻⁶");
  CHECK(tick(kNumber, 1e300, 5e299, 5e299) == "5·10²⁹⁹");
}

TEST_CASE("plot ticks of times share a unit") {
  CHECK(tick(kSeconds, 0.12, 0.06, 0.06) == "60 ms");
  CHECK(tick(kSeconds, 0.12, 0.06, 0.12) == "120 ms");
  CHECK(tick(kSeconds, 3e-6, 5e-7, 1.5e-6) == "1.5 µs");
  CHECK(tick(kSeconds, 4, 1, 3) == "3 s");
  CHECK(tick(kSeconds, 90, 30, 90) == "90 s");
  CHECK(tick(kSeconds, 3600, 900, 2700) == "45 min");
  CHECK(tick(kSeconds, 86400, 21600, 64800) == "18 h");
  CHECK(tick(kSeconds, 5 * 86400.0, 86400, 86400) == "1 day");
  CHECK(tick(kSeconds, 5 * 86400.0, 86400, 2 * 86400) == "2 days");
}

TEST_CASE("plot ticks of bytes and shares have their units") {
  CHECK(tick(kBytes, 2e6, 5e5, 1.5e6) == "1.5 MB");
  CHECK(tick(kBytes, 900, 200, 400) == "400 B");
  CHECK(tick(kPercent, 1, 0.5, 0.5) == "50 %");
  CHECK(tick(kPercent, 0.01, 0.005, 0.005) == "0.5 %");
}

TEST_CASE("plot ticks of logarithmic axes each have their own unit") {
  const std::pair<double, const char*> times[] = {{1e-6, "1 µs"},        {1e-3, "1 ms"},     {1, "1 s"},
                                                  {1e3, "1\u2009000 s"}, {1e6, "11.6 days"}, {1e-9, "1 ns"}};
  for (const auto& [value, text] : times) CHECK(log_tick_text(kSeconds, 10, value) == text);
  const std::pair<double, const char*> sizes[] = {{1e3, "1 KB"},   {1e6, "1 MB"},  {1e9, "1 GB"},
                                                  {1e10, "10 GB"}, {1e12, "1 TB"}, {1, "1 B"}};
  for (const auto& [value, text] : sizes) CHECK(log_tick_text(kBytes, 10, value) == text);
  const std::pair<double, const char*> numbers[] = {{0.001, "0.001"},     {0.05, "0.05"},
                                                    {1000, "1\u2009000"}, {1e6, "1\u2009000\u2009000"},
                                                    {1e7, "10⁷"},         {2e-6, "2·10⁻⁶"}};
  for (const auto& [value, text] : numbers) CHECK(log_tick_text(kNumber, 10, value) == text);
  CHECK(log_tick_text(kNumber, 2, 1048576) == "1\u2009048\u2009576");
  CHECK(log_tick_text(kNumber, 2, std::exp2(40)) == "2⁴⁰");
  CHECK(log_tick_text(kNumber, 2, 0.25) == "0.25");
  CHECK(log_tick_text(kPercent, 10, 0.01) == "1 %");
}

TEST_CASE("plot read-outs are as exact as a pixel is") {
  CHECK(readout_text(kNumber, 3.7184069, 0.01) == "3.718");
  CHECK(readout_text(kNumber, 3.7184069, 1e-6) == "3.718407");
  CHECK(readout_text(kNumber, 4096, 10) == "4\u2009096");
  CHECK(readout_text(kNumber, -2, 0.01) == "−2");
  CHECK(readout_text(kNumber, 1.25e-9, 1e-12) == "1.25·10⁻⁹");
  CHECK(readout_text(kNumber, std::nan(""), 1) == "NaN");
  CHECK(readout_text(kSeconds, 0.0012345, 1e-6) == "1.234 ms");
  CHECK(readout_text(kSeconds, 90, 1) == "90 s");
  CHECK(readout_text(kBytes, 402653184, 1e6) == "402.7 MB");
  CHECK(readout_text(kBytes, 512, 1) == "512 B");
  CHECK(readout_text(kPercent, 0.1286, 0.001) == "12.86 %");
  CHECK(readout_text(kSeconds, 0, 1) == "0");
}

TEST_CASE("plot numbers of any size are short") {
  for (const PlotAxis::Format format : {kNumber, kSeconds, kBytes, kPercent})
    for (int exponent = -300; exponent <= 300; ++exponent)
      for (const double mantissa : {1.0, -3.7184069, 9.9999999}) {
        const double value = mantissa * std::pow(10.0, exponent);
        CAPTURE(value);
        CHECK(readout_text(format, value, std::abs(value) / 500).size() < 40);
        CHECK(tick(format, std::abs(value), std::pow(10.0, exponent), value).size() < 40);
        if (value > 0) CHECK(log_tick_text(format, 10, std::pow(10.0, exponent)).size() < 40);
      }
}
