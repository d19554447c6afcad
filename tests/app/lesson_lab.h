// A lesson of a test's own, played without a screen.
#pragma once

#include <fstream>
#include <string>

#include "app/frame/lit.h"
#include "app/program/application.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/workspace_lab.h"

namespace attn::tests {

inline constexpr const char* kTestLesson = R"(# A lesson of rows
goal: You can say what a row of weights adds up to.

## A row
open: three-tokens
look: pipeline: step scaled
lit: scaled[0,0]
mark: 1 scaled[0,0]

{scaled[0,0]:2} ① is the first row.

> Why rows: each query has one.

## Guess
look: pipeline: step weights
lit: weights[0,0]
mark: 1 weights[0,0]

Its weights are {weights[0,0]:4} ①.

### predict
All its scores rise by 1. The weights
then: scaled[0,0] = scaled[0,0] + 1
- rise too
  holds: sum(weights[0,0]) > 1.001
  says: They add up to {sum(weights[0,0]):3}.
- stay
  holds: max(abs(weights[0,0] - before.weights[0,0])) < 0.000001
  says: They moved by {max(abs(weights[0,0] - before.weights[0,0])):1}.

### predict
The last score becomes 2. Its weight becomes
then: scaled[0,0,2] = 4
slider: weights[0,0,2]
range: 0 1
near: 0.1
says: It is {weights[0,0,2]:4}.

### predict
Row 1 is the same at T = 1. At T = 10 it is
then: layer.temperature = 10
curve: weights[0,1]
range: 0 0.8
near: 0.02
says: It is {weights[0,1]:2}.

## Find it
set: layer.temperature = 2
lit: weights[0,0], weights[0,1]

Which is the largest of row 1?

### predict
Click it.
click: weights[0,1]
holds: it == max(weights[0,1])
says: The largest is {max(weights[0,1]):4}.

### do
Let the last weight of row 0 be above 0.9.
holds: weights[0,0,2] > 0.9
hint: It follows the scores.
accept: scaled[0,0,2] = 9
refuse: scaled[0,0,2] = 1

## Broken
open: three-tokens
look: pipeline: step weights
lit: weights

The rows add up to 1.

### break
What was broken?
faults: softmax-over-queries, no-scale, scale-twice
hint: Look at the sums.

### book
A text prints this row.
prints: weights[0,0] = 0.2312 0.2312 0.5376
says: They part at exp.
)";

// The person's own work is an example that is looked at in Heads, a number of it pinned.
struct LessonLab : WorkspaceLab {
  explicit LessonLab(Options options = {.document = read_document("eight-heads"), .settings = Settings{}})
      : WorkspaceLab("heads", std::move(options)) {
    std::ofstream(folder / "rows.md") << kTestLesson;
    app().look("heads: large_head 3, pinned weights 3 1 0");
    settle();
    frames(2);
    own = document(), own_look = app().look();
  }
  void play(std::optional<std::size_t> step = {}) {
    app().play_lesson(folder / "rows.md", step);
    settle();
    frames(3);
    REQUIRE_MESSAGE(app().plays_lesson(), view().message);
  }
  void press(int glfw_key, Modifiers modifiers = {}) {
    key(glfw_key, modifiers);
    settle();
    frames(3);
  }
  // On the first drawn text that begins so, to the right of the canvas.
  ImVec2 in_lesson(const std::string& words) {
    const float right = ImGui::GetIO().DisplaySize.x * 0.7f;
    for (const DrawnText& text : texts())
      if (text.text.starts_with(words) && text.box.min.x > right)
        return {text.box.min.x + 3, (text.box.min.y + text.box.max.y) / 2};
    FAIL("the lesson does not say " << words);
    return {};
  }
  LessonView& played() { return app().lesson(); }
  const LessonAnswer& answer(std::size_t exercise) { return played().answer(exercise); }

  ScratchFolder folder;
  Document own;
  std::string own_look;
};

}  // namespace attn::tests
