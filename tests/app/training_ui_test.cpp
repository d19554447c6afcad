// The workspace of training as a person uses it: it trains, time is dragged, runs branch and are reset.
#include <cmath>

#include "core/text/text.h"
#include "core/training/fields.h"
#include "tests/app/controls_lab.h"
#include "tests/app/training_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("it opens on a run that has learnt, beside one without positions that has not") {
  TrainingLab lab;
  CHECK(lab.a().end() == 60);
  REQUIRE(lab.runs().b);
  CHECK(lab.runs().b->end() == 60);
  CHECK(lab.runs().b->spec->model.position == TrainingPosition::none);
  CHECK(lab.a().log.snapshots.size() >= 30);
  CHECK(lab.step() == 60);
  CHECK(lab.shows("60 of 60 steps"));
  CHECK(lab.shows("ln 5, a blind guess"));
  CHECK_FALSE(lab.view().canvas().playing);
  // What is drawn is what a trainer by itself comes to.
  TrainingDeviceOfLab device;
  Trainer trainer(*device.backend, *lab.a().spec);
  trainer.run(60);
  for (std::size_t i = 0; i < 60; ++i)
    CHECK(static_cast<double>(lab.a().log.losses[i]) == trainer.losses()[i]);
}

TEST_CASE("it says how many held-out rows its numbers are of, and how far chance may carry them") {
  Document document = small_training_document();
  document.training.batch = 100, document.training.steps = 3;
  TrainingLab lab(document);
  CHECK(scored_rows(*lab.a().spec) == 300);  // whole batches
  CHECK(lab.shows("cross-entropy on 300 held-out rows; thin: each batch"));
  const double p = lab.runs().b->log.snapshots.back()->score.accuracy;
  const std::string error = brief(std::round(200 * std::sqrt(p * (1 - p) / 300)) / 100);
  std::string words = lab.text_in({{0, 0}, {1600, 1100}});
  std::ranges::replace(words, '\n', ' ');  // they are wrapped
  CHECK(words.find("On 300 held-out rows B reaches accuracy") != std::string::npos);
  CHECK(words.find("± " + error + " and loss") != std::string::npos);
}

TEST_CASE("the time is dragged in the line, in the plots, and by keys from snapshot to snapshot") {
  TrainingLab lab;
  const auto& snapshots = lab.a().log.snapshots;
  const auto time = lab.item("training.time/time");
  REQUIRE(time);
  const float y = centre(*time).y;
  lab.drag({time->max.x - 2, y}, {time->min.x + time->width() / 2, y});
  lab.rest();
  CHECK(lab.step() == 30);
  lab.key(GLFW_KEY_LEFT);
  lab.rest();
  CHECK(lab.step() == 28);
  lab.key(GLFW_KEY_RIGHT);
  lab.key(GLFW_KEY_RIGHT);
  lab.rest();
  CHECK(lab.step() == 32);
  CHECK(lab.shows("attention at step 32"));
  lab.click(lab.in_plot("training.accuracy", 0.9f, 0.5f));
  lab.rest();
  CHECK(lab.step() > 44);
  lab.drag(lab.in_plot("training.loss", 0.2f, 0.5f), lab.in_plot("training.loss", 0.5f, 0.5f));
  lab.rest();
  CHECK(lab.step() > 20);  // a drag anywhere moves the time, and not the plot
  CHECK(lab.step() < 40);
  CHECK_FALSE(lab.view().canvas().plots["training.loss"].x);
  CHECK(lab.steps() == 0);  // what is looked at is no step of undo
  CHECK(snapshots.back()->state.step == 60);
}

TEST_CASE("a single step is made again between snapshots, and behind the last one is taken") {
  TrainingLab lab;
  lab.at().at = 30;
  lab.rest();
  lab.key(GLFW_KEY_RIGHT, {.shift = true});
  lab.rest();
  CHECK(lab.step() == 31);
  for (int i = 0; i < 20 && (!lab.a().seen.visited || lab.a().seen.visited->step != 31); ++i) lab.rest();
  REQUIRE(lab.a().seen.visited);
  CHECK(lab.a().seen.visited->step == 31);
  CHECK(lab.shows("attention at step 31"));
  TrainingDeviceOfLab device;
  Trainer trainer(*device.backend, *lab.a().spec);
  trainer.run(31);
  const TrainingState straight = trainer.state();
  for (std::size_t i = 0; i < straight.parameters.size(); ++i)
    CHECK(std::ranges::equal(straight.parameters[i].values(),
                             lab.a().seen.visited->at.state.parameters[i].values()));
  lab.at().at = TrainingView::kNewest;
  lab.rest();
  lab.key(GLFW_KEY_RIGHT, {.shift = true});
  lab.wait_for(lab.a(), 61);
  CHECK(lab.step() == 61);
}

TEST_CASE("a click on a head pins it, on a cell its weight") {
  TrainingLab lab;
  const auto map = lab.item("training.maps/head 0 1");
  REQUIRE(map);
  const Rect box = *map;
  lab.click({box.min.x + box.width() * 0.625f, box.min.y + box.height() * 0.375f});
  lab.rest();
  CHECK(lab.at().head == 1);
  CHECK(lab.at().row == 1);
  CHECK(lab.at().column == 2);
  CHECK(lab.shows("weight[1, 2] · L0 H1"));
  lab.key(GLFW_KEY_P);
  lab.rest();
  CHECK(lab.at().head == 0);
}

TEST_CASE("run B is taken away and comes back, and its maps are seen by a click") {
  TrainingLab lab;
  lab.click_item("training.run B");
  lab.rest();
  CHECK(lab.at().other);
  CHECK(lab.runs().seen(lab.at())->letter == 'B');
  lab.click_item("training.run A");
  lab.key(GLFW_KEY_B);
  lab.rest();
  CHECK(lab.settings().beside == RunDifference::none);
  CHECK_FALSE(lab.runs().b);
  CHECK_FALSE(lab.shows("Why B cannot learn it"));
  lab.undo();
  lab.rest();
  REQUIRE(lab.runs().b);
  CHECK(lab.runs().b->end() == 60);
  CHECK(lab.shows("Why B cannot learn it"));
}

TEST_CASE("a symbol of a held-out row is changed by a click, a row is typed") {
  TrainingLab lab;
  const std::vector<std::int32_t> before = (*lab.app().memos().of<TrainingMemo>().rows)[0].input;
  lab.click_item("symbol 0 2");
  lab.rest();
  const TaskRow row = (*lab.app().memos().of<TrainingMemo>().rows)[0];
  CHECK(row.input[2] == (before[2] + 1) % 5);
  CHECK(row.target[1] == row.input[2]);
  lab.click_item("type 1");
  lab.frames(2);
  lab.type("0 1 2 3");
  lab.key(GLFW_KEY_ENTER);
  lab.rest();
  CHECK((*lab.app().memos().of<TrainingMemo>().rows)[1].input == std::vector<std::int32_t>{0, 1, 2, 3});
  CHECK((*lab.app().memos().of<TrainingMemo>().rows)[1].target == std::vector<std::int32_t>{3, 2, 1, 0});
  lab.click_item("type 1");
  lab.frames(2);
  lab.type("0 9 2 3");
  lab.key(GLFW_KEY_ENTER);
  lab.rest();
  CHECK(lab.view().message_is_error);
  CHECK((*lab.app().memos().of<TrainingMemo>().rows)[1].input[1] == 1);
}

TEST_CASE("the optimiser’s arithmetic of a clicked weight is checked against what the device stored") {
  TrainingLab lab;
  lab.at().at = 30;
  lab.rest();
  const auto matrix = lab.item("training.weights/W_K");
  REQUIRE(matrix);
  lab.click({matrix->min.x + matrix->width() * 0.55f, matrix->min.y + matrix->height() * 0.3f});
  lab.rest();
  CHECK(lab.at().weights == SeenWeights::key);
  CHECK(lab.at().weight_row == 4);     // of 16 features
  CHECK(lab.at().weight_column == 4);  // of 8
  CHECK(lab.shows("Adam at W_K[4, 4], L0 H"));
  for (int i = 0; i < 20 && !lab.shows("✓"); ++i) lab.rest();
  CHECK(lab.shows("gradient, central difference"));
  CHECK_FALSE(lab.shows("✗"));
}

TEST_CASE("pairs are pasted, a step of undo, and what is no pair is refused") {
  TrainingLab lab;
  lab.clipboard = "no pair at all";
  lab.run("training.paste_pairs");
  CHECK(lab.settings().pairs.empty());
  CHECK(lab.view().message.find("line 1") != std::string::npos);
  lab.clipboard = "ab = ba\nabc = cba\nca = ac\n";
  lab.run("training.paste_pairs");
  CHECK(lab.settings().task == TrainingTaskKind::own);
  CHECK(lab.settings().pairs.size() == 3);
  CHECK(lab.steps() == 1);
}

TEST_CASE("symbols of one's own are called so in every language, though the window has the word too") {
  Document document = small_training_document();
  document.training.task = TrainingTaskKind::own;
  document.training.pairs = {"mask head = head mask", "head head mask = mask head head", "mask = mask"};
  TrainingLab lab(std::move(document));
  lab.view().settings.language = "de";
  lab.frames(3);
  CHECK(lab.shows("Zeit"));
  CHECK(lab.find_text("mask"));
  CHECK_FALSE(lab.find_text("Maske"));
}

TEST_CASE("a picture that looks at a step comes back to it when the run is there") {
  Headless lab(on_training_device(small_training_document(), {1600, 1000}));
  lab.view().of<TrainingView>().at = 30;
  lab.app().show(WorkspaceLab::workspace("training"));
  lab.settle();
  lab.frames(2);
  lab.settle();
  CHECK(lab.view().of<TrainingView>().at == 30);
  CHECK(lab.shows("attention at step 30"));
}

TEST_CASE("a model with fewer layers forgets what was pinned of the others") {
  Document document = small_training_document();
  document.training.layers = 2;
  TrainingLab lab(std::move(document));
  lab.click_item("training.maps/head 1 1");
  lab.rest();
  CHECK(lab.at().attention == 1);
  CHECK(lab.shows("· L1 H1"));
  enter(lab, "##training.layers", "1");
  lab.rest();
  lab.rest();
  CHECK(lab.a().spec->model.layers == 1);
  CHECK(lab.shows("· L0 H1"));
  CHECK_FALSE(lab.shows("· L1 H1"));
}

TEST_CASE("until one is pinned, the head is shown that has learnt most: of copy a cross-attention") {
  Document document = small_training_document();
  document.training.task = TrainingTaskKind::copy;
  TrainingLab lab(std::move(document));
  lab.rest();
  CHECK(lab.shows("· cross L0 H"));
  lab.click_item("training.maps/head 0 0");
  lab.rest();
  CHECK(lab.shows("· L0 H0"));
}
