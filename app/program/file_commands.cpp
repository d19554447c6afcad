// New, open, save, picture, quit; and what can be done about a file that was changed on the disk.
#include "app/program/file_commands.h"

#include "app/program/application.h"
#include "app/program/input.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

// While the file on the disk is another than was opened.
void add_commands_of_changed_file(Application& app, std::vector<Command>& list) {
  list.push_back({.name = "file.keep_both",
                  .title = "Save as another file, keeping both…",
                  .menu = "File",
                  .run = [&app](Desk&) { app.keep_both(); }});
  list.push_back({.name = "file.open_theirs",
                  .title = "Open the file as it is on the disk",
                  .menu = "File",
                  .run = [&app](Desk&) { app.open(std::string(app.path())); }});
  list.push_back({.name = "file.overwrite",
                  .title = "Overwrite the file on the disk",
                  .menu = "File",
                  .run = [&app](Desk&) { app.save(std::string(app.path()), true); }});
}

// While closing would lose work.
void add_commands_of_closing(Application& app, std::vector<Command>& list) {
  list.push_back({.name = "file.save_and_quit", .title = "Save and quit", .run = [&app](Desk&) {
                    app.save_and_quit();
                  }});
  list.push_back({.name = "file.quit_unsaved", .title = "Quit without saving", .run = [&app](Desk&) {
                    app.quit_unsaved();
                  }});
}

void add_commands_of_pictures(Application& app, std::vector<Command>& list) {
  list.push_back({.name = "file.picture",
                  .title = "Picture of the window",
                  .menu = "File",
                  .shortcut = plain(GLFW_KEY_F12),
                  .run = [&app](Desk&) { app.request_capture(false); }});
  list.push_back({.name = "file.panel_picture",
                  .title = "Picture of the panel under the pointer",
                  .menu = "File",
                  .shortcut = {.key = GLFW_KEY_F12, .shift = true},
                  .run = [&app](Desk&) { app.request_capture(true); }});
  list.push_back({.name = "file.svg_picture",
                  .title = "Picture of the window as SVG",
                  .menu = "File",
                  .run = [&app](Desk&) { app.request_capture(false, true); }});
  list.push_back({.name = "file.svg_panel_picture",
                  .title = "Picture of the panel under the pointer as SVG",
                  .run = [&app](Desk&) { app.request_capture(true, true); }});
}

// What they weigh is known before they are drawn.
void add_commands_of_steps(Application& app, std::vector<Command>& list) {
  const StepSize size = app.step_size();
  const bool can = size.steps > 0 && !app.saving_steps();
  const std::string says = size.steps > 0 ? size.weight() : "this workspace has no steps";
  list.push_back({.name = "file.step_pictures",
                  .title = "Pictures of all steps",
                  .menu = "File",
                  .run = [&app](Desk&) { app.save_steps(false); },
                  .enabled = can,
                  .says = says});
  list.push_back({.name = "file.steps_animation",
                  .title = "Animation of all steps",
                  .menu = "File",
                  .run = [&app](Desk&) { app.save_steps(true); },
                  .enabled = can,
                  .says = says});
  list.push_back({.name = "file.stop_steps",
                  .title = "Stop drawing steps",
                  .menu = "File",
                  .run = [&app](Desk&) { app.stop_saving_steps(); },
                  .enabled = app.saving_steps()});
}

// The one that is open is ticked, edited or not.
void add_commands_of_examples(Application& app, std::vector<Command>& list) {
  const std::string& made_from = app.made_from();
  const std::string open = made_from.empty() ? example_of(app.document()) : made_from;
  for (const std::string& name : examples())
    list.push_back({.name = "example." + name,
                    .title = name,
                    .menu = "File/Examples",
                    .run = [&app, name](Desk&) { app.open(name); },
                    .checked = app.path().empty() && open == name,
                    .says = example_says(name)});
}

}  // namespace

void file_commands(std::vector<Command>& list, Application& app) {
  list.push_back({.name = "file.new",
                  .title = "New",
                  .menu = "File",
                  .shortcut = ctrl(GLFW_KEY_N),
                  .run = [&app](Desk&) { app.new_document(); }});
  list.push_back({.name = "file.open",
                  .title = "Open…",
                  .menu = "File",
                  .shortcut = ctrl(GLFW_KEY_O),
                  .run = [&app](Desk&) { app.ask_for_file(false); }});
  for (std::size_t i = 0; const std::string& path : app.store().recent_files()) {
    list.push_back({.name = "recent." + std::to_string(i++),
                    .title = file_name(path),
                    .menu = "File/Recent",
                    .run = [&app, path](Desk&) { app.open(path); }});
  }
  add_commands_of_examples(app, list);
  list.push_back({.name = "file.stop_reading",
                  .title = "Stop reading the file",
                  .menu = "File",
                  .run = [&app](Desk&) { app.stop_reading(); },
                  .enabled = app.reading()});
  list.push_back({.name = "file.save",
                  .title = "Save",
                  .menu = "File",
                  .shortcut = ctrl(GLFW_KEY_S),
                  .run = [&app](Desk&) {
                    if (app.path().empty()) return app.ask_for_file(true);
                    app.save(std::string(app.path()));
                  }});
  list.push_back({.name = "file.save_as",
                  .title = "Save as…",
                  .menu = "File",
                  .shortcut = ctrl(GLFW_KEY_S, true),
                  .run = [&app](Desk&) { app.ask_for_file(true); }});
  if (app.view().file.about == FileLine::changed) add_commands_of_changed_file(app, list);
  add_commands_of_pictures(app, list);
  add_commands_of_steps(app, list);
  list.push_back({.name = "file.quit",
                  .title = "Quit",
                  .menu = "File",
                  .shortcut = ctrl(GLFW_KEY_Q),
                  .run = [&app](Desk&) { app.request_quit(); }});
  if (!app.view().overlays.closing.empty()) add_commands_of_closing(app, list);
}

}  // namespace attn
