// Lessons recorded while somebody works: what is replayed is what was there, bit for bit, in every workspace.
#include <doctest/doctest.h>

#include <filesystem>

#include "app/cli/lesson_replay.h"
#include "app/program/lesson_recorder.h"
#include "app/program/lesson_state.h"
#include "core/document/edit.h"
#include "core/lesson/write_lesson.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "tests/app/lesson_lab.h"
#include "tests/contains.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A person who records, and what every step of it was.
struct RecordingLab : LessonLab {
  using LessonLab::LessonLab;
  struct Was {
    Document document;
    const Workspace* workspace;
    std::string looked;
    std::vector<LessonCells> lit;
  };

  void open(const std::string& input) {
    app().open(input);
    app().wait_for_reading(std::chrono::seconds{10});
    settle();
    frames(3);
  }
  void look(const std::string& words) {
    app().look(words);
    settle();
    frames(3);
  }
  void add() {
    const std::size_t before = recording().steps.size();
    run("recording.add");
    INFO(view().message);
    REQUIRE(recording().steps.size() == before + 1);
    was.push_back({document(), view().workspace, looked_at(view(), document(), workspaces()), recording().steps.back().keys.lit});
  }
  std::string save(const std::string& name = "mine.lesson.md") {
    return save_recording(recording(), folder / name);
  }
  // The lesson of that file, step by step as it was recorded.
  void check_replay(const std::string& file) {
    const Lesson lesson = read_lesson(file);
    REQUIRE(lesson.steps.size() == was.size());
    View played;
    played.workspace = &workspaces().front();
    Document document;
    for (std::size_t i = 0; i < was.size(); ++i) {
      CAPTURE(i);
      enter_step(lesson.steps[i], document, played, workspaces());
      CHECK(document == was[i].document);
      CHECK(played.workspace == was[i].workspace);
      CHECK(looked_at(played, document, workspaces()) == was[i].looked);
      CHECK(lesson.steps[i].lit.size() == was[i].lit.size());
    }
    LessonReplay replay(lesson, workspaces());  // whose numbers are those of now
    while (replay.next()) CHECK_FALSE(replay.live().now->graph.stages.empty());
  }
  void press_words(const std::string& text) {
    const auto box = find_text(text);
    INFO(text);
    REQUIRE(box);
    click(centre(*box));
    settle();
    frames(2);
  }
  RecordingView& recording() { return view().of<RecordingView>(); }
  const LessonStep& keys(std::size_t step) { return recording().steps[step].keys; }

  std::vector<Was> was;
};

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
  lab.check_replay(file);
  CHECK(std::filesystem::exists(lab.folder / "mine.lesson.md"));
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

TEST_CASE("closing keeps a recorded lesson until it is saved or thrown away") {
  RecordingLab lab;
  lab.run("recording.begin");
  lab.add();
  lab.app().request_quit();
  lab.frames(2);
  CHECK_FALSE(lab.app().quit_requested());
  CHECK(lab.recording().writing);
  lab.press_words("Throw away…");
  lab.frames(2);
  lab.press_words("Throw the lesson away");
  lab.frames(2);
  CHECK_FALSE(lab.recording().on);
  lab.app().request_quit();
  CHECK(lab.app().quit_requested());
}

TEST_CASE("a lesson’s file opens: it plays, and what is wrong with it is told with its line") {
  RecordingLab lab;
  lab.app().dropped({lab.folder / "rows.md"});
  lab.app().wait_for_reading(std::chrono::seconds{10});
  lab.frames(3);
  REQUIRE(lab.app().plays_lesson());
  lab.app().leave_lesson();
  CHECK(lab.document() == lab.own);
  std::ofstream(lab.folder / "bad.md") << "# Bad\ngoal: None.\n\n## One\nopen: three-tokens\nlok: x\n";
  lab.open(lab.folder / "bad.md");
  CHECK_FALSE(lab.app().plays_lesson());
  INFO(lab.view().message);
  CHECK(contains(lab.view().message, "bad.md: line 6: \"lok\" is no key here"));
  std::filesystem::copy_file(lab.folder / "rows.md", lab.folder / "rows.txt");
  CHECK(is_lesson_file(lab.folder / "rows.txt"));
  std::ofstream(lab.folder / "points.csv") << "# x, y\n1, 2\n3, 4\n";
  CHECK_FALSE(is_lesson_file(lab.folder / "points.csv"));
}

TEST_CASE("work goes on from a lesson’s step; what was open before is one step back") {
  RecordingLab lab;
  lab.play(2);
  Document document = lab.document();
  document.layer().temperature = 5;
  lab.app().change(document);
  lab.settle();
  const std::string looked = lab.app().look();
  lab.run("lesson.take");
  CHECK_FALSE(lab.app().plays_lesson());
  CHECK(lab.document() == document);
  CHECK(lab.app().look() == looked);
  CHECK(lab.app().changed());
  CHECK(contains(lab.app().title(), "A lesson of rows"));
  lab.undo();
  CHECK(lab.document() == lab.own);
  lab.redo();
  CHECK(lab.document() == document);
}
