// The workspace of kernels looked at as a person does: the query under the pointer, links between its parts,
// gaps, the same as attention.
#include "app/workspaces/kernels/view.h"
#include "core/document/layer_plan.h"
#include "core/kernels/layer.h"
#include "core/reference/backend.h"
#include "core/text/text.h"
#include "tests/app/kernels_lab.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the query is where the pointer is in the plot and stays when it leaves") {
  KernelsLab lab;
  lab.move(lab.in_plot(0.3f, 0.6f));
  lab.frames(2);
  const double q = lab.at().q;
  CHECK(q > 0.5);
  CHECK(q < 2.2);
  lab.move(lab.in_plot(0.8f, 0.6f));
  lab.frames(2);
  CHECK(lab.at().q > q + 1);
  const double there = lab.at().q;
  lab.move({10, 500});
  lab.frames(2);
  CHECK(lab.at().q == there);
  CHECK(lab.steps() == 0);
}

TEST_CASE("the inspector has the arithmetic of the estimate at the query") {
  KernelsLab lab(points_at({0, 1, 1, 3, 2, 2}));
  lab.view().of<KernelsView>().q = 1;
  lab.frames(3);
  // κ: exp(−(1/0.45)²/2) = 0.084658 twice and 1; y: 1, 3, 2.
  CHECK(lab.shows("f(1) · Gaussian"));
  CHECK(lab.shows("1.0000"));
  CHECK(lab.shows("0.0847"));
  CHECK(lab.shows("1.16932"));              // Σ κ
  CHECK(lab.shows("3.25397"));              // Σ κ·y
  CHECK(lab.shows("÷ 1.16932 = 2.78280"));  // their quotient
  CHECK(lab.shows("points that count"));
}

TEST_CASE("pointing at a row of a weight map moves the query there") {
  KernelsLab lab;
  const auto box = lab.item("boxcar.weights/cells");
  REQUIRE(box);
  lab.move({centre(*box).x, box->min.y + box->height() * 80.5f / 101});
  lab.frames(2);
  CHECK(lab.at().q == doctest::Approx(4.0).epsilon(0.02));
  CHECK(lab.shows("f(" + brief(std::round(lab.at().q * 100) / 100) + ") = "));
}

TEST_CASE("the stage bar has the five steps and the maps show the one it stands on") {
  KernelsLab lab;
  std::string chips;
  for (const StepChip& step : lab.app().steps()) chips += step.title + "|";
  CHECK(chips == "distance|κ|÷ sum|weights|Σ weights · y|");
  CHECK(lab.item("gaussian.weights/cells"));
  lab.key(GLFW_KEY_HOME);
  lab.frames(20);
  CHECK(lab.item("gaussian.distance/cells"));
  CHECK_FALSE(lab.item("boxcar.weights/cells"));
  lab.key(GLFW_KEY_END);
  lab.frames(20);
  CHECK(lab.item("gaussian.estimate/cells"));
}

TEST_CASE("a gap has no estimate and is no fault") {
  KernelsSpec spec = points_at({0, 1, 5, 3});
  spec.kernels = {Kernel::boxcar};
  KernelsLab lab(spec);
  lab.view().of<KernelsView>().q = 2.5;
  lab.frames(3);
  CHECK(std::isnan(lab.output("width0.estimate").values()[50]));
  CHECK(lab.shows("no point in reach"));
  CHECK(lab.shows("no estimate"));
  lab.settle();
  CHECK(lab.app().engine_state().checks->faults.empty());
  CHECK(lab.shows("queries with no point in reach"));
}

TEST_CASE("the weights of another estimate are shown by its name and by C") {
  KernelsLab lab;
  lab.key(GLFW_KEY_C);
  lab.frames(2);
  CHECK(lab.at().shown == 1);
  CHECK(lab.shows("· boxcar"));
  for (int i = 0; i < 3; ++i) lab.key(GLFW_KEY_C);
  CHECK(lab.at().shown == 0);
}

TEST_CASE("Space moves the query on and stops it") {
  KernelsLab lab;
  const double from = lab.at().q;
  lab.key(GLFW_KEY_SPACE);
  lab.frames(30);
  CHECK(lab.at().q > from + 0.2);
  lab.key(GLFW_KEY_SPACE);
  const double to = lab.at().q;
  lab.frames(10);
  CHECK(lab.at().q == to);
  CHECK(lab.steps() == 0);
}

TEST_CASE("weights of the layer are those of the Gaussian while its keys are equally long") {
  KernelsLab lab;
  CHECK(lab.results()->summaries[*lab.results()->graph.find("attention.difference")].largest() <= 1e-6f);
  CHECK(lab.shows("the same as attention"));
  const KernelsSpec before = lab.spec();
  lab.slide("##kernels.norms slider", 0.5f);
  CHECK(lab.spec().norms == doctest::Approx(0.5).epsilon(0.1));
  CHECK(lab.results()->summaries[*lab.results()->graph.find("attention.difference")].largest() > 0.01f);
  CHECK(lab.shows("unequal norms"));
  check_undo(lab, before, "norms");
  lab.click_item("equal norms");
  lab.settle();
  CHECK(lab.spec() == before);
}

TEST_CASE("opened in the Pipeline the layer puts out the estimates") {
  KernelsLab lab;
  const Tensor estimate = lab.output("gaussian.estimate");
  lab.click_item("open in Pipeline");
  lab.settle();
  lab.frames(2);
  CHECK(lab.app().workspace().name == kLayerPlan.name);
  const Tensor output = lab.results()->output(Role::output);
  REQUIRE(output.rows() == estimate.rows());
  for (std::size_t i = 0; i < estimate.rows(); ++i)
    CHECK(std::abs(output.values()[i] - estimate.values()[i]) <= 1e-5f);
  CHECK(lab.steps() == 1);
  lab.undo();
  CHECK_FALSE(lab.document().layer().direct);
}

TEST_CASE("keys of the layer are equally long and only then") {
  KernelsSpec spec;
  const KernelPoints points = sorted_points(spec);
  const auto spread = [&] {
    const Tensor keys = same_layer(spec, points).k;
    double least = 1e9, most = 0;
    for (std::size_t j = 0; j < keys.rows(); ++j) {
      const double norm = std::hypot(keys[{0, j, 0}], keys[{0, j, 1}], keys[{0, j, 2}]);
      least = std::min(least, norm), most = std::max(most, norm);
    }
    return (most - least) / most;
  };
  CHECK(spread() <= 1e-6);
  spec.norms = 0.3;
  CHECK(spread() > 0.4);
}

TEST_CASE("errors of many points come behind the estimates and all of them come") {
  KernelsSpec spec;
  spec.count = 300;
  KernelsLab lab(spec);
  const auto rest = lab.app().engine_state().deferred;
  REQUIRE(rest);
  CHECK(rest->done == rest->outputs.size());
  CHECK(rest->done == 4 * 40);
  CHECK(lab.item("use it"));
  // The same by brute force, of the Gaussian's first candidate: rest_test has the others.
  CHECK(lab.shows("best σ"));
}

TEST_CASE("a wide window and a narrow one and a large scale show the same parts") {
  for (const auto& [size, scale] :
       {std::pair(ImVec2{1024, 640}, 1.0f), std::pair(ImVec2{1600, 1000}, 2.0f)}) {
    KernelsLab lab({}, size, scale);
    CHECK(lab.plot().height() > 100);
    CHECK(lab.find_text("kernel regression"));
  }
}
