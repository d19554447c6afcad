// What comes into the program: files that are opened or dropped, and large texts that are pasted. They are
// read on threads of their own; a frame takes what has been read.
#include <algorithm>
#include <filesystem>
#include <new>
#include <span>

#include "app/application.h"
#include "app/input.h"
#include "core/error.h"
#include "core/io/points_file.h"

namespace attn {
namespace {

ParsedBlock read_block(const std::string& text) {
  try {
    return parse_block(text);
  } catch (const std::bad_alloc&) {
    ParsedBlock block;
    block.error = "there is not enough memory to read the text on the clipboard";
    return block;
  }
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
void Application::open(const std::string& input, bool beside) {
  std::error_code ignored;
  if (std::ranges::count(examples(), input) > 0 && !std::filesystem::exists(input, ignored)) {
    opening_.stop();
    take_up_opened({.input = input, .error = {}, .document = read_document(input), .beside = beside});
    return;
  }
  reading_ = input;
  opening_.start([input, beside, a = document().layer](const JobControl& control) {
    Opened opened{.input = input, .error = {}, .beside = beside};
    try {
      opened.points = read_points_input(input, [&](double) { return control.give_up(); });
      if (opened.points) return opened;
      const auto give_up = [&](double) { return control.give_up(); };
      opened.document =
          beside ? open_beside(input, a, give_up) : open_document(input, give_up, {}, &opened.notes);
      opened.file = session_path(input);
    } catch (const std::bad_alloc&) {
      opened.error = input + ": there is not enough memory to read it";
    } catch (const std::exception& error) {
      opened.error = error.what();
    }
    return opened;
  });
  // Most files are read before a person could see that they are not there yet.
  opening_.wait_for(patience_);
  if (opening_.running()) say_reading();
  take_what_was_read();
}

void Application::open_points(const std::string& text) {
  reading_ = "the clipboard";
  opening_.start([text](const JobControl&) {
    Opened opened{.input = "the clipboard", .error = {}};
    try {
      opened.points = parse_points(std::as_bytes(std::span(text)));
    } catch (const std::bad_alloc&) {
      opened.error = "there is not enough memory to read the text on the clipboard";
    } catch (const std::exception& error) {
      opened.error = std::string("the clipboard: ") + error.what();
    }
    return opened;
  });
  opening_.wait_for(patience_);
  if (opening_.running()) say_reading();
  take_what_was_read();
}

// They take the place of the points of the open work, in the workspace that shows points.
void Application::take_points(const Opened& opened) {
  const auto shows = std::ranges::find_if(workspaces_, [](const Workspace& w) { return w.take_points; });
  if (shows == workspaces_.end()) return say(opened.input + ": no workspace shows points", true);
  const std::size_t count = opened.points->rows();
  Document document = history_.current();
  shows->take_points(document, view_, *opened.points);
  show(*shows);
  change(document);
  say(std::to_string(count) + " points from " + opened.input + "; Ctrl+Z goes back");
}

// The layer of a file, in the workspace that shows two.
void Application::take_beside(const Opened& opened) {
  const auto shows = std::ranges::find_if(workspaces_, [](const Workspace& w) { return w.take_beside; });
  if (shows == workspaces_.end()) return say(opened.input + ": no workspace shows two layers", true);
  Document document = history_.current();
  shows->take_beside(document, view_, opened.document);
  show(*shows);
  change(document);
  say("opened " + opened.input + " beside A; Ctrl+Z goes back");
}

Application::SetAside Application::set_aside() {
  const bool unsaved = changed();
  SetAside aside{.kept = store_.set_aside(recovery()), .lost = {}};
  if (unsaved && !aside.kept) aside.lost = store_.note();
  works_[history_.work()].lost = aside.lost;
  return aside;
}

// Another work in place of this one.
void Application::take_up(Document document, const std::string& step, Work work, const std::string& done) {
  const auto [kept, lost] = set_aside();  // before the push: of the work that goes
  const std::size_t before = history_.work();
  history_.push(std::move(document), step);
  works_.resize(history_.work() + 1);
  works_.back() = std::move(work);
  look_at_work(before);
  document_replaced();
  say(done + "; Ctrl+Z goes back" +
          (kept            ? ", and the unsaved work stays among the recent files"
           : !lost.empty() ? " to the unsaved work, which is nowhere but here: " + lost
                           : ""),
      !lost.empty());
}

void Application::take_up_opened(const Opened& opened) {
  try {
    if (opened.points) return take_points(opened);
    if (opened.beside) return take_beside(opened);
    const std::string name = file_name(opened.input);
    Work work{.path = opened.file, .mark = opened.notes.mark, .name = name, .saved = opened.document};
    if (store_.was_set_aside(opened.file)) {
      work = {};                            // it has no file of the user's
      store_.add_recent_file(opened.file);  // nor gives way when the open work is set aside
    }
    take_up(opened.document, "open " + name, std::move(work),
            "opened " + opened.input + (opened.notes.left_out.empty() ? "" : "; " + opened.notes.left_out));
    if (!opened.file.empty()) store_.add_recent_file(opened.file);
  } catch (const Error& error) {
    say(error.what(), true);
  }
}

void Application::stop_reading() {
  if (!opening_.running()) return;
  opening_.stop();
  say("stopped reading " + reading_);
}

void Application::say_reading() {
  say("reading " + reading_ + "…");
}

void Application::take_what_was_read() {
  if (opening_.running() && view_.message.empty()) say_reading();
  if (const auto opened = opening_.take())
    opened->error.empty() ? take_up_opened(*opened) : say(opened->error, true);

  auto& pasting = view_.grid.pasting;
  if (pasting && !pasting->text.empty())
    pasted_.start([text = std::exchange(pasting->text, {})](const JobControl&) { return read_block(text); });
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
