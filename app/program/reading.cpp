// Reads on other threads; what was read, or the error in words, comes back as a value.
#include "app/program/reading.h"

#include <cmath>
#include <new>
#include <span>

#include "app/program/lesson_state.h"
#include "app/program/preview_file.h"
#include "core/io/points_file.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr const char* kClipboard = "the clipboard";

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

void Reading::read(const std::string& what,
                   const std::function<void(ReadFile&, const ProgressCallback&)>& reader) {
  what_ = what;
  opening_.start([what, reader](JobControl& control) {
    ReadFile opened{.input = what, .error = {}};
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
}

void Reading::open(const std::string& input, bool as_compared, const LayerSpec& a) {
  read(input, [input, as_compared, a](ReadFile& opened, const ProgressCallback& progress) {
    opened.lesson = is_lesson_file(input);
    if (opened.lesson && as_compared) throw Error(input + ": it is a lesson, which has no layer to compare");
    if (opened.lesson) return;
    opened.as_compared = as_compared;
    if (!as_compared && names_an_array(input)) opened.preview = preview_file(input, {}, a);
    if (!opened.preview) opened.points = read_points_input(input, progress);
    if (!as_compared && !opened.preview && !opened.points) opened.preview = preview_file(input, {}, a);
    if (opened.preview || opened.points) return;
    opened.document = as_compared ? open_compared(input, a, progress)
                                  : open_document(input, progress, {}, &opened.notes, FileUse::mapped);
    opened.file = session_path(input);
  });
}

void Reading::preview(const std::string& input, const ArrayChoices& choices, const LayerSpec& open) {
  read(input, [input, choices, open](ReadFile& opened, const ProgressCallback&) {
    opened.preview = preview_file(input, choices, open);
  });
}

void Reading::read_points(const std::string& clipboard) {
  read(kClipboard, [clipboard](ReadFile& opened, const ProgressCallback&) {
    try {
      opened.points = parse_points(std::as_bytes(std::span(clipboard)));
    } catch (const Error& error) {
      throw Error(kClipboard + (": " + std::string(error.what())));
    }
  });
}

void Reading::read_left_work(const Store& store, bool open) {
  read(kRecoveredWork, [store, open](ReadFile& opened, const ProgressCallback& progress) {
    opened.recovered.emplace();  // it is tried once
    opened.recovered = Store(store).take_recovered_work(open, progress);
  });
}

bool Reading::reads_recovered_work() const {
  return running() && what_ == kRecoveredWork;
}

std::string Reading::line() const {
  const long percent = std::lround(std::floor(100 * opening_.done()));
  return "reading " + what_ + "…" + (percent > 0 ? " " + std::to_string(percent) + " %" : "");
}

void Reading::paste(const std::string& text) {
  pasted_.start([text](const JobControl&) { return read_block(text); });
}

void Reading::wait_for(std::chrono::milliseconds limit) const {
  opening_.wait_for(limit);
  pasted_.wait_for(limit);
}

}  // namespace attn
