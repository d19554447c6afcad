// What begins a recording; while there is one, its steps and its end.
#include "app/program/recording_commands.h"

#include "app/frame/recording_view.h"
#include "app/program/application.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

constexpr const char* kMenu = "Help/Lessons";

void add_steps(std::vector<Command>& list, Application& app, std::size_t steps) {
  list.push_back({.name = "recording.add",
                  .title = "Add step " + std::to_string(steps + 1) + " to the lesson",
                  .menu = kMenu,
                  .shortcut = plain(GLFW_KEY_F9),
                  .run = [&app](Desk&) { app.add_recorded_step(); },
                  .says = "what is open, looked at and selected now"});
  list.push_back({.name = "recording.undo",
                  .title = steps == 0 ? "Take back the last step of the lesson"
                                      : "Take back step " + std::to_string(steps) + " of the lesson",
                  .menu = kMenu,
                  .run = [&app](Desk&) { app.undo_recorded_step(); },
                  .enabled = steps > 0});
  list.push_back({.name = "recording.finish",
                  .title = "Write and save the recorded lesson…",
                  .menu = kMenu,
                  .run = [&app](Desk&) { app.finish_recording(); },
                  .enabled = steps > 0});
  list.push_back({.name = "recording.save",
                  .title = "Save the recorded lesson…",
                  .run = [&app](Desk&) { app.ask_for_lesson_file(); },
                  .enabled = steps > 0});
  list.push_back({.name = "recording.discard",
                  .title = steps == 0 ? "Stop recording the lesson" : "Throw away the recorded lesson",
                  .run = [&app](Desk&) { app.discard_recording(); }});
}

}  // namespace

void recording_commands(std::vector<Command>& list, Application& app) {
  const RecordingView& recording = app.view().of<RecordingView>();
  if (recording.on) return add_steps(list, app, recording.steps.size());
  list.push_back({.name = "recording.begin",
                  .title = "Record a lesson",
                  .menu = kMenu,
                  .run = [&app](Desk&) { app.record_lesson(); },
                  .says = "of what you show now, step by step; its sentences come after"});
}

}  // namespace attn
