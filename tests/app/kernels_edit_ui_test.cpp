// Edits in the workspace of kernels: points dragged, added, removed and typed, widths and kernels; each is
// one step with a name, and taken back.
#include "app/workspaces/kernels/view.h"
#include "core/text/text.h"
#include "tests/app/kernels_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a point dragged is one step and estimate and errors follow") {
  KernelsLab lab(points_at({0, 1, 1, 3, 2, 2, 3, 4, 4, 1, 5, 3}));
  const ImVec2 from = lab.point(2);
  KernelsSpec before = lab.spec();
  const std::size_t steps = lab.steps();
  const Tensor estimate = lab.output("gaussian.estimate"), errors = lab.output("gaussian.loo_error");
  lab.drag(from, {from.x, from.y - 60});
  lab.settle();
  CHECK(lab.steps() == steps + 1);
  CHECK(lab.spec().points[{0, 2, 0}] == doctest::Approx(2).epsilon(0.02));
  CHECK(lab.spec().points[{0, 2, 1}] > 2.3f);
  CHECK_FALSE(lab.output("gaussian.estimate") == estimate);
  CHECK_FALSE(lab.output("gaussian.loo_error") == errors);
  lab.undo();
  CHECK(lab.spec() == before);
}

TEST_CASE("estimates follow within the frames of a drag") {
  KernelsLab lab(points_at({0, 1, 1, 3, 2, 2, 3, 4, 4, 1, 5, 3}));
  const ImVec2 from = lab.point(3);
  lab.move(from);
  lab.press();
  Tensor last = lab.output("gaussian.estimate");
  for (int i = 1; i <= 3; ++i) {
    lab.move({from.x, from.y + 15.0f * static_cast<float>(i)});
    const auto results = lab.app().engine_state().results;
    CHECK(results->document == lab.document());
    CHECK_FALSE(results->output("gaussian.estimate") == last);
    last = results->output("gaussian.estimate");
  }
  lab.release();
}

TEST_CASE("drawn points become the person's own when one is dragged and keep their true curve") {
  KernelsLab lab;
  const KernelsSpec before = lab.spec();
  const Tensor drawn = points_of(before);
  const ImVec2 from = lab.point(0);
  lab.drag(from, {from.x, from.y + 40});
  lab.settle();
  CHECK(lab.spec().set == PointSet::own);
  CHECK(lab.spec().truth == PointSet::sine);
  CHECK(lab.spec().points.rows() == 40);
  CHECK(lab.spec().points[{0, 7, 1}] == drawn[{0, 7, 1}]);
  CHECK(lab.find_text("true curve"));
}

TEST_CASE("a click adds a point there and Delete removes it") {
  KernelsLab lab(points_at({0, 1, 5, 3}));
  const KernelsSpec before = lab.spec();
  const ImVec2 at = lab.in_plot(0.5f, 0.75f);
  lab.click(at);
  lab.settle();
  REQUIRE(lab.spec().points.rows() == 3);
  CHECK(lab.at().selected == 2);
  CHECK(lab.spec().points[{0, 2, 0}] == doctest::Approx(lab.at().q).epsilon(0.05));
  check_undo(lab, before, "points");
  lab.view().of<KernelsView>().selected = 2;
  lab.move(at);
  lab.key(GLFW_KEY_DELETE);
  lab.settle();
  CHECK(lab.spec() == before);
}

TEST_CASE("points are added and chosen and removed by keys alone") {
  KernelsLab lab(points_at({0, 1, 1, 3, 2, 2}));
  const KernelsSpec before = lab.spec();
  lab.key(GLFW_KEY_INSERT);
  lab.settle();
  CHECK(lab.spec().points.rows() == 4);
  check_undo(lab, before, "points");
  lab.key(GLFW_KEY_N);
  CHECK(lab.at().selected == 0);
  lab.key(GLFW_KEY_N, {.shift = true});
  CHECK(lab.at().selected == 3);
  lab.key(GLFW_KEY_DELETE, {.shift = true});
  lab.settle();
  CHECK(lab.spec() == before);
}

TEST_CASE("the last point can go and the first one come") {
  KernelsLab lab(points_at({2, 3}));
  CHECK(lab.shows("1 point"));
  CHECK_FALSE(lab.shows("1 points"));
  lab.key(GLFW_KEY_N);
  lab.key(GLFW_KEY_DELETE, {.shift = true});
  lab.settle();
  CHECK(lab.spec().points.rows() == 0);
  CHECK(lab.shows("no points: click to add one"));
  CHECK(lab.app().engine_state().error.empty());
  lab.click(lab.in_plot(0.4f, 0.5f));
  lab.settle();
  CHECK(lab.spec().points.rows() == 1);
  CHECK(lab.output("gaussian.estimate").rows() == 101);
}

TEST_CASE("a number typed in the table is the point's") {
  KernelsLab lab(points_at({0, 1, 1, 3, 2, 2}));
  const KernelsSpec before = lab.spec();
  lab.click_item("##kernels.point 1 y");
  lab.frames(2);
  lab.type("7.5");
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  CHECK(lab.spec().points[{0, 1, 1}] == 7.5f);
  check_undo(lab, before, "points");
  lab.click_item("remove");
  lab.settle();
  CHECK(lab.spec().points.rows() == 2);
}

TEST_CASE("a point gets a width of its own in the table") {
  KernelsLab lab(points_at({0, 1, 1, 3, 2, 2}));
  const KernelsSpec before = lab.spec();
  lab.click_item("##kernels.point 2 width");
  lab.frames(2);
  lab.type("3");
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  REQUIRE(lab.spec().key_widths.rows() == 3);
  CHECK(lab.spec().key_widths.values()[2] == 3);
  CHECK(lab.spec().key_widths.values()[0] == 1);
  CHECK(lab.shows("it takes one width for all points"));
  check_undo(lab, before, "widths");
}

TEST_CASE("the width is dragged on its track and turned by the wheel") {
  KernelsLab lab;
  const KernelsSpec before = lab.spec();
  lab.slide("##kernels.width slider", 0.9f);
  const double dragged = lab.spec().widths[0];
  CHECK(dragged > 2);
  check_undo(lab, before, "σ");
  lab.wheel(lab.in_plot(0.5f, 0.8f), -3);
  lab.settle();
  CHECK(lab.spec().widths[0] < dragged);
  CHECK(lab.spec().widths[0] == doctest::Approx(dragged / 1.331).epsilon(0.01));
}

TEST_CASE("the width is dragged by its line in the errors") {
  KernelsLab lab;
  const KernelsSpec before = lab.spec();
  const auto seen = [&](float share) { return lab.in_plot(share, 0.3f, "left out"); };
  constexpr float kStep = 0.008f, kFar = 0.2f;
  float line = 0.05f;  // where it stands is looked for: what is dragged off it is the view
  for (; lab.spec() == before && line + kFar < 1; line += kStep) {
    lab.view().canvas().plots["left out"] = {};
    lab.frames(2);
    lab.drag(seen(line), seen(line + kFar));
    lab.settle();
  }
  const double wider = lab.spec().widths[0];
  CHECK(wider > 1.5 * before.widths[0]);
  check_undo(lab, before, "σ");
  line += kFar - kStep;
  lab.drag(seen(line), seen(line - kFar));
  lab.settle();
  CHECK(lab.spec().widths[0] == doctest::Approx(before.widths[0]).epsilon(0.1));
}

TEST_CASE("use it takes the width of the least error") {
  KernelsLab lab;
  const KernelsSpec before = lab.spec();
  const Tensor errors = lab.output("gaussian.loo_error");
  const std::vector<double> widths = candidate_widths(sorted_points(before));
  std::size_t least = 0;
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (errors.values()[i] < errors.values()[least]) least = i;
  lab.click_item("use it");
  lab.settle();
  CHECK(lab.spec().widths[0] == doctest::Approx(widths[least]).epsilon(0.006));
  check_undo(lab, before, "σ");
  lab.undo();
  lab.click_item("best width");
  lab.settle();
  CHECK(lab.spec().widths[0] == doctest::Approx(widths[least]).epsilon(0.006));
}

TEST_CASE("kernels are chosen by chips and the fifth takes the place of the fourth") {
  KernelsLab lab;
  const KernelsSpec before = lab.spec();
  lab.click_item("kernel biweight");
  lab.settle();
  CHECK(lab.spec().kernels ==
        std::vector{Kernel::gaussian, Kernel::boxcar, Kernel::epanechnikov, Kernel::biweight});
  CHECK(lab.output("biweight.weights").rows() == 101);
  check_undo(lab, before, "biweight");
}

TEST_CASE("every kernel is drawn with its formula and its support") {
  for (std::size_t i = 0; i < kKernels.size(); ++i) {
    KernelsSpec spec;
    spec.kernels = {static_cast<Kernel>(i), i == 0 ? Kernel::boxcar : Kernel::gaussian};
    KernelsLab lab(spec);
    INFO(kKernels[i].title);
    CHECK(lab.shows(kKernels[i].title));
    CHECK(lab.shows(kKernels[i].formula));
    CHECK(lab.shows(kKernels[i].support));
  }
}

TEST_CASE("where the Epanechnikov stands the note tells it from the triangular one") {
  KernelsLab lab;
  std::string all;
  for (const DrawnText& text : lab.texts()) all += text.text + " ";
  std::ranges::replace(all, '\n', ' ');
  CHECK(all.find("Epanechnikov: ¾·(1 − u²); max(0, 1 − |u|), often printed under this name, is the "
                 "triangular kernel") != all.npos);
}

TEST_CASE("four widths of one kernel stand side by side") {
  KernelsLab lab;
  const KernelsSpec before = lab.spec();
  lab.click_item("four widths");
  lab.settle();
  CHECK(lab.spec().kernels == std::vector{Kernel::gaussian});
  CHECK(lab.spec().widths == std::vector{0.1, 0.2, 0.5, 1.0});
  for (const char* title : {"σ 0.1", "σ 0.2", "σ 0.5", "σ 1"}) CHECK(lab.find_text(title));
  CHECK(lab.item("width3.weights/cells"));
  check_undo(lab, before, "σ");
}

TEST_CASE("the width by neighbours has its own track and its errors by k") {
  KernelsLab lab;
  const KernelsSpec before = lab.spec();
  lab.click_item("k nearest");
  lab.settle();
  CHECK(lab.spec().width_rule == WidthRule::neighbours);
  CHECK(lab.shows("error² against k"));
  CHECK(lab.shows("with k nearest each query has its own"));
  check_undo(lab, before, "width: neighbours");
  lab.slide("##kernels.neighbours slider", 0.95f);
  CHECK(lab.spec().neighbours > 20);
}

TEST_CASE("the local line is a dashed curve next to each estimate") {
  KernelsLab lab;
  lab.key(GLFW_KEY_L);
  lab.settle();
  CHECK(lab.spec().linear);
  CHECK(lab.find_text("Gaussian, local line"));
  // At the lower end the mean of neighbours to one side is too high or too low; a line through them is not.
  CHECK(lab.output("gaussian.line").rows() == 101);
}

TEST_CASE("sets and seed and noise and count are chosen in the controls") {
  KernelsLab lab;
  const KernelsSpec before = lab.spec();
  lab.click_item("kernels.set");
  lab.frames(2);
  lab.click_item("two classes");
  lab.settle();
  CHECK(lab.spec().set == PointSet::classes);
  CHECK(lab.output("gaussian.estimate").columns() == 2);
  CHECK(lab.find_text("class 0"));
  check_undo(lab, before, "points: classes");
  lab.click_item("kernels.seed+");
  lab.settle();
  CHECK(lab.spec().seed == 8);
  lab.slide("##kernels.noise slider", 0);
  CHECK(lab.spec().noise == 0);
  lab.slide("##kernels.count slider", 0.5f);
  CHECK(lab.spec().count > 200);
}

TEST_CASE("a point of a class dragged over the middle changes sides") {
  KernelsSpec spec = points_at({0, 1, 0, 1, 1, 0, 2, 0, 1, 3, 0, 1}, 3);
  move_point(spec, 1, 1.5f, 0.9f, 1);
  CHECK(spec.points[{0, 1, 0}] == 1.5f);
  CHECK(spec.points[{0, 1, 1}] == 0);
  CHECK(spec.points[{0, 1, 2}] == 1);
  move_point(spec, 1, 1.5f, 0.2f, 1);
  CHECK(spec.points[{0, 1, 1}] == 1);
  CHECK(spec.points[{0, 1, 2}] == 0);
}
