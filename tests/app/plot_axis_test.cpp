// Values and pixels of an axis, its zoom and its limits.
#include "app/plot/plot_axis.h"
#include "core/text/special.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace attn;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

bool is_proper(const PlotRange& range, bool log) {
  return std::isfinite(range.low) && std::isfinite(range.high) && range.low < range.high &&
         (!log || range.low > 0);
}

}  // namespace

TEST_CASE("plot values and pixels invert each other on both kinds of axis") {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> exponent(-9, 9), share(0, 1);
  for (int i = 0; i < 5000; ++i) {
    const bool log = i % 2 == 0;
    const double low = std::pow(10, exponent(random));
    const PlotRange range{log ? low : low - 3, low * (2 + std::pow(10, exponent(random)))};
    const AxisScale scale(range, log, i % 3 == 0 ? 500.0f : 40.0f, i % 3 == 0 ? 30.0f : 620.0f);
    const double from = scale.place(scale.range().low), to = scale.place(scale.range().high);
    const double pixel = from + (to - from) * share(random);
    CHECK(scale.place(scale.value(pixel)) == doctest::Approx(pixel).epsilon(1e-9));
    CHECK(scale.shows(scale.value((from + to) / 2)));
  }
}

TEST_CASE("plot axes put the ends of the range at the ends of the pixels") {
  const AxisScale linear({-2, 6}, false, 400, 100);
  CHECK(linear.pixel(-2) == 400);
  CHECK(linear.pixel(6) == 100);
  CHECK(linear.pixel(2) == 250);
  const AxisScale log({1, 10000}, true, 0, 400);
  CHECK(log.pixel(100) == doctest::Approx(200));
  CHECK(log.value(300) == doctest::Approx(1000));
}

TEST_CASE("plot values without a place have none") {
  const AxisScale log({1, 100}, true, 0, 100), linear({0, 1}, false, 0, 100);
  CHECK(std::isnan(log.pixel(-1)));
  CHECK(std::isnan(linear.pixel(kNan)));
  CHECK(log.pixel(0) < -1e5f);
  CHECK(std::abs(linear.pixel(kInf)) <= 1e6f);
  CHECK(std::abs(linear.pixel(-1e308)) <= 1e6f);
}

TEST_CASE("plot ranges come out proper whatever they were") {
  const double values[] = {kNan, kInf, -kInf, 0, 1, -1, 5, 1e300, -1e300, 1e308, 1e-300, -1e-310, 5 + 1e-13};
  for (const double low : values)
    for (const double high : values)
      for (const bool log : {false, true}) {
        CAPTURE(low);
        CAPTURE(high);
        const PlotRange range = proper_range({low, high}, log);
        CHECK(is_proper(range, log));
        CHECK(proper_range(range, log) == range);
        const AxisScale scale(range, log, 0, 500);
        for (const double at : {0.0, 250.0, 500.0}) CHECK(std::isfinite(scale.value(at)));
        for (const float at : {0.0f, 250.0f})
          for (const double factor : {1e-9, 0.5, 2.0, 1e9}) CHECK(is_proper(scale.zoomed(at, factor), log));
        CHECK(is_proper(scale.panned(scale.value(100), 400), log));
      }
}

TEST_CASE("a plot of one value has room around it") {
  CHECK(proper_range({5, 5}, false) == PlotRange{4.5, 5.5});
  CHECK(proper_range({0, 0}, false) == PlotRange{-1, 1});
  const PlotRange log = proper_range({10, 10}, true);
  CHECK(log.low < 10);
  CHECK(log.high > 10);
}

TEST_CASE("zooming a plot axis keeps the value at the pointer where it is") {
  for (const bool log : {false, true})
    for (const double factor : {1.2, 3.0, 0.4}) {
      const AxisScale before({1, 1000}, log, 0, 600);
      const AxisScale after(before.zoomed(150, factor), log, 0, 600);
      CHECK(after.value(150) == doctest::Approx(before.value(150)));
      const double length =
          log ? std::log(after.range().high / after.range().low) : after.range().high - after.range().low;
      const double was = log ? std::log(1000.0) : 999;
      CHECK(length == doctest::Approx(was / factor));
    }
}

TEST_CASE("panning a plot axis brings a value to the pointer and keeps the length") {
  const AxisScale linear({0, 10}, false, 0, 100), log({1, 100}, true, 0, 100);
  const PlotRange moved = linear.panned(5, 80);
  CHECK(moved.low == doctest::Approx(-3));
  CHECK(moved.high == doctest::Approx(7));
  const PlotRange moved_log = log.panned(10, 0);
  CHECK(moved_log.low == doctest::Approx(10));
  CHECK(moved_log.high == doctest::Approx(1000));
}

TEST_CASE("plot axes cannot be zoomed further than numbers tell apart") {
  AxisScale scale({1e6, 1e6 + 1}, false, 0, 500);
  for (int i = 0; i < 200; ++i) scale = AxisScale(scale.zoomed(250, 1.5), false, 0, 500);
  CHECK(is_proper(scale.range(), false));
  CHECK(scale.range().high - scale.range().low >= 1e6 * 1e-12);
  for (int i = 0; i < 5000; ++i) scale = AxisScale(scale.zoomed(250, 0.5), false, 0, 500);
  CHECK(is_proper(scale.range(), false));
}

TEST_CASE("the resolution of a plot axis is what a pixel makes") {
  const AxisScale linear({0, 10}, false, 0, 1000), log({1, 1000}, true, 0, 300);
  CHECK(linear.resolution(3) == doctest::Approx(0.01));
  CHECK(log.resolution(100) == doctest::Approx(log.value(201) - log.value(200)));
}
