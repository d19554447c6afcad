// What goes out of the program as files: saving, and whether the file on the disk is still the one that is
// known here.
#include <filesystem>

#include "app/program/application.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {

void Application::ask_for_file(bool saving, bool then_quit, bool beside, const std::string& proposed) {
  if (native_dialog_.is_open()) return say("a file dialog is open already", true);
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored), path = this->path();
  FileDialog& files = view_.overlays.files;
  files = {};
  files.saving = saving;
  files.then_quit = then_quit;
  files.beside = beside;
  files.own = path;
  files.folder = (path.empty() ? here : path.parent_path()).string();
  const std::filesystem::path name = works_[history_.work()].name;
  const std::string fresh = name.empty() ? "untitled" : name.stem().string();
  if (saving) files.name = path.empty() ? fresh + ".json" : path.filename().string();
  if (!proposed.empty()) files.name = proposed;
  auto words = native_dialogs_ ? NativeDialog::command(saving, files.folder + "/" + files.name)
                               : std::vector<std::string>();
  files.open = words.empty();
  if (!words.empty()) native_dialog_.open(std::move(words), {saving, then_quit, beside}, wake_);
}

void Application::take_native_choice() {
  const auto choice = native_dialog_.take_result();
  if (!choice || choice->path.empty()) return;
  if (!choice->purpose.saving) return open(choice->path, choice->purpose.beside);
  if (save(choice->path) && choice->purpose.then_quit) request_quit();
}

// By the program's own dialog, which goes once it is saved.
void Application::save_chosen(const std::string& path, bool overwrite) {
  FileDialog& files = view_.overlays.files;
  const bool saved = save(path, overwrite), asks = view_.file.refused;
  files.open = files.focus = !saved;
  files.error = saved || asks ? "" : view_.message;
  if (!saved && asks) files.replaces = files.own;
  if (saved && files.then_quit) request_quit();
}

// The work's own file is another than was read or written here, and not what is to be written.
bool Application::would_lose(const std::string& file, const std::string& text) const {
  const Work& work = works_[history_.work()];
  std::error_code none;
  if (work.path != file && !std::filesystem::equivalent(work.path, file, none)) return false;
  const auto now = mark_of_file(file);
  return now && *now != work.mark && *now != mark_of(text);
}

bool Application::save(const std::string& path, bool overwrite) {
  view_.file.refused = false;
  try {
    const std::string file = full_path(path), text = session();
    if (!overwrite && would_lose(file, text)) {
      view_.file = {.about = FileLine::changed, .name = file_name(file), .refused = true, .focus = true};
      file_watch_.watch({}, {});  // what it has seen is older
      say("not saved: " + file + " was changed on the disk since it was opened here", true);
      return false;
    }
    write_file(path, text, Readers::owner);
    view_.file = {};
    works_[history_.work()].path = file;
    // A file may have been opened more than once: what it holds now is what all of those have saved.
    for (Work& work : works_)
      if (work.path == file) work.saved = document(), work.mark = mark_of(text);
    store_.add_recent_file(file);
    recovery_writer_.post(recovery());
    say("saved " + file);
    return true;
  } catch (const Error& error) {
    say(error.what(), true);
    return false;
  }
}

// "mine 2.json": one that is not there yet.
void Application::save_beside() {
  const std::filesystem::path own = path();
  const auto name = [&](int i) {
    return own.stem().string() + " " + std::to_string(i) + own.extension().string();
  };
  std::error_code unknown;
  int i = 2;
  while (std::filesystem::exists(own.parent_path() / name(i), unknown)) ++i;
  ask_for_file(true, false, false, name(i));
}

// A frame asks what the thread that looks has seen. That a file is as known again takes back what is said of
// it, but not that saving was refused: only that the file goes is news then.
void Application::look_at_file() {
  const Work& work = works_[history_.work()];
  file_watch_.watch(work.path, work.mark);
  const FileWatch::Seen seen = file_watch_.seen();
  const bool refused = view_.file.refused && view_.file.name == file_name(work.path);
  if (refused && seen != FileWatch::Seen::gone) return;
  view_.file.say(seen == FileWatch::Seen::changed ? FileLine::changed
                 : seen == FileWatch::Seen::gone  ? FileLine::gone
                                                  : FileLine::nothing,
                 file_name(work.path));
}

}  // namespace attn
