// What comes into the program: files that are opened or dropped, and large texts that are pasted. They are
// read on threads of their own; a frame takes what has been read.
#include <algorithm>
#include <filesystem>
#include <new>

#include "app/application.h"
#include "app/input.h"
#include "core/error.h"

namespace attn {

void Application::dropped(const std::vector<std::string>& paths) {
  if (!paths.empty()) open(paths.front());
}

void Application::new_document() {
  open("the-cat-sat-on-mat");
}

// An example came with the program and is a page of text; whatever else there is takes as long as it takes.
void Application::open(const std::string& input) {
  std::error_code ignored;
  if (std::ranges::count(examples(), input) > 0 && !std::filesystem::exists(input, ignored)) {
    opening_.stop();
    take_up(input, read_document(input));
    return;
  }
  reading_ = input;
  opening_.start([input](const JobControl& control) {
    Opened opened{.input = input, .error = {}, .document = {}};
    try {
      opened.document = open_document(input, {}, [&] { return control.give_up(); });
    } catch (const std::bad_alloc&) {
      opened.error = input + ": there is not enough memory to read it";
    } catch (const std::exception& error) {
      opened.error = error.what();
    }
    return opened;
  });
  // Most files are read before a person could see that they are not there yet.
  opening_.wait_for(patience_);
  take_what_was_read();
}

void Application::take_up(const std::string& input, Document document) {
  try {
    // Before the push: recovery() is of the work that the new one takes the place of.
    const bool unkept = changed(), kept = store_.set_aside(recovery());
    const std::string lost = unkept && !kept ? store_.note() : "";
    works_[history_.work()].lost = lost;
    const std::string file = session_path(input);
    const bool unsaved = store_.was_set_aside(file);
    history_.push(std::move(document), "open " + std::filesystem::path(input).filename().string());
    works_.resize(history_.work() + 1);
    works_.back() = {.path = unsaved ? "" : file, .saved = unsaved ? Document() : history_.current()};
    if (!file.empty()) store_.add_recent_file(file);
    document_replaced();
    say("opened " + input + "; Ctrl+Z goes back" +
            (kept            ? ", and the unsaved work stays among the recent files"
             : !lost.empty() ? " to the unsaved work, which is nowhere but here: " + lost
                             : ""),
        !lost.empty());
  } catch (const Error& error) {
    say(error.what(), true);
  }
}

bool Application::stop_reading() {
  if (!opening_.running()) return false;
  opening_.stop();
  say("stopped reading " + reading_);
  return true;
}

void Application::take_what_was_read() {
  if (opening_.running() && view_.message.empty()) say("reading " + reading_ + "…");
  if (const auto opened = opening_.take())
    opened->error.empty() ? take_up(opened->input, opened->document) : say(opened->error, true);

  auto& pasting = view_.grid.pasting;
  if (pasting && !pasting->text.empty())
    pasted_.start([text = std::exchange(pasting->text, {})](const JobControl&) { return parse_block(text); });
  if (auto block = pasted_.take(); block && pasting && pasting->reading) {
    pasting->block = std::move(*block);
    pasting->reading = false;
  }
}

void Application::wait_for_reading(std::chrono::milliseconds limit) const {
  opening_.wait_for(limit);
  pasted_.wait_for(limit);
}

}  // namespace attn
