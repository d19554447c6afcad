// Lessons recorded while somebody works: what is replayed is what was there, bit for bit, in every workspace.
#include <doctest/doctest.h>

#include "app/cli/lesson_check.h"
#include "core/document/edit.h"
#include "core/lesson/write_lesson.h"
#include "core/system/error.h"
#include "tests/app/recording_lab.h"
#include "tests/contains.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::string words_of(const std::vector<LessonSet>& sets) {
  std::string words;
  for (const LessonSet& set : sets) words += set.name + "=" + set.value + " ";
  return words;
}

}  // namespace

TEST_CASE("a lesson of the Pipeline is recorded by name and replayed bit for bit") {
  RecordingLab lab;
  lab.run("recording.begin");
  lab.open("three-tokens");
  lab.look("pipeline: step scaled, pinned scaled 0 0 2");
  lab.add();
  CHECK(lab.keys(0).open == "three-tokens");
  CHECK(lab.keys(0).sets.empty());
  CHECK(contains(lab.keys(0).look, "step scaled"));
  Document document = lab.document();
  document.layer().temperature = 0.25;
  set_number(document, *lab.view().workspace, "q", {0, 0, 2}, 0.1f);
  set_number(document, *lab.view().workspace, "scores", {0, 1, 1}, 7);
  lab.app().change(document);
  lab.settle();
  lab.add();
  CHECK(words_of(lab.keys(1).sets) == "layer.temperature=0.25 q[0,0,2]=0.1 scores[0,1,1]=7 ");
  CHECK(lab.keys(1).open.empty());
  CHECK(lab.keys(1).look.empty());
  lab.look("pipeline: step none, pinned none, softmax on");  // back to as it was at first
  lab.add();
  CHECK(lab.keys(2).look == "afresh; pipeline: softmax on");
  CHECK(lab.keys(2).lit.empty());
  lab.undo();
  lab.look("pipeline: softmax off");
  lab.add();
  CHECK(lab.keys(3).open == "three-tokens");
  const std::string file = lab.save();
  CHECK(file == lab.folder / "mine.lesson.md");
  lab.check_replay(file);
  // All that its check misses are exercises.
  const LessonVerdict verdict = check_lesson(read_lesson(file), workspaces());
  REQUIRE(verdict.faults.size() == 2);
  CHECK(contains(verdict.faults[0], "no prediction"));
  CHECK(contains(verdict.faults[1], "nothing to do"));
}

TEST_CASE("Heads, Compare, Positions and Softmax are recorded and replayed bit for bit") {
  RecordingLab lab;
  lab.run("recording.begin");
  lab.open("eight-heads");
  lab.look("heads: large_head 3, pinned weights 3 1 0");
  lab.add();
  lab.look("heads: map mean, large_head 0, pinned none");
  lab.add();
  lab.look("compare: large_head 2");
  lab.add();
  Document document = lab.document();
  begin_layer(document, Address{.layer = 1});
  document.layer(Address{.layer = 1}).temperature = 3;
  lab.app().change(document);
  lab.settle();
  lab.add();
  lab.look("positions: large_head 0");
  document = lab.document();
  document.positions.length = 9;
  lab.app().change(document);
  lab.settle();
  lab.add();
  lab.look("softmax:");
  document = lab.document();
  document.softmax.temperature = 0.5;
  lab.app().change(document);
  lab.settle();
  lab.add();
  lab.look("pipeline:");
  lab.add();
  lab.open("three-tokens");
  lab.add();
  lab.check_replay(lab.save());
}

TEST_CASE("what sets do not say is a session beside the lesson") {
  RecordingLab lab;
  lab.run("recording.begin");
  lab.look("pipeline:");
  Document document = lab.document();
  LayerSpec& layer = document.layer();
  for (Tensor* tensor : {&layer.x, &layer.w_q, &layer.w_k, &layer.w_v}) {
    std::vector<float> other(tensor->values().begin(), tensor->values().end());
    for (float& value : other) value += 0.37f;
    *tensor = Tensor(tensor->shape(), other);
  }
  lab.app().change(document);
  lab.settle();
  lab.add();
  const std::string file = lab.save();
  CHECK(std::filesystem::exists(lab.folder / "mine-1.attention.json"));
  CHECK(read_lesson(file).steps[0].open == lab.folder / "mine-1.attention.json");
  lab.check_replay(file);
  // A file of that name that is somebody's stays.
  std::ofstream(lab.folder / "mine-1.attention.json") << "mine";
  lab.check_replay(lab.save());
  CHECK(std::filesystem::exists(lab.folder / "mine-1-2.attention.json"));
  CHECK(std::filesystem::file_size(lab.folder / "mine-1.attention.json") == 4);
}

TEST_CASE("selected cells are lit: single ones, whole rows, a whole matrix") {
  RecordingLab lab;
  lab.open("three-tokens");
  lab.look("pipeline:");
  lab.run("recording.begin");
  const auto select = [&](Cell from, Cell to) {
    lab.view().grid.selection = Selection{{"weights", from}, to};
    lab.add();
    return written_keys(lab.keys(lab.recording().steps.size() - 1));
  };
  CHECK(contains(select({0, 0, 1}, {0, 1, 2}),
                 "lit: weights[0,0,1], weights[0,0,2], weights[0,1,1], weights[0,1,2]\n"));
  CHECK(contains(select({0, 1, 2}, {0, 0, 0}), "lit: weights[0,0], weights[0,1]\n"));
  CHECK(contains(select({0, 0, 1}, {0, 2, 1}), "lit: weights[0,:,1]\n"));
  CHECK(contains(select({0, 0, 0}, {0, 2, 2}), "lit: weights\n"));
  lab.view().grid.selection.reset();
  lab.view().pinned = Spot{"weights", {0, 2, 1}};
  lab.add();
  CHECK(contains(written_keys(lab.keys(4)), "lit: weights[0,2,1]\n"));
}

TEST_CASE("a recording is shown with its steps, taken back step by step, and ends") {
  RecordingLab lab;
  const auto sign = [&](const std::string& words) { return lab.shows("Recording a lesson: " + words); };
  CHECK_FALSE(sign("no step yet"));
  lab.run("recording.begin");
  CHECK(sign("no step yet"));
  lab.press(GLFW_KEY_F9);
  CHECK(sign("1 step"));
  lab.press_words("Add step");
  lab.frames(2);
  CHECK(sign("2 steps"));
  lab.press_words("Undo step");
  lab.frames(2);
  CHECK(sign("1 step"));
  CHECK(lab.document() == lab.own);
  lab.run("recording.finish");
  lab.press(GLFW_KEY_F9);  // the words are above everything
  CHECK(lab.recording().steps.size() == 1);
  lab.recording().writing = false;
  lab.frames(2);
  lab.run("recording.undo");
  lab.press_words("Stop");
  lab.frames(2);
  CHECK_FALSE(lab.recording().on);
}

TEST_CASE("words are written, what is wrong with them is said, and the file plays") {
  RecordingLab lab;
  lab.open("three-tokens");
  lab.look("pipeline: step weights, pinned weights 0 0 2");
  lab.run("recording.begin");
  lab.add();
  lab.look("pipeline: step scores");
  lab.add();
  lab.run("recording.finish");
  CHECK(lab.shows("The words of the lesson"));
  RecordedStep& first = lab.recording().steps[0];
  first.title = "A weight", first.words = "It is {weights[0,0,2]:4";
  std::string why;
  try {
    lab.save();
  } catch (const Error& error) {
    why = error.what();
  }
  CHECK(why == "step 1: line 1: a closing } is missing");
  CHECK_FALSE(std::filesystem::exists(lab.folder / "mine.lesson.md"));
  first.words = "It is {weights[0,0,2]:4}.";
  lab.recording().title = "Of weights";
  lab.run("recording.save");
  CHECK(lab.view().overlays.files.open);
  CHECK(lab.view().overlays.files.name == "of-weights.lesson.md");
  lab.view().overlays.files.folder = lab.folder / "";
  lab.frames(3);
  lab.key(GLFW_KEY_ENTER);
  lab.frames(3);
  INFO(lab.view().message);
  const std::string file = lab.folder / "of-weights.lesson.md";
  REQUIRE(std::filesystem::exists(file));
  CHECK_FALSE(lab.recording().on);
  CHECK_FALSE(lab.view().overlays.any());
  lab.open(file);
  REQUIRE(lab.app().plays_lesson());
  CHECK(lab.played().lesson->title == "Of weights");
  CHECK(lab.shows("A weight"));
  CHECK(lab.view().pinned == Spot{"weights", {0, 0, 2}});
  lab.press(GLFW_KEY_RIGHT);
  CHECK(lab.played().step == 1);
}
