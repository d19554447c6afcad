// Where plots have ticks.
#include "app/plot/plot_ticks.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "app/plot/plot_axis.h"

using namespace attn;

namespace {

using Texts = std::vector<std::string>;

Texts texts(const PlotAxis& axis, PlotRange range, int most) {
  Texts written;
  for (const Tick& tick : plot_ticks(axis, axis.log, range, most)) written.push_back(tick.text);
  return written;
}

// A one, two or five, or a small multiple of one, times a power of ten.
bool is_round(double value, double unit) {
  if (value == 0) return true;
  const double counted = std::abs(value) / unit;
  const double scaled = counted / std::pow(10, std::floor(std::log10(counted) + 1e-9));
  return std::abs(scaled * 1000 - std::round(scaled * 1000)) < 1e-3;
}

}  // namespace

TEST_CASE("linear plot ticks stand at round numbers") {
  CHECK(texts({}, {0, 5}, 6) == Texts{"0", "1", "2", "3", "4", "5"});
  CHECK(texts({}, {0, 1}, 3) == Texts{"0", "0.5", "1"});
  CHECK(texts({}, {-31, 31}, 7) == Texts{"−30", "−20", "−10", "0", "10", "20", "30"});
  CHECK(texts({}, {0, 63}, 5) == Texts{"0", "20", "40", "60"});
  CHECK(texts({}, {0.1, 0.45}, 5) == Texts{"0.1", "0.2", "0.3", "0.4"});
  CHECK(texts({}, {1000.1, 1000.4}, 4) ==
        Texts{"1\u2009000.1", "1\u2009000.2", "1\u2009000.3", "1\u2009000.4"});
  CHECK(texts({}, {-4.4, 4.2}, 3) == Texts{"−4", "0", "4"});
}

TEST_CASE("plot ticks of times and shares are round in their units") {
  const PlotAxis seconds{.format = PlotAxis::seconds}, percent{.format = PlotAxis::percent};
  CHECK(texts(seconds, {0, 0.12}, 4) == Texts{"0", "50 ms", "100 ms"});
  CHECK(texts(seconds, {0, 100}, 5) == Texts{"0", "30 s", "60 s", "90 s"});
  CHECK(texts(seconds, {0, 3600}, 5) == Texts{"0", "15 min", "30 min", "45 min", "60 min"});
  CHECK(texts(seconds, {0, 2 * 86400.0}, 5) == Texts{"0", "12 h", "24 h", "36 h", "48 h"});
  CHECK(texts(seconds, {0, 10 * 86400.0}, 6) ==
        Texts{"0", "2 days", "4 days", "6 days", "8 days", "10 days"});
  CHECK(texts(percent, {0, 1}, 5) == Texts{"0", "50 %", "100 %"});
  CHECK(texts(percent, {0, 1}, 6) == Texts{"0", "20 %", "40 %", "60 %", "80 %", "100 %"});
}

TEST_CASE("logarithmic plot ticks are powers and fewer where they are crowded") {
  PlotAxis axis{.log = true};
  CHECK(texts(axis, {1, 1000}, 5) == Texts{"1", "10", "100", "1\u2009000"});
  CHECK(texts(axis, {0.05, 20}, 9) == Texts{"0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20"});
  CHECK(texts(axis, {0.05, 20}, 4) == Texts{"0.1", "1", "10"});
  CHECK(texts(axis, {1e-6, 1e6}, 5) == Texts{"10⁻⁶", "0.001", "1", "1\u2009000", "1\u2009000\u2009000"});
  axis.format = PlotAxis::seconds;
  CHECK(texts(axis, {1e-6, 1e6}, 8) == Texts{"1 µs", "1 ms", "1 s", "1\u2009000 s", "11.6 days"});
  axis.format = PlotAxis::bytes;
  CHECK(texts(axis, {1e4, 3e13}, 5) == Texts{"1 MB", "1 GB", "1 TB"});
  CHECK(texts({.log = true, .log_base = 2}, {16, 1048576}, 6) ==
        Texts{"16", "256", "4\u2009096", "65\u2009536", "1\u2009048\u2009576"});
}

TEST_CASE("a logarithmic axis without two powers in sight has linear ticks") {
  const PlotAxis axis{.log = true};
  CHECK(texts(axis, {3.1, 4.9}, 5) == Texts{"3.5", "4", "4.5"});
  CHECK(texts(axis, {1000.5, 1002.5}, 4) == Texts{"1\u2009001", "1\u2009002"});
}

TEST_CASE("named plot ticks are names and fewer where they are crowded") {
  PlotAxis axis;
  axis.names = std::make_shared<Texts>(Texts{"the", "cat", "sat", "on", "mat"});
  CHECK(texts(axis, {-0.5, 4.5}, 10) == Texts{"the", "cat", "sat", "on", "mat"});
  CHECK(texts(axis, {0.6, 3.2}, 10) == Texts{"cat", "sat", "on"});
  CHECK(texts(axis, {-0.5, 4.5}, 3) == Texts{"the", "sat", "mat"});
  CHECK(texts(axis, {7, 9}, 3).empty());
  axis.names = std::make_shared<Texts>();
  CHECK(texts(axis, {0, 1}, 3).empty());
}

TEST_CASE("plot ticks lie in the range and are round and in order and two to as many as asked") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-12, 12), place(-1, 1);
  std::uniform_int_distribution<int> counts(2, 14);
  for (int i = 0; i < 20000; ++i) {
    const auto format = static_cast<PlotAxis::Format>(i % 4);
    const bool log = i % 3 == 0;
    const double size = std::pow(10, exponent(random)),
                 middle = place(random) * std::pow(10, exponent(random));
    PlotRange range = proper_range({middle - size, middle + size}, false);
    if (log) range = proper_range({size, size * std::pow(10, std::abs(exponent(random)))}, true);
    const int most = counts(random);
    const auto ticks = plot_ticks({.format = format, .log_base = i % 5 == 0 ? 2 : 10}, log, range, most);
    CAPTURE(range.low);
    CAPTURE(range.high);
    CAPTURE(most);
    REQUIRE(ticks.size() >= 2);
    REQUIRE(static_cast<int>(ticks.size()) <= most);
    for (std::size_t t = 0; t < ticks.size(); ++t) {
      REQUIRE(ticks[t].value >= range.low);
      REQUIRE(ticks[t].value <= range.high);
      REQUIRE(!ticks[t].text.empty());
      if (t > 0) REQUIRE(ticks[t].value > ticks[t - 1].value);
      const bool far = std::abs(middle) > 100 * size;  // there the step counts, not the digits
      const bool decimal = format == PlotAxis::number || format == PlotAxis::bytes;
      if (decimal && !far && !(log && i % 5 == 0)) REQUIRE(is_round(ticks[t].value, 1));
    }
  }
}

TEST_CASE("plot ticks of extreme ranges end") {
  const PlotRange ranges[] = {
      {-1e300, 1e300}, {0, 1e-300}, {1e300 * (1 - 1e-11), 1e300}, {5, 5 + 1e-11}, {-1e-290, 0}};
  for (const PlotRange& range : ranges)
    for (int format = 0; format < 4; ++format) {
      const PlotRange proper = proper_range(range, false);
      const auto ticks = plot_ticks({.format = static_cast<PlotAxis::Format>(format)}, false, proper, 6);
      CAPTURE(range.high);
      CHECK(ticks.size() >= 2);
      CHECK(ticks.size() <= 6);
    }
  const auto ticks = plot_ticks({}, true, proper_range({1e-300, 1e300}, true), 5);
  CHECK(ticks.size() >= 2);
}
