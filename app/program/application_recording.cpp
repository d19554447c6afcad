// Lessons recorded while somebody works, and work that goes on from a lesson.
#include <filesystem>
#include <utility>

#include "app/frame/recording_view.h"
#include "app/program/application.h"
#include "app/program/input.h"
#include "app/program/lesson_recorder.h"
#include "core/system/error.h"

namespace attn {
namespace {

std::string steps_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " step" : " steps");
}

// The title as a file may be called: letters and digits, and a line where other things stand between.
std::string file_stem(const std::string& title) {
  std::string stem;
  for (const char c : title) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
    const bool capital = c >= 'A' && c <= 'Z';
    if (word || capital)
      stem += capital ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!stem.empty() && !stem.ends_with('-'))
      stem += '-';
  }
  while (stem.ends_with('-')) stem.pop_back();
  return stem.empty() ? "lesson" : stem;
}

}  // namespace

void Application::record_lesson() {
  view_.of<RecordingView>() = begun_recording();
  say("recording a lesson: show what its first step is about, then add the step (F9)");
}

void Application::add_recorded_step() {
  const RecordingView& recording = std::as_const(view_).of<RecordingView>();
  if (!recording.on || recording.writing) return;
  try {
    record_step(view_.of<RecordingView>(), document(), view_, works_.work().name, workspaces_);
    say("recorded step " + std::to_string(view_.of<RecordingView>().steps.size()) +
        (view_.of<RecordingView>().steps.back().beside
             ? "; its document will be saved as a session beside the lesson"
             : ""));
  } catch (const Error& error) {
    say(error.what(), true);
  }
}

void Application::undo_recorded_step() {
  RecordingView& recording = view_.of<RecordingView>();
  if (recording.steps.empty()) return;
  recording.steps.pop_back();
  recording.chosen = std::min(recording.chosen, recording.steps.empty() ? 0 : recording.steps.size() - 1);
  say("took back step " + std::to_string(recording.steps.size() + 1));
}

void Application::finish_recording() {
  if (view_.of<RecordingView>().steps.empty()) return discard_recording();
  view_.of<RecordingView>().writing = true;
  view_.of<RecordingView>().leaving = false;
}

void Application::discard_recording() {
  const std::size_t steps = view_.of<RecordingView>().steps.size();
  view_.of<RecordingView>() = {};
  say(steps == 0 ? "stopped recording" : "threw away a lesson of " + steps_text(steps));
}

void Application::ask_for_lesson_file() {
  if (native_dialog_.is_open()) return say("a file dialog is open already", true);
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored), path = this->path();
  FileDialog& files = view_.overlays.files;
  files = {};
  view_.of<RecordingView>().choosing = files.saving = true;
  files.folder = (path.empty() ? here : path.parent_path()).string();
  files.name = file_stem(view_.of<RecordingView>().title) + kLessonFileEnding;
  auto words = native_dialog_.command(true, files.folder + "/" + files.name);
  files.open = words.empty();
  if (!words.empty()) native_dialog_.open(std::move(words), {.saving = true, .lesson = true});
}

// By the desktop's dialog, which asked whether the file of that name may go, but not the one of the whole
// name.
void Application::save_lesson_chosen(const std::string& path) {
  std::error_code unknown;
  const std::string whole = lesson_path(path);
  if (!view_.of<RecordingView>().on) return say("the recording was thrown away: nothing was saved", true);
  if (whole != path && std::filesystem::exists(whole, unknown))
    return say(whole + " exists already: choose that file, or another name", true);
  save_recorded_lesson(path);
}

void Application::save_recorded_lesson(const std::string& path) {
  FileDialog& files = view_.overlays.files;
  try {
    const std::string file = save_recording(view_.of<RecordingView>(), path);
    works_.store().add_recent_file(file);
    view_.of<RecordingView>() = {};
    files.open = false;
    say("saved " + file + ": File ▸ Recent plays it");
  } catch (const Error& error) {
    files.error = error.what();
    files.focus = files.open;
    say(error.what(), true);
  }
}

// Behind leaving, which takes up puts another document there; then as the step was looked at.
void Application::go_on_from_lesson() {
  if (!lesson_ || !works_.guest_in_front()) return;
  if (lesson().comparing) end_comparing();
  const Document taken = document();
  const KeptLook looked = kept_look(view_);
  const std::string title = lesson().now().title, name = lesson().lesson->title;
  take_up(taken, "go on from “" + title + "”", {.name = name}, "go on from “" + title + "”");
  put_look(looked, view_);
  compute();
}

}  // namespace attn
