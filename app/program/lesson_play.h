// A lesson that is played: the states of its steps, and what is put back when it ends.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "app/frame/view.h"
#include "app/frame/workspace.h"
#include "core/lesson/lesson.h"

namespace attn {

// What of the view belongs to a document: all but settings, panels and what is open above them.
struct KeptLook {
  const Workspace* workspace = nullptr;
  std::map<const Workspace*, CanvasView> canvases = {};
  std::optional<Spot> pinned = {}, inspected = {};
  std::vector<std::pair<std::string, float>> locked_ranges = {};
  LayerView layer = {};
  BeforeView before = {};
  Views own = {};
};
// Without what is played.
KeptLook kept_look(View& view);
// What is typed, dragged or selected meanwhile goes; what is played stays.
void put_look(const KeptLook& kept, View& view);

// A document and how it is looked at.
struct LessonScene {
  Document document;
  KeptLook look;
};

class LessonPlay {
 public:
  // `own`: what is put back; `own_look`: the same in the words of a session.
  LessonPlay(std::shared_ptr<const Lesson> lesson, LessonScene own, std::string own_look,
             std::span<const Workspace> workspaces);

  const Lesson& lesson() const { return *lesson_; }
  LessonScene& own() { return own_; }
  const std::string& own_look() const { return own_look_; }

  // The step as the file has it, from what the step before it began with. Throws Error with line and reason;
  // nothing has changed then.
  LessonScene begun(std::size_t step, const View& view);
  // The step as it was left, else as it begins.
  LessonScene left(std::size_t step, const View& view);
  void leave(std::size_t step, LessonScene scene) { left_[step] = std::move(scene); }

 private:
  std::shared_ptr<const Lesson> lesson_;
  LessonScene own_;
  std::string own_look_;
  std::span<const Workspace> workspaces_;
  std::vector<LessonScene> begun_;  // of the steps from the first on, as far as they were needed
  std::map<std::size_t, LessonScene> left_;
};

}  // namespace attn
