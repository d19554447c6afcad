// The file that was asked for, else the work of last time, else an example. Other unsaved work is set aside
// first. Points go into that work; a large file takes its place when it has been read, and so does large work
// of last time: the window waits for none of them.
#include "app/program/start.h"

#include <filesystem>

#include "app/program/input.h"
#include "app/program/preview_file.h"

namespace attn {
namespace {

constexpr std::uintmax_t kLargeFile = std::uintmax_t{4} << 20;  // bytes that take longer than a window may

bool is_large(const std::string& input) {
  std::error_code none;
  return std::filesystem::is_regular_file(input, none) &&
         std::filesystem::file_size(input, none) > kLargeFile;
}

// Another program's numbers are looked at before they are checked.
bool is_dump(const std::string& input) {
  const auto preview = preview_file(input, {}, new_document().layer());
  return preview && preview->dump && !preview->dump->stages.empty();
}

}  // namespace

Application::Setup start_setup(const std::string& input, Store store, const StartChange& change) {
  const std::string file = input.empty() ? "" : session_path(input);
  if (store.was_set_aside(file)) store.add_recent_file(file);  // it does not give way to what is left
  if (!input.empty() && (read_points_input(input) || (!change && (is_large(input) || is_dump(input))))) {
    Application::Setup setup = start_setup("", std::move(store));
    setup.dropped = input;
    return setup;
  }
  Application::Setup setup;
  // What cannot be computed is refused before a window opens, and before anything is touched.
  FileNotes notes;
  if (!input.empty()) setup.document = open_document(input, {}, change, &notes);
  setup.said = notes.left_out;
  setup.look = notes.look;
  const bool behind = store.left_more_than(kLargeFile);
  if (behind)
    setup.recovered =
        input.empty() ? Application::RecoveredUse::to_open : Application::RecoveredUse::to_set_aside;
  RecoveredWork recovered = behind ? RecoveredWork() : store.take_recovered_work(input.empty());
  if (!recovered.notes.empty()) setup.said += (setup.said.empty() ? "" : "; ") + recovered.said();
  setup.trouble = recovered.trouble;
  if (!input.empty()) {
    setup.changed = store.was_set_aside(file);
    if (!setup.changed) setup.path = file, setup.mark = notes.mark, setup.name = file_name(input);
    setup.changed = setup.changed || change;
  } else if (recovered.work) {
    store.take_over(recovered);
    setup.document = std::move(recovered.work->document);
    setup.path = std::move(recovered.work->path);
    setup.mark = std::move(recovered.work->mark);
    setup.look = std::move(recovered.work->look);
    setup.name = std::move(recovered.work->name);
    setup.changed = recovered.work->changed;
    setup.held = recovered.computing;
  } else {
    setup.document = read_document(kStartExample);
    setup.name = kStartExample;
  }
  setup.store = std::move(store);
  return setup;
}

void begin_tour(Application& app) {
  app.play_lesson(kTour, 0);
  if (app.plays_lesson())
    app.say("a tour of the window, two minutes: Esc skips it, Help ▸ Lessons has it at any time");
}

}  // namespace attn
