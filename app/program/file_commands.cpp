// New, open, save, picture, quit; and what can be done about a file that was changed on the disk.
#include "app/program/file_commands.h"

#include "app/program/application.h"
#include "app/program/input.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

// While the file on the disk is another than was opened.
void add_commands_of_changed_file(Application& app, std::vector<Command>& list) {
  list.push_back({"file.save_beside", "Save beside the file on the disk…", "File", {}, [&app](Desk&) {
                    app.save_beside();
                  }});
  list.push_back({"file.open_theirs", "Open the file as it is on the disk", "File", {}, [&app](Desk&) {
                    app.open(std::string(app.path()));
                  }});
  list.push_back({"file.overwrite", "Overwrite the file on the disk", "File", {}, [&app](Desk&) {
                    app.save(std::string(app.path()), true);
                  }});
}

}  // namespace

void file_commands(std::vector<Command>& list, Application& app) {
  list.push_back({"file.new", "New", "File", ctrl(GLFW_KEY_N), [&app](Desk&) { app.new_document(); }});
  list.push_back(
      {"file.open", "Open…", "File", ctrl(GLFW_KEY_O), [&app](Desk&) { app.ask_for_file(false); }});
  for (std::size_t i = 0; const std::string& path : app.store().recent_files()) {
    list.push_back({"recent." + std::to_string(i++), file_name(path), "File/Recent", {}, [&app, path](Desk&) {
                      app.open(path);
                    }});
  }
  for (const std::string& name : examples())
    list.push_back({"example." + name, name, "File/Examples", {}, [&app, name](Desk&) { app.open(name); }});
  list.push_back({"file.stop_reading",
                  "Stop reading the file",
                  "File",
                  {},
                  [&app](Desk&) { app.stop_reading(); },
                  app.reading()});
  list.push_back({"file.save", "Save", "File", ctrl(GLFW_KEY_S), [&app](Desk&) {
                    if (app.path().empty()) return app.ask_for_file(true);
                    app.save(std::string(app.path()));
                  }});
  list.push_back({"file.save_as", "Save as…", "File", ctrl(GLFW_KEY_S, true),
                  [&app](Desk&) { app.ask_for_file(true); }});
  if (app.view().file.about == FileLine::changed) add_commands_of_changed_file(app, list);
  list.push_back({"file.picture", "Picture of the window", "File", plain(GLFW_KEY_F12),
                  [&app](Desk&) { app.request_capture(false); }});
  list.push_back({"file.panel_picture",
                  "Picture of the panel under the pointer",
                  "File",
                  {.key = GLFW_KEY_F12, .shift = true},
                  [&app](Desk&) { app.request_capture(true); }});
  list.push_back({"file.quit", "Quit", "File", ctrl(GLFW_KEY_Q), [&app](Desk&) { app.request_quit(); }});
  if (app.view().overlays.closing.empty()) return;
  list.push_back({"file.save_and_quit", "Save and quit", "", {}, [&app](Desk&) { app.save_and_quit(); }});
  list.push_back({"file.quit_unsaved", "Quit without saving", "", {}, [&app](Desk&) { app.quit_unsaved(); }});
}

}  // namespace attn
