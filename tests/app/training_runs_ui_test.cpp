// Runs of the workspace of training: begun anew, gone on with, branched off, kept, stopped.
#include "core/training/fields.h"
#include "tests/app/controls_lab.h"
#include "tests/app/training_lab.h"
#include "tests/contains.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("reset begins at step 0, keeps the old run faint, and is no step of undo") {
  TrainingLab lab;
  lab.key(GLFW_KEY_R);
  lab.rest();
  CHECK(lab.a().end() == 0);
  CHECK(lab.runs().earlier.size() == 2);
  CHECK(lab.steps() == 0);
  lab.key(GLFW_KEY_SPACE);
  lab.frames(2);
  lab.wait_for(lab.a(), 60);
  CHECK(lab.a().log.losses == lab.runs().earlier.back().log.losses);  // the same again
}

TEST_CASE("another width begins anew, and undone it brings the old run back") {
  TrainingLab lab;
  const auto runner = lab.a().runner;
  enter(lab, "##training.width", "8");
  lab.wait_for(lab.a(), 60);
  CHECK(lab.settings().width == 8);
  CHECK(lab.a().runner != runner);
  lab.undo();
  lab.rest();
  CHECK(lab.a().runner == runner);
  CHECK(lab.a().end() == 60);
}

TEST_CASE("with another rate, playing on from an earlier step branches off as run C") {
  TrainingLab lab;
  const std::vector<float> before = lab.a().log.losses;
  lab.at().at = 30;
  lab.rest();
  enter(lab, "##training.rate", "0.02");
  lab.rest();
  CHECK(lab.a().log.losses == before);
  lab.key(GLFW_KEY_SPACE);
  lab.frames(2);
  REQUIRE(lab.runs().c);
  lab.wait_for(*lab.runs().c, 60);
  CHECK(lab.runs().c->begins == 30);
  CHECK(lab.shows("from step 30"));
  CHECK(lab.a().log.losses == before);
  const std::vector<float>& branch = lab.runs().c->log.losses;
  for (std::size_t i = 0; i < 30; ++i) CHECK(branch[i] == before[i]);
  CHECK(branch[30] == before[30]);  // the loss of what step 30 began with
  CHECK(branch[40] != before[40]);
}

TEST_CASE("with the same settings, playing from an earlier step shows again what was trained") {
  TrainingLab lab;
  lab.at().at = 10;
  lab.rest();
  lab.key(GLFW_KEY_SPACE);
  for (int i = 0; i < 60; ++i) lab.frame();
  CHECK(lab.step() > 10);
  CHECK(lab.step() < 60);
  CHECK_FALSE(lab.runs().c);
  for (int i = 0; i < 400; ++i) lab.frame();
  CHECK(lab.step() == 60);
  CHECK_FALSE(lab.view().canvas().playing);
}

TEST_CASE("a run that has come to its end says what to do when it is asked to go on") {
  TrainingLab lab;
  CHECK(lab.view().message.empty());
  lab.key(GLFW_KEY_SPACE);
  lab.frames(2);
  CHECK(contains(lab.view().message, "All 60 steps are done"));
  CHECK_FALSE(lab.view().canvas().playing);
}

TEST_CASE("a longer run goes on where the old one ended") {
  TrainingLab lab;
  const std::vector<float> before = lab.a().log.losses;
  enter(lab, "##training.steps", "80");
  lab.wait_for(lab.a(), 80);
  CHECK(std::equal(before.begin(), before.end(), lab.a().log.losses.begin()));
  CHECK(lab.steps() == 1);
}

TEST_CASE("what is trained outlives a look at another workspace") {
  TrainingLab lab;
  const auto runner = lab.a().runner;
  lab.app().show(WorkspaceLab::workspace("pipeline"));
  lab.rest();
  lab.app().show(WorkspaceLab::workspace("training"));
  lab.rest();
  CHECK(lab.a().runner == runner);
  CHECK(lab.a().end() == 60);
  CHECK(lab.shows("60 of 60 steps"));
}

TEST_CASE("on the reference nothing is trained by itself") {
  WorkspaceLab lab("training", {.document = small_training_document(), .settings = Settings{}});
  CHECK(lab.shows("a step of training takes long"));
  CHECK(lab.view().of<TrainingView>().runs->a->end() == 0);
}

TEST_CASE("a run that breaks stops at its last good snapshot, and half the rate goes on from there") {
  Document document = small_training_document();
  document.training.optimizer = OptimizerKind::sgd, document.training.rate = 100;
  document.training.warm_up = 40, document.training.beside = RunDifference::none;
  TrainingLab lab(std::move(document), TrainingLab::until_it_stops);
  REQUIRE(lab.a().seen.stop);
  CHECK(lab.a().seen.stop->why == RunStop::not_finite);
  const std::size_t good = lab.a().log.snapshots.back()->state.step;
  CHECK(lab.shows("Run A:"));
  lab.click_item("training.half_rate");
  lab.frames(3);
  CHECK(lab.settings().rate == 50);
  CHECK(lab.a().log.snapshots.front()->state.step == 0);
  CHECK(lab.a().seen.log.first_step == good);
  CHECK(lab.steps() == 1);
}
