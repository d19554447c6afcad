// A lesson that a person records while working: its steps, and the words that are written to them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/lesson/lesson.h"

namespace attn {

struct View;

struct RecordedStep {
  LessonStep keys = {};  // what is opened, set, looked at and lit
  bool beside = false;   // its document is opened from a session that is written beside the lesson
  std::string title = {};
  std::string words = {};  // its text, and exercises, as a lesson's file has them
  std::string error = {};  // why they cannot be read; empty: they can
  Document document = {};
  std::shared_ptr<const View> view = {};  // as a player has it in this step
};

// In view.of<RecordingView>(): of the window, whatever is open or played in it.
struct RecordingView {
  bool on = false;
  bool writing = false;   // its words are, above everything
  bool choosing = false;  // the file dialog is for it, not for the work
  std::string title = {}, goal = {};
  std::vector<RecordedStep> steps = {};
  std::size_t chosen = 0;  // whose words are being written
  bool leaving = false;    // whether it is to be thrown away is asked
};

}  // namespace attn
