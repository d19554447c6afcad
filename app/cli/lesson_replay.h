// A lesson replayed on the reference: what its steps' numbers are.
#pragma once

#include <memory>
#include <span>

#include "app/frame/workspace.h"
#include "core/lesson/lesson.h"
#include "core/lesson/live_numbers.h"

namespace attn {

// The steps of a lesson from the first on, each computed by the reference.
class LessonReplay {
 public:
  LessonReplay(const Lesson& lesson, std::span<const Workspace> workspaces);
  ~LessonReplay();
  bool next();  // to the first step, then to the one behind; false: there is none
  const LessonStep& step() const;
  LiveNumbers live() const;
  const Document& document() const;
  // The same after these sets, or of another document in its place; `before` is the step's own.
  LiveNumbers after(std::span<const LessonSet> sets);
  LiveNumbers of(Document document);
  // Puts another document in place of the step's: as an answer leaves it.
  void put(Document document);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attn
