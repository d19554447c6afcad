// Works and files as a person opens, saves and leaves them.
#include <algorithm>
#include <filesystem>

#include "app/frame/recording_view.h"
#include "app/program/application.h"
#include "app/program/input.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::chrono::milliseconds kDiskPatience{1000};  // with the disk, at the end
// Files with this ending are known for sessions on a desktop (assets/package/attention-lab.xml).
constexpr const char* kSessionEnding = ".attention.json";

// "mine", of mine.attention.json and mine.npz.
std::string stem_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(kSessionEnding) ? name.substr(0, name.size() - std::string(kSessionEnding).size())
                                        : path.stem().string();
}

}  // namespace

void Application::dropped(const std::vector<std::string>& paths) {
  if (!paths.empty()) open(paths.front());
}

void Application::new_document() {
  const Document document = attn::new_document();
  take_up(document, "new", {.saved = document}, "new: 2×2");
}

// An example came with the program and is a page of text; whatever else there is takes as long as it takes.
void Application::open(const std::string& input, bool as_compared) {
  std::error_code ignored;
  if (std::ranges::count(examples(), input) > 0 && !std::filesystem::exists(input, ignored)) {
    reading_.stop();
    take_up_opened(
        {.input = input, .error = {}, .document = read_document(input), .as_compared = as_compared});
    return;
  }
  reading_.open(input, as_compared, document().layer());
  follow_reading();
}

void Application::open_points(const std::string& text) {
  reading_.read_points(text);
  follow_reading();
}

// What goes into the open work, in the workspace that takes it.
void Application::take_in(const ReadFile& opened) {
  const bool points = opened.points.has_value();
  const Workspace* takes = taking(workspaces_, points ? ImportKind::points : ImportKind::layer);
  if (!takes) return say(opened.input + ": no workspace shows " + (points ? "points" : "two layers"), true);
  Document document = this->document();
  takes->take(document, view_, {.points = opened.points.value_or(Tensor()), .other = opened.document});
  show(*takes);
  change(document);
  say((points ? std::to_string(opened.points->rows()) + " points from " + opened.input
              : "opened " + opened.input + " to compare with A") +
      "; Ctrl+Z goes back");
}

// Another work in place of this one; `done` is said.
void Application::take_up(Document document, const std::string& step, OpenWork work,
                          const std::string& done) {
  leave_lesson();
  const std::size_t before = history().work();
  const auto [kept, lost] = works_.take_up(std::move(document), step, std::move(work));
  look_at_work(before);
  document_replaced();
  say(done + "; Ctrl+Z goes back" +
          (kept            ? ", and the unsaved work stays among the recent files"
           : !lost.empty() ? " to the unsaved work, which is nowhere but here: " + lost
                           : ""),
      !lost.empty());
}

void Application::take_up_opened(const ReadFile& opened) {
  try {
    if (opened.recovered) return take_recovered_work(*opened.recovered);
    if (opened.lesson) {
      works_.store().add_recent_file(full_path(opened.input));
      return play_lesson(opened.input);
    }
    if (opened.preview) {
      ArrayPreview& shown = view_.overlays.preview;
      const bool first = opened.preview->choices == ArrayChoices();
      if (first || shown.open) shown = *opened.preview;  // else it was left while it was read anew
      return;
    }
    if (opened.points || opened.as_compared) return take_in(opened);
    Store& store = works_.store();
    const std::string name = file_name(opened.input);
    OpenWork work{.path = opened.file, .mark = opened.notes.mark, .name = name, .saved = opened.document};
    if (store.was_set_aside(opened.file)) {
      work = {};                           // it has no file of the user's
      store.add_recent_file(opened.file);  // nor gives way when the open work is set aside
    }
    take_up(opened.document, "open " + name, std::move(work),
            "opened " + opened.input + (opened.notes.left_out.empty() ? "" : "; " + opened.notes.left_out));
    look_again(opened.notes.look);
    if (!opened.file.empty()) store.add_recent_file(opened.file);
  } catch (const Error& error) {
    say(error.what(), true);
  }
}

// What was looked at: the layer alone, or its numbers to be checked.
void Application::take_preview(bool check) {
  const ArrayPreview& preview = view_.overlays.preview;
  if (!preview.dump) return;
  Document document{.layers = {preview.dump->layer}};
  const Workspace* compares = taking(workspaces_, ImportKind::layer);
  check = check && compares;
  if (check) compares->take(document, view_, {.dump = preview.dump, .path = preview.path});
  const std::string name = file_name(preview.path);
  take_up(document, "open " + name, {.name = name, .saved = document}, "opened " + preview.path);
  if (check) show(*compares);
}

// In the place of what stood in for it. What is written from now on is written where it was found.
void Application::take_recovered_work(const RecoveredWork& recovered) {
  works_.stand_in_no_more();
  const std::string said = recovered.said();
  if (!recovered.work) {
    if (!said.empty() || view_.message == reading_line_) say(said, recovered.trouble);
    return;
  }
  const auto& [document, path, changed, name, mark, look] = *recovered.work;
  works_.take_over(recovered, [&] {
    computing_.begin_other_work();
    if (recovered.computing) computing_.hold(document);
    take_up(document, std::string("open ") + kRecoveredWork,
            {.path = path, .mark = mark, .name = name, .saved = changed ? Document() : document},
            std::string("opened ") + kRecoveredWork + (said.empty() ? "" : "; " + said));
  });
  if (recovered.trouble) say(view_.message, true);
  look_again(look);
}

void Application::stop_reading() {
  if (!reading_.running()) return;
  const bool left = reading_.reads_recovered_work();
  reading_.stop();
  if (left) recovered_waits_ = false;
  say("stopped reading " + reading_.what() + (left ? ": the next start reads it" : ""));
}

void Application::follow_reading() {
  if (reading_.running()) say(reading_line_ = reading_.line());
  take_what_was_read();
}

void Application::take_what_was_read() {
  if (reading_.running() && (view_.message.empty() || view_.message == reading_line_))
    say(reading_line_ = reading_.line());
  if (const auto opened = reading_.take()) {
    if (opened->recovered) recovered_waits_ = false;
    view_.overlays.preview.reading = false;
    opened->error.empty() ? take_up_opened(*opened) : say(opened->error, true);
  }
  const bool stands = ImGui::GetFrameCount() > 1;  // the first frame is sooner drawn where nothing is read
  if (recovered_waits_ && stands && !reading_.running()) {
    reading_.read_left_work(works_.store(), works_.stands_in());
    follow_reading();
  }

  auto& pasting = view_.grid.pasting;
  if (pasting && !pasting->text.empty()) reading_.paste(std::exchange(pasting->text, {}));
  if (auto block = reading_.take_pasted(); block && pasting && pasting->reading) {
    pasting->block = std::move(*block);
    pasting->reading = false;
  }
}

void Application::ask_for_file(bool saving, bool then_quit, bool as_compared, const std::string& proposed) {
  if (native_dialog_.is_open()) return say("a file dialog is open already", true);
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored), path = this->path();
  FileDialog& files = view_.overlays.files;
  view_.of<RecordingView>().choosing = false;
  files = {};
  files.saving = saving;
  files.then_quit = then_quit;
  files.as_compared = as_compared;
  files.own = path;
  files.folder = (path.empty() ? here : path.parent_path()).string();
  const std::string name = stem_of(works_.work().name);
  const std::string fresh = (name.empty() ? "untitled" : name) + kSessionEnding;
  if (saving) files.name = path.empty() ? fresh : path.filename().string();
  if (!proposed.empty()) files.name = proposed;
  auto words = native_dialog_.command(saving, files.folder + "/" + files.name);
  files.open = words.empty();
  if (!words.empty()) native_dialog_.open(std::move(words), {saving, then_quit, as_compared});
}

void Application::take_native_choice() {
  const auto choice = native_dialog_.take_result();
  if (!choice || choice->path.empty()) return;
  if (!choice->purpose.saving) return open(choice->path, choice->purpose.as_compared);
  if (choice->purpose.lesson) return save_lesson_chosen(choice->path);
  if (save(choice->path) && choice->purpose.then_quit) request_quit();
}

// By the program's own dialog, which goes once it is saved.
void Application::save_chosen(const std::string& path, bool overwrite) {
  FileDialog& files = view_.overlays.files;
  if (view_.of<RecordingView>().choosing) return save_recorded_lesson(path);
  const bool saved = save(path, overwrite), asks = view_.file.refused;
  files.open = files.focus = !saved;
  files.error = saved || asks ? "" : view_.message;
  if (!saved && asks) files.replaces = files.own;
  if (saved && files.then_quit) request_quit();
}

bool Application::save(const std::string& path, bool overwrite) {
  view_.file.refused = false;
  const std::string file = full_path(path);
  try {
    const std::string session = write_session(works_.own(), own_look(), session_files(path, FileUse::mapped));
    if (!works_.save(path, session, overwrite)) {
      view_.file = {.about = FileLine::changed, .name = file_name(file), .refused = true, .focus = true};
      works_.look_anew();
      say("not saved: " + file + " was changed on the disk since it was opened here", true);
      return false;
    }
    view_.file = {};
    works_.keep(own_look());
    say("saved " + file);
    return true;
  } catch (const Error& error) {
    say(error.what(), true);
    return false;
  }
}

// "mine 2.json": one that is not there yet.
void Application::keep_both() {
  const std::filesystem::path own = path();
  const std::string stem = stem_of(own), ending = own.filename().string().substr(stem.size());
  const auto name = [&](int i) { return stem + " " + std::to_string(i) + ending; };
  std::error_code unknown;
  int i = 2;
  while (std::filesystem::exists(own.parent_path() / name(i), unknown)) ++i;
  ask_for_file(true, false, false, name(i));
}

// A frame asks what the thread that looks has seen. That a file is as known again takes back what is said of
// it, but not that saving was refused: only that the file goes is news then.
void Application::look_at_file() {
  const FileWatch::State seen = works_.seen();
  const std::string name = file_name(path());
  const bool refused = view_.file.refused && view_.file.name == name;
  if (refused && seen != FileWatch::State::gone) return;
  view_.file.say(seen == FileWatch::State::changed ? FileLine::changed
                 : seen == FileWatch::State::gone  ? FileLine::gone
                                                   : FileLine::nothing,
                 name);
}

void Application::remember() {
  if (!(view_.settings == saved_settings_)) works_.store().save_settings(view_.settings);
  saved_settings_ = view_.settings;
  if (!works_.stands_in()) works_.keep(own_look());
  if (!lesson().record.lessons.empty()) works_.store().save_lessons(lesson().record);
}

void Application::request_quit() {
  if (!view_.of<RecordingView>().steps.empty()) {  // it is nowhere else
    finish_recording();
    return say("the lesson that you record is saved nowhere: save it, or throw it away", true);
  }
  remember();
  const bool kept = works_.finish_keeping(kDiskPatience);
  const auto step = works_.step_to_save(kept);
  quit_ = !step;
  if (!step) return;
  leave_lesson();
  const std::string lost = works_.work(history().steps()[*step].work).lost;
  const std::string why = lost.empty() ? works_.why_not_kept() : lost;
  if (*step != history().position()) jump(*step);
  const std::string name = path().empty() ? "This work" : file_name(path());
  view_.overlays.closing =
      name + " has changes that are saved nowhere, and they " +
      (why.empty() ? "are not kept for the next start yet: writing them takes longer than a second."
                   : "cannot be kept for the next start: " + why + ".");
}

void Application::save_and_quit() {
  view_.overlays.closing.clear();
  if (path().empty()) return ask_for_file(true, true);
  if (save(std::string(path())) || !view_.file.refused) request_quit();  // else what to do is asked first
}

}  // namespace attn
