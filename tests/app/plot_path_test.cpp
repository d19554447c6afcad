// From samples to lines in pixels.
#include "app/plot/plot_path.h"

#include <algorithm>
#include <random>

#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

const Rect kBox{{0, 0}, {400, 300}};

PlotPath path_of(const Series& series, PlotRange x, PlotRange y, PathOptions options = {.box = kBox}) {
  return plot_path(series, series.y, AxisScale(x, false, 0, 400), AxisScale(y, false, 300, 0), options);
}

float distance_to_line(const std::vector<ImVec2>& line, ImVec2 p) {
  float nearest = 1e9f;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const float dx = line[i + 1].x - line[i].x, dy = line[i + 1].y - line[i].y, square = dx * dx + dy * dy;
    const float t =
        square > 0 ? std::clamp(((p.x - line[i].x) * dx + (p.y - line[i].y) * dy) / square, 0.0f, 1.0f) : 0;
    nearest = std::min(nearest, std::hypot(p.x - line[i].x - t * dx, p.y - line[i].y - t * dy));
  }
  return nearest;
}

}  // namespace

TEST_CASE("a plotted line has its samples as corners") {
  const PlotPath path = path_of(curve("", {0, 1, 0, 1}), {0, 3}, {0, 1});
  REQUIRE(path.points.size() == 4);
  CHECK(path.ends == std::vector<std::size_t>{4});
  CHECK(path.points[1].x == doctest::Approx(400.0f / 3));
  CHECK(path.points[1].y == doctest::Approx(0));
  CHECK(path.points[2].y == doctest::Approx(300));
}

TEST_CASE("a plotted line has gaps where samples have no place") {
  const PlotPath path = path_of(curve("", {0, 1, kNan, 1, 0, kInfinity, 1}), {0, 6}, {0, 1});
  CHECK(path.ends.size() == 2);
  CHECK(path_of(curve("", {kNan, 1, kNan}), {0, 2}, {0, 1}).points.empty());
  CHECK(path_of(curve("", {}), {0, 2}, {0, 1}).points.empty());
}

TEST_CASE("a straight plotted line has two points however many samples it has") {
  const Series series = function_curve("", 1000, 1, [](double x) { return x; });
  CHECK(path_of(series, {0, 999}, {0, 999}).points.size() == 2);
}

TEST_CASE("points left out of a line lie on what remains within the tolerance") {
  std::mt19937 random(6);
  std::normal_distribution<float> noise(0, 0.4f);
  for (const float tolerance : {0.2f, 0.5f, 2.0f})
    for (int kind = 0; kind < 4; ++kind) {
      std::vector<ImVec2> line;
      for (int i = 0; i < 800; ++i) {
        const float t = static_cast<float>(i) * 0.02f;
        if (kind == 0) line.push_back({20 * t, 100 + 50 * std::sin(t)});
        if (kind == 1) line.push_back({20 * t, 100 + 50 * std::sin(t) + noise(random)});
        if (kind == 2) line.push_back({100 + 5 * t * std::cos(t), 100 + 5 * t * std::sin(t)});
        if (kind == 3) line.push_back({100 * static_cast<float>(i % 2), t});
      }
      const std::vector<ImVec2> kept = simplified(line, tolerance);
      CAPTURE(kind);
      CAPTURE(tolerance);
      CHECK(kept.size() <= line.size() + 1);
      if (kind == 0) CHECK(kept.size() < line.size() / 4);
      for (const ImVec2 p : line) REQUIRE(distance_to_line(kept, p) <= tolerance * 1.01f);
    }
}

TEST_CASE("of many samples in a column of pixels the extremes are drawn") {
  std::vector<double> y(100'000, 0.5);
  y[31'234] = 1;
  y[77'777] = 0;
  const PlotPath path = path_of(curve("", y), {0, 99'999}, {0, 1});
  CHECK(path.points.size() < 900);
  const auto at = [&](float x, float height) {
    return std::ranges::any_of(
        path.points, [&](ImVec2 p) { return std::abs(p.x - x) < 1 && std::abs(p.y - height) < 0.01f; });
  };
  CHECK(at(31'234.0f / 99'999 * 400, 0));
  CHECK(at(77'777.0f / 99'999 * 400, 300));
}

TEST_CASE("a long line costs no more than its columns") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> anywhere(0, 1);
  std::vector<double> y(50'000);
  for (double& v : y) v = anywhere(random);
  CHECK(path_of(curve("", y), {0, 49'999}, {0, 1}).points.size() <= 2 * 402);
  CHECK(path_of(curve("", y), {0, 49'999}, {0, 1}, {.box = kBox, .column = 3}).points.size() <= 2 * 136);
}

TEST_CASE("a line that leaves the plot is cut and goes on where it comes back") {
  const PlotPath path = path_of(curve("", {0.5, 9, 9, 0.5}), {0, 3}, {0, 1});
  CHECK(path.ends.size() == 2);
  for (const ImVec2 p : path.points) {
    CHECK(p.y >= -17);
    CHECK(p.y <= 317);
  }
}

TEST_CASE("zoomed in very far a line keeps its slope") {
  // From (0, 0) to (1, 1), seen through a window of a billionth around (0.3, 0.3).
  const Series series = function_curve("", 2, 1, [](double x) { return x; });
  const double half = 0.5e-9;
  const PlotPath path = path_of(series, {0.3 - half, 0.3 + half}, {0.3 - half, 0.3 + half});
  REQUIRE(path.points.size() == 2);
  const ImVec2 a = path.points[0], b = path.points[1];
  CHECK((b.y - a.y) / (b.x - a.x) == doctest::Approx(-0.75).epsilon(0.01));
  CHECK(a.y + (200 - a.x) * -0.75f == doctest::Approx(150).epsilon(0.01));
}

TEST_CASE("samples out of order make a line in their order") {
  const PlotPath path =
      path_of(points("", {0, 3, 1, 2}, {0, 1, 0, 1}), {0, 3}, {0, 1}, {.box = kBox, .ordered = false});
  REQUIRE(path.points.size() == 4);
  CHECK(path.points[2].x == doctest::Approx(400.0f / 3));
}
