// A person who records a lesson while working, and what every step of it was.
#pragma once

#include <filesystem>

#include "app/cli/lesson_replay.h"
#include "app/program/lesson_recorder.h"
#include "app/program/lesson_state.h"
#include "tests/app/lesson_lab.h"

namespace attn::tests {

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
    was.push_back({document(), view().workspace, looked_at(view(), document(), workspaces()),
                   recording().steps.back().keys.lit});
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

}  // namespace attn::tests
