// The points of the workspace of kernels, its edits, and the stages of its graph.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/kernels/fields.h"
#include "core/kernels/graph.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/contains.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document of_spec(KernelsSpec spec) {
  Document document;
  document.kernels = std::move(spec);
  return document;
}

KernelsSpec given(std::vector<float> points, std::size_t columns = 2) {
  KernelsSpec spec;
  spec.set = PointSet::own;
  const std::size_t rows = points.size() / columns;
  spec.points = Tensor({1, rows, columns}, std::move(points));
  return spec;
}

std::vector<double> numbers(const Tensor64& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}

struct Computed {
  explicit Computed(const KernelsSpec& spec)
      : places(places_in<KernelsPlaces>(build_kernels(of_spec(spec)))),
        outputs(evaluate_in_double(build_kernels(of_spec(spec)).graph)) {}
  std::vector<double> estimate(std::size_t curve = 0) const {
    return numbers(outputs[places.curves[curve].estimate]);
  }
  KernelsPlaces places;
  std::vector<Tensor64> outputs;
};

std::string refusal_of_kernels(const KernelsSpec& spec) {
  try {
    build_kernels(of_spec(spec));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("drawn points depend on set and seed and count alone") {
  const KernelsSpec spec;
  const Tensor points = points_of(spec);
  CHECK(points.shape() == Shape{1, 40, 2});
  CHECK(points == points_of(spec));
  KernelsSpec other = spec, more = spec;
  other.seed = 8, more.count = 60;
  CHECK(!(points_of(other) == points));
  for (std::size_t i = 0; i < 40; ++i) CHECK(points_of(more)[{0, i, 1}] == points[{0, i, 1}]);
  for (std::size_t i = 0; i < 40; ++i) {
    CHECK(points[{0, i, 0}] >= 0);
    CHECK(points[{0, i, 0}] < 5);
  }
}

TEST_CASE("without noise points lie on their curve") {
  for (const PointSet set : {PointSet::sine, PointSet::power}) {
    KernelsSpec spec;
    spec.set = set, spec.noise = 0;
    const Tensor points = points_of(spec);
    for (std::size_t i = 0; i < points.rows(); ++i) {
      const double x = points[{0, i, 0}];
      const double y = 2 * std::sin(x) + (set == PointSet::sine ? x : std::pow(x, 0.8));
      CHECK(points[{0, i, 1}] == static_cast<float>(y));
    }
  }
}

TEST_CASE("noise is normal with its standard deviation") {
  KernelsSpec spec;
  spec.count = 20000, spec.noise = 0.5;
  const Tensor points = points_of(spec);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < spec.count; ++i) {
    const double e =
        static_cast<double>(points[{0, i, 1}]) - true_value(spec.set, spec.noise, points[{0, i, 0}]);
    sum += e, squares += e * e;
  }
  CHECK(std::abs(sum / 20000) < 4 * 0.5 / std::sqrt(20000.0));
  CHECK(std::sqrt(squares / 20000) == doctest::Approx(0.5).epsilon(0.03));
}

TEST_CASE("a point of two classes is of one and estimates are their probabilities") {
  KernelsSpec spec;
  spec.set = PointSet::classes, spec.count = 200;
  const Tensor points = points_of(spec);
  REQUIRE(points.columns() == 3);
  std::size_t second = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    CHECK(points[{0, i, 1}] + points[{0, i, 2}] == 1);
    CHECK(points[{0, i, 1}] * points[{0, i, 2}] == 0);
    second += points[{0, i, 2}] == 1;
  }
  CHECK(second > 40);
  CHECK(second < 160);
  const std::vector<double> estimate = Computed(spec).estimate();
  for (std::size_t i = 0; i < estimate.size(); i += 2)
    CHECK(estimate[i] + estimate[i + 1] == doctest::Approx(1));
}

TEST_CASE("keys are in order of x and know which point they are") {
  const KernelPoints points = sorted_points(given({3, 30, 1, 10, 2, 20}));
  CHECK(points.order == std::vector<std::size_t>{1, 2, 0});
  CHECK(points.values.values()[0] == 10);
  CHECK(points.keys.values()[2] == 3);
}

TEST_CASE("equal keys keep the order of their rows and so do both zeros among numbers of either sign") {
  const KernelPoints points =
      sorted_points(given({0.0f, 1, -1e-40f, 2, -0.0f, 3, 2, 4, -2, 5, 0.0f, 6, -2, 7}));
  CHECK(points.order == std::vector<std::size_t>{4, 6, 1, 0, 2, 5, 3});
}

TEST_CASE("several kernels share the first width and one kernel has every width") {
  KernelsSpec spec;
  spec.widths = {0.1, 0.2, 0.5};
  const auto kernels = curves_of(spec);
  REQUIRE(kernels.size() == 4);
  CHECK(kernels[3].kernel == Kernel::triangular);
  CHECK(kernels[3].width == 0.1);
  spec.kernels = {Kernel::tricube};
  const auto widths = curves_of(spec);
  REQUIRE(widths.size() == 3);
  CHECK(widths[2].kernel == Kernel::tricube);
  CHECK(widths[2].width == 0.5);
}

TEST_CASE("every kernel has its stages and weights that sum to 1 where points are in reach") {
  KernelsSpec spec;
  spec.linear = true;
  for (std::size_t kernel = 0; kernel < kKernels.size(); ++kernel) {
    spec.kernels = {static_cast<Kernel>(kernel)};
    const Computed c(spec);
    const KernelStages& stages = c.places.curves[0];
    CHECK(stages.distances.has_value() == (spec.kernels[0] != Kernel::dot));
    REQUIRE(stages.weights);
    CHECK(stages.line);
    CHECK(stages.errors);
    const std::vector<double> weights = numbers(c.outputs[*stages.weights]);
    for (std::size_t i = 0; i < spec.queries; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 40; ++j) sum += weights[i * 40 + j];
      CHECK((std::isnan(sum) || std::abs(sum - 1) <= 1e-12));
    }
  }
}

TEST_CASE("estimates without their pairs are those with them") {
  KernelsSpec spec;
  for (std::size_t kernel = 0; kernel < kKernels.size(); ++kernel) {
    spec.kernels = {static_cast<Kernel>(kernel)};
    Graph whole, alone;
    const KernelsPlaces with = append_kernels(whole, spec, {.pairs = true, .errors = false});
    const KernelsPlaces without = append_kernels(alone, spec, {.pairs = false, .errors = false});
    CHECK(alone.stages.size() < whole.stages.size());
    const std::vector<double> a = numbers(evaluate_in_double(whole)[with.curves[0].estimate]);
    const std::vector<double> b = numbers(evaluate_in_double(alone)[without.curves[0].estimate]);
    for (std::size_t i = 0; i < a.size(); ++i)
      CHECK(((std::isnan(a[i]) && std::isnan(b[i])) || std::abs(a[i] - b[i]) <= 1e-12));
  }
}

TEST_CASE("of many points there are estimates alone and no errors") {
  KernelsSpec spec;
  spec.count = kernels_field::kMostPoints;
  const KernelsPlaces places = places_in<KernelsPlaces>(build_kernels(of_spec(spec)));
  CHECK(!places.curves[0].weights);
  CHECK(!places.curves[0].errors);
}

TEST_CASE("a point may have a width of its own") {
  KernelsSpec spec = given({0, 1, 3, 5});
  spec.kernels = {Kernel::boxcar};
  spec.widths = {1};
  spec.key_widths = Tensor({1, 2, 1}, {1, 2});
  spec.first = spec.last = 1, spec.queries = 1;
  CHECK(Computed(spec).estimate() == std::vector<double>{3});
  spec.key_widths = Tensor({1, 2, 1}, {1, 1.5f});
  CHECK(Computed(spec).estimate() == std::vector<double>{1});
}

TEST_CASE("the width by neighbours reaches k points") {
  KernelsSpec spec = given({0, 1, 3, 5, 4, 9, 10, 0});
  spec.kernels = {Kernel::boxcar};
  spec.width_rule = WidthRule::neighbours, spec.neighbours = 3;
  spec.first = spec.last = 1, spec.queries = 1;
  CHECK(Computed(spec).estimate() == std::vector<double>{5});
}

TEST_CASE("errors of neighbours leave the point itself out") {
  KernelsSpec spec = given({0, 1, 1, 3, 3, 8});
  spec.kernels = {Kernel::boxcar};
  spec.width_rule = WidthRule::neighbours;
  const Computed c(spec);
  // The nearest other: 3, 1 and 3. Both others: 5.5, 4.5 and 2.
  const std::vector<double> errors = numbers(c.outputs[*c.places.curves[0].errors]);
  REQUIRE(errors.size() == 2);
  CHECK(errors[0] == doctest::Approx((4.0 + 4 + 25) / 3));
  CHECK(errors[1] == doctest::Approx((4.5 * 4.5 + 1.5 * 1.5 + 36) / 3));
}

TEST_CASE("what cannot be regressed is refused with its place") {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  CHECK(contains(refusal_of_kernels(given({1, 2, nan, 3})), "points: row 1, column 0 is not a number (NaN)"));
  CHECK(contains(refusal_of_kernels(given({1, infinity})), "row 0, column 1 is infinite"));
  CHECK_THROWS_WITH(sorted_points(given({})), "there are no points: add one");
  CHECK(contains(refusal_of_kernels(given({1, 2}, 1)), "needs its x and a value"));
  KernelsSpec widths = given({1, 2});
  widths.key_widths = Tensor({1, 2, 1}, {1, 1});
  CHECK(contains(refusal_of_kernels(widths), "give one width to each"));
  widths.key_widths = Tensor({1, 1, 1}, {0});
  CHECK(contains(refusal_of_kernels(widths), "must be over 0"));
  KernelsSpec none;
  none.kernels.clear();
  CHECK(contains(refusal_of_kernels(none), "kernels.kernels has 0 entries, but must have from 1 to 4"));
  KernelsSpec twice;
  twice.kernels = {Kernel::boxcar, Kernel::boxcar};
  CHECK(contains(refusal_of_kernels(twice), "names boxcar twice"));
  KernelsSpec narrow;
  narrow.widths = {0};
  CHECK(contains(refusal_of_kernels(narrow), "kernels.widths entry 0 must be from 1e-6 to 1e6"));
}

TEST_CASE("a number of own points is edited and one of drawn points overridden in the graph alone") {
  Document document = of_spec(given({1, 2, 3, 4}));
  set_number(document, kKernelsPlan, "points", {0, 1, 1}, 9);
  CHECK(document.kernels.points[{0, 1, 1}] == 9);
  set_number(document, kKernelsPlan, "gaussian.weights", {0, 0, 0}, 0.5f);
  REQUIRE(document.overrides.size() == 1);
  const KernelsPlaces places = places_in<KernelsPlaces>(build_kernels(document));
  const Graph graph = build_kernels(document).graph;
  CHECK(graph.stages[*places.curves[0].weights].computed_from);
  CHECK(graph.stages[places.curves[1].estimate].id == "boxcar.estimate");
}

TEST_CASE("a layer that is to be repaired shows no points") {
  Document document = of_spec(given({1, 2}));
  document.layer().x = Tensor({1, 1, 2}, {1, 2});  // without projections
  const Graph graph = graph_of(kLayerPlan, document);
  CHECK(graph.stages.size() == 1);
  CHECK(graph.stages[0].field == "layer.x");
}

TEST_CASE("a document whose points make no graph shows them to be repaired") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Graph graph = graph_of(kKernelsPlan, of_spec(given({1, nan})));
  REQUIRE(graph.stages.size() == 1);
  CHECK(graph.stages[0].field == "kernels.points");
}
