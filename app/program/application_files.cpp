// What comes into the program: files that are opened or dropped, and large texts that are pasted. They are
// read on threads of their own; a frame takes what has been read.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <new>
#include <span>

#include "app/program/application.h"
#include "app/program/input.h"
#include "core/io/points_file.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr const char *kClipboard = "the clipboard", *kLeftWork = "the work that was open last time";

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

// `reader` makes of it what there is to take up; it may throw.
void Application::read(const std::string& what, const std::function<void(Opened&, const OnTheWay&)>& reader) {
  reading_ = what;
  opening_.start([what, reader](JobControl& control) {
    Opened opened{.input = what, .error = {}};
    try {
      reader(opened, [&](double done) {
        control.progress({}, done);
        return control.give_up();
      });
    } catch (const std::bad_alloc&) {
      opened.error = what + ": there is not enough memory to read it";
    } catch (const std::exception& error) {
      opened.error = error.what();
    }
    return opened;
  });
  // Most of it is read before a person could see that it is not there yet.
  opening_.wait_for(patience_);
  if (opening_.running()) say_reading();
  take_what_was_read();
}

// An example came with the program and is a page of text; whatever else there is takes as long as it takes.
void Application::open(const std::string& input, bool beside) {
  std::error_code ignored;
  if (std::ranges::count(examples(), input) > 0 && !std::filesystem::exists(input, ignored)) {
    opening_.stop();
    take_up_opened({.input = input, .error = {}, .document = read_document(input), .beside = beside});
    return;
  }
  read(input, [input, beside, a = document().layer()](Opened& opened, const OnTheWay& on_the_way) {
    opened.beside = beside;
    opened.points = read_points_input(input, on_the_way);
    if (opened.points) return;
    opened.document =
        beside ? open_beside(input, a, on_the_way) : open_document(input, on_the_way, {}, &opened.notes);
    opened.file = session_path(input);
  });
}

void Application::open_points(const std::string& text) {
  read(kClipboard, [text](Opened& opened, const OnTheWay&) {
    try {
      opened.points = parse_points(std::as_bytes(std::span(text)));
    } catch (const Error& error) {
      throw Error(kClipboard + (": " + std::string(error.what())));
    }
  });
}

// It stays where it is until it has been read, and is the next start's when it is not to be.
void Application::read_left_work() {
  read(kLeftWork, [store = store_, open = stands_in()](Opened& opened, const OnTheWay& on_the_way) {
    opened.left.emplace();  // it is tried once
    opened.left = Store(store).take_left_work(open, on_the_way);
  });
}

// What goes into the open work, in the workspace that takes it.
void Application::take_in(const Opened& opened) {
  const bool points = opened.points.has_value();
  const Workspace* takes = taking(workspaces_, points ? Takes::points : Takes::layer);
  if (!takes) return say(opened.input + ": no workspace shows " + (points ? "points" : "two layers"), true);
  Document document = history_.current();
  takes->take(document, view_, {.points = opened.points.value_or(Tensor()), .other = opened.document});
  show(*takes);
  change(document);
  say((points ? std::to_string(opened.points->rows()) + " points from " + opened.input
              : "opened " + opened.input + " beside A") +
      "; Ctrl+Z goes back");
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
    if (opened.left) return take_left_work(*opened.left);
    if (opened.points || opened.beside) return take_in(opened);
    const std::string name = file_name(opened.input);
    Work work{.path = opened.file, .mark = opened.notes.mark, .name = name, .saved = opened.document};
    if (store_.was_set_aside(opened.file)) {
      work = {};                            // it has no file of the user's
      store_.add_recent_file(opened.file);  // nor gives way when the open work is set aside
    }
    take_up(opened.document, "open " + name, std::move(work),
            "opened " + opened.input + (opened.notes.left_out.empty() ? "" : "; " + opened.notes.left_out));
    look_again(opened.notes.look);
    if (!opened.file.empty()) store_.add_recent_file(opened.file);
  } catch (const Error& error) {
    say(error.what(), true);
  }
}

// In the place of what stood in for it. What is written from now on is written where it was found.
void Application::take_left_work(const LeftWork& left) {
  stands_in_ = false;
  const std::string said = left.said();
  if (!left.work) {
    if (!said.empty() || view_.message == reading_line_) say(said, left.trouble);
    return;
  }
  const auto before = store_.take_over(left);
  const std::size_t other = history_.work();
  computing_ = false;  // nothing of it; the mark in its place stays
  if (left.computing) held_ = left.work->document;
  const auto& [document, path, changed, name, mark, look] = *left.work;
  take_up(document, std::string("open ") + kLeftWork,
          {.path = path, .mark = mark, .name = name, .saved = changed ? Document() : document},
          std::string("opened ") + kLeftWork + (said.empty() ? "" : "; " + said));
  if (left.trouble) say(view_.message, true);
  look_again(look);
  if (before && works_[other].lost.empty()) before->remove();
}

void Application::stop_reading() {
  if (!opening_.running()) return;
  opening_.stop();
  const bool left = reading_ == kLeftWork;
  if (left) left_ = false;
  say("stopped reading " + reading_ + (left ? ": the next start reads it" : ""));
}

void Application::say_reading() {
  const long percent = std::lround(std::floor(100 * opening_.done()));
  reading_line_ = "reading " + reading_ + "…" + (percent > 0 ? " " + std::to_string(percent) + " %" : "");
  say(reading_line_);
}

void Application::take_what_was_read() {
  if (opening_.running() && (view_.message.empty() || view_.message == reading_line_)) say_reading();
  if (const auto opened = opening_.take()) {
    if (opened->left) left_ = false;
    opened->error.empty() ? take_up_opened(*opened) : say(opened->error, true);
  }
  const bool stands = ImGui::GetFrameCount() > 1;  // the first frame is sooner drawn where nothing is read
  if (left_ && stands && !opening_.running()) read_left_work();

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
