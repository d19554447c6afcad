// Edits of the points and kernels of their workspace.
#include <doctest/doctest.h>

#include "core/kernels/fields.h"
#include "core/kernels/graph.h"
#include "core/system/error.h"

using namespace attn;

namespace {

KernelsSpec two_points() {
  KernelsSpec spec;
  spec.set = PointSet::own;
  spec.points = Tensor({1, 2, 2}, {1, 2, 3, 4});
  return spec;
}

bool makes_a_graph(const KernelsSpec& spec) {
  Document document;
  document.kernels = spec;
  try {
    build_kernels(document);
  } catch (const Error&) {
    return false;
  }
  return true;
}

// Every row of the points once, with its width, in order of x.
void check_sorted(const KernelsSpec& spec) {
  const Tensor points = points_of(spec);
  const KernelPoints sorted = sorted_points(spec);
  REQUIRE(sorted.order.size() == points.rows());
  REQUIRE(sorted.widths.empty() == spec.key_widths.empty());
  std::vector<bool> seen(points.rows());
  for (std::size_t j = 0; j < sorted.order.size(); ++j) {
    const std::size_t row = sorted.order[j];
    CHECK(!seen[row]);
    seen[row] = true;
    CHECK(sorted.keys.values()[j] == points[{0, row, 0}]);
    CHECK(sorted.values[{0, j, 0}] == points[{0, row, 1}]);
    if (j > 0) CHECK(sorted.keys.values()[j - 1] <= sorted.keys.values()[j]);
    if (!spec.key_widths.empty()) CHECK(sorted.widths.values()[j] == spec.key_widths.values()[row]);
  }
}

}  // namespace

TEST_CASE("sorted points follow each thing that decides them alone") {
  KernelsSpec spec;
  check_sorted(spec);
  spec.seed += 1;
  check_sorted(spec);
  spec.noise = 0.25;
  check_sorted(spec);
  spec.count += 3;
  check_sorted(spec);
  spec.set = PointSet::classes;
  check_sorted(spec);
  std::vector<float> widths(spec.count, 1);
  widths[4] = 2;
  spec.key_widths = Tensor({1, spec.count, 1}, widths);
  check_sorted(spec);
  widths[4] = 3;
  spec.key_widths = Tensor({1, spec.count, 1}, std::move(widths));
  check_sorted(spec);
  spec.key_widths = {};
  check_sorted(spec);
  own_points(spec);
  add_point(spec, -1, 5, 0);
  check_sorted(spec);
}

TEST_CASE("what is drawn becomes the person's own when a point of it changes") {
  KernelsSpec spec;
  const Tensor drawn = points_of(spec);
  move_point(spec, 3, 1.5f, -2);
  CHECK(spec.set == PointSet::own);
  CHECK(spec.points[{0, 3, 0}] == 1.5f);
  CHECK(spec.points[{0, 3, 1}] == -2);
  CHECK(spec.points[{0, 2, 1}] == drawn[{0, 2, 1}]);
  add_point(spec, {9, 8});
  CHECK(spec.points.rows() == 41);
  CHECK(spec.points[{0, 40, 1}] == 8);
  remove_point(spec, 0);
  CHECK(spec.points.rows() == 40);
  CHECK(spec.points[{0, 0, 0}] == drawn[{0, 1, 0}]);
}

TEST_CASE("widths of points come and go with them") {
  KernelsSpec spec = two_points();
  spec.key_widths = Tensor({1, 2, 1}, {0.5f, 2});
  add_point(spec, {5, 6});
  CHECK(spec.key_widths.values()[2] == 1);
  remove_point(spec, 0);
  CHECK(spec.key_widths.values()[0] == 2);
  CHECK(makes_a_graph(spec));
}

TEST_CASE("the last point can go and the first come back") {
  KernelsSpec spec = two_points();
  remove_point(spec, 0);
  remove_point(spec, 0);
  CHECK(makes_a_graph(spec));  // of queries alone
  add_point(spec, {3, 4});
  CHECK(makes_a_graph(spec));
}

TEST_CASE("a kernel comes and goes and one stays") {
  KernelsSpec spec;
  toggle_kernel(spec, Kernel::boxcar);
  CHECK(spec.kernels.size() == 3);
  toggle_kernel(spec, Kernel::cosine);
  toggle_kernel(spec, Kernel::dot);
  CHECK(spec.kernels.size() == kMostCurves);
  CHECK(spec.kernels.back() == Kernel::dot);
  for (const Kernel kernel : std::vector<Kernel>(spec.kernels)) toggle_kernel(spec, kernel);
  CHECK(spec.kernels.size() == 1);
}
