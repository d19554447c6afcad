// Measuring from the window: begun, watched, stopped and kept, and a device that is lost.
#include <semaphore>

#include "app/plot/plot_numbers.h"
#include "app/workspaces/cost/scene.h"
#include "core/evaluate/fallback.h"
#include "core/measure/baseline_names.h"
#include "core/measure/measure_fit.h"
#include "tests/app/cost_lab.h"
#include "tests/app/grid_lab.h"
#include "tests/app/scratch_folder.h"
#include "tests/core/clocked.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A small shape, so that it is quick; measured on a device whose clock is its own.
Document small() {
  Document document = read_document("the-cat-sat-on-mat");
  CostStudy& study = document.cost;
  study.d = 64, study.heads = 4, study.kv_heads = 4, study.n = 128;
  return document;
}

Headless::Options clocked(Clock& clock, MeasureStore store = {}) {
  return {.document = {},
          .size = {1600, 1900},
          .backend = [&clock](std::vector<std::string>&) { return std::make_unique<Clocked>(clock); },
          .measures = {.store = std::move(store), .program = "0.1", .surroundings = clock.surroundings()}};
}

// The texts of a plot that say this and nothing else.
std::vector<Rect> labels(CostLab& lab, const std::string& plot, std::string_view text) {
  std::vector<Rect> boxes;
  const Rect area = lab.plot(plot);
  for (const DrawnText& drawn : lab.texts())
    if (CostLab::plain(drawn.text) == text && area.contains(centre(drawn.box))) boxes.push_back(drawn.box);
  return boxes;
}

void choose_longest(CostLab& lab) {
  lab.at().longest = 256;
  lab.frames(2);
}

}  // namespace

TEST_CASE("nothing is timed before it is measured and the window says what to do") {
  Clock clock;
  CostLab lab(small(), clocked(clock));
  CHECK(lab.says("operations of attention"));
  CHECK(lab.says("M measures this device"));
  CHECK(lab.says("nothing is measured of this shape yet"));
}

TEST_CASE("M measures and the plots become times with points and an exponent") {
  Clock clock;
  CostLab lab(small(), clocked(clock));
  choose_longest(lab);
  lab.key(GLFW_KEY_M);
  lab.settle();
  lab.frames(2);
  const auto measured = lab.app().measuring().measured;
  REQUIRE(measured);
  CHECK(measured->state == MeasureState::done);
  CHECK(lab.says("time of attention"));
  CHECK(lab.says("kept for clocked"));
  CHECK(lab.says("400 GF/s"));
  CHECK(lab.says("peak 400 GF/s"));  // the badge
  CHECK(lab.says("20.0 GB/s"));
  CHECK(lab.says("roofline"));
  const MeasuredPoint* point = measured->find("full", 128);
  REQUIRE(point);
  const double median = point->seconds.median();
  CHECK(lab.says(CostLab::plain(readout_text(PlotAxis::seconds, median, median / 100))));  // the table's
  const auto fit = fit_power(*measured, "full");
  REQUIRE(fit);
  CHECK(lab.says(decimal_text(fit->exponent, 2) + " ± "));
  for (const std::string_view against : {kProjections, kRestOfLayer}) {
    const auto crossings = measured_crossings(*measured, "full", against);
    CAPTURE(against);
    REQUIRE(measured->of(against).size() == measured->of("full").size());
    CHECK(lab.says("… measured"));
    CHECK(lab.says(crossings.empty() ? "not from 16 to 256"
                                     : "n = " + decimal_text(std::round(crossings[0]), 0)));
  }
  CHECK(lab.says("recurrent: not measured: no kernel yet"));
  CHECK(lab.steps() == 0);  // the document is as it was
}

TEST_CASE("the roofline names each run of stages once and no name covers another") {
  Clock clock;
  CostLab lab(small(), clocked(clock));
  choose_longest(lab);
  lab.key(GLFW_KEY_M);
  lab.settle();
  lab.frames(2);
  std::vector<Rect> boxes;
  for (const StageRun& run : kStageRuns) {
    CAPTURE(run.title);
    const std::vector<Rect> found = labels(lab, "roofline", run.title);
    CHECK(found.size() == 1);
    boxes.insert(boxes.end(), found.begin(), found.end());
  }
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = a + 1; b < boxes.size(); ++b) CHECK_FALSE(overlap(boxes[a], boxes[b]));
}

TEST_CASE("what was timed stands in the legend by its name") {
  Clock clock;
  CostLab lab(small(), clocked(clock));
  choose_longest(lab);
  CHECK(labels(lab, "time", "+ feed-forward").empty());
  lab.key(GLFW_KEY_M);
  lab.settle();
  lab.frames(2);
  CHECK(labels(lab, "time", "Q K V W_O").size() == 1);
  CHECK(labels(lab, "time", "+ feed-forward").size() == 1);
}

TEST_CASE("from which n on something was not measured stands with its reason below the table") {
  const ScratchFolder folder;
  Clock clock;
  const Document document = small();
  const MeasureStore store(folder / "kept");
  {
    CostLab lab(document, clocked(clock, store));
    choose_longest(lab);
    lab.key(GLFW_KEY_M);
    lab.settle();
    Measured measured = *lab.app().measuring().measured;
    measured.not_measured.push_back({.subject = "full", .n = 128, .why = "the device has no room for it"});
    store.keep(measured);
  }
  CostLab lab(document, clocked(clock, store));
  CHECK(lab.says("full from n = 128: the device has no room for it"));
}

TEST_CASE("what was measured is there again at the next start and is of its shape alone") {
  const ScratchFolder folder;
  Clock clock;
  {
    CostLab lab(small(), clocked(clock, MeasureStore(folder / "kept")));
    choose_longest(lab);
    lab.key(GLFW_KEY_M);
    lab.settle();
  }
  CostLab lab(small(), clocked(clock, MeasureStore(folder / "kept")));
  CHECK(lab.says("time of attention"));
  lab.run("cost.preset.gpt2");
  CHECK(lab.says("operations of attention"));
  lab.undo();
  CHECK(lab.says("time of attention"));
}

TEST_CASE("a measurement shows its progress and stops with its points") {
  Clock clock;
  std::binary_semaphore reached{0}, go_on{0};
  bool waited = false;
  CostLab lab(small(), clocked(clock));
  clock.look = [&](std::size_t) {  // on the worker
    const auto measured = lab.app().measuring().measured;
    if (waited || !measured || measured->points.size() < 4) return;
    waited = true;
    reached.release();
    go_on.acquire();
  };
  choose_longest(lab);
  lab.click_item("measure");
  reached.acquire();
  lab.frames(2);
  CHECK(lab.app().measuring().running);
  CHECK(lab.says(", n = "));
  CHECK(lab.item("stop measuring"));
  lab.key(GLFW_KEY_S);
  go_on.release();
  lab.settle();
  lab.frames(2);
  const Measuring measuring = lab.app().measuring();
  CHECK_FALSE(measuring.running);
  REQUIRE(measuring.measured);
  CHECK(measuring.measured->state == MeasureState::stopped);
  CHECK_FALSE(measuring.measured->points.empty());
  CHECK(lab.says("until it was stopped"));
}

TEST_CASE("a device that is lost while it is measured says so and its points stay in sight") {
  Clock clock;
  Headless::Options options = clocked(clock);
  options.backend = [&](std::vector<std::string>&) {
    auto device = std::make_unique<Clocked>(clock);
    device->products_left = 300;
    return with_fallback(std::move(device));
  };
  CostLab lab(small(), std::move(options));
  choose_longest(lab);
  lab.key(GLFW_KEY_M);
  lab.settle();
  lab.frames(4);
  const Measuring measuring = lab.app().measuring();
  REQUIRE(measuring.measured);
  CHECK(measuring.measured->state == MeasureState::ended);
  CHECK_FALSE(measuring.measured->points.empty());
  CHECK(lab.says("the device was lost"));
  CHECK(lab.says("until then stay"));
}
