// New, open, save, picture, quit; and what can be done about a file that was changed on the disk.
#include "app/file_commands.h"

#include "app/application.h"
#include "app/input.h"
#include "app/toolkit.h"

namespace attn {
namespace {

// While the file on the disk is another than was opened.
void add_commands_of_changed_file(std::vector<Command>& list) {
  list.push_back({"file.save_beside", "Save beside the file on the disk…", "File", {}, [](Application& a) {
                    a.save_beside();
                  }});
  list.push_back({"file.open_theirs", "Open the file as it is on the disk", "File", {}, [](Application& a) {
                    a.open(std::string(a.path()));
                  }});
  list.push_back({"file.overwrite", "Overwrite the file on the disk", "File", {}, [](Application& a) {
                    a.save(std::string(a.path()), true);
                  }});
}

}  // namespace

void file_commands(std::vector<Command>& list, const Application& app) {
  list.push_back({"file.new", "New", "File", ctrl(GLFW_KEY_N), [](Application& a) { a.new_document(); }});
  list.push_back(
      {"file.open", "Open…", "File", ctrl(GLFW_KEY_O), [](Application& a) { a.ask_for_file(false); }});
  for (std::size_t i = 0; const std::string& path : app.store().recent_files()) {
    list.push_back(
        {"recent." + std::to_string(i++), file_name(path), "File/Recent", {}, [path](Application& a) {
           a.open(path);
         }});
  }
  for (const std::string& name : examples())
    list.push_back({"example." + name, name, "File/Examples", {}, [name](Application& a) { a.open(name); }});
  list.push_back({"file.stop_reading",
                  "Stop reading the file",
                  "File",
                  {},
                  [](Application& a) { a.stop_reading(); },
                  app.reading()});
  list.push_back({"file.save", "Save", "File", ctrl(GLFW_KEY_S), [](Application& a) {
                    if (a.path().empty()) return a.ask_for_file(true);
                    a.save(std::string(a.path()));
                  }});
  list.push_back({"file.save_as", "Save as…", "File", ctrl(GLFW_KEY_S, true),
                  [](Application& a) { a.ask_for_file(true); }});
  if (app.view().file.about == FileLine::changed) add_commands_of_changed_file(list);
  list.push_back({"file.picture", "Picture of the window", "File", plain(GLFW_KEY_F12),
                  [](Application& a) { a.request_capture(false); }});
  list.push_back({"file.panel_picture",
                  "Picture of the panel under the pointer",
                  "File",
                  {.key = GLFW_KEY_F12, .shift = true},
                  [](Application& a) { a.request_capture(true); }});
  list.push_back({"file.quit", "Quit", "File", ctrl(GLFW_KEY_Q), [](Application& a) { a.request_quit(); }});
  if (app.view().overlays.closing.empty()) return;
  list.push_back({"file.save_and_quit", "Save and quit", "", {}, [](Application& a) { a.save_and_quit(); }});
  list.push_back(
      {"file.quit_unsaved", "Quit without saving", "", {}, [](Application& a) { a.quit_unsaved(); }});
}

}  // namespace attn
