// Reading: files, and large texts that are pasted, read on threads of their own; a frame takes what has been
// read.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "app/frame/array_preview.h"
#include "app/program/background_task.h"
#include "app/program/input.h"
#include "app/program/store.h"
#include "core/io/text.h"

namespace attn {

// A file that was read: its document, or why there is none.
struct ReadFile {
  std::string input, error;
  std::string file = {};  // to save back to: the session's
  Document document = {};
  FileNotes notes = {};
  std::optional<Tensor> points = {};  // of a file that holds points alone: they go into the open work
  std::optional<RecoveredWork> recovered = {};  // no file, but what was left
  bool as_compared = false;                     // so does the layer
  std::optional<ArrayPreview> preview = {};     // of a file of arrays: to be looked at first
  bool lesson = false;                          // it is one, to be played
};

class Reading {
 public:
  // `patience`: what was read by then is there without another frame. `wake` is called from other threads;
  // may be empty.
  Reading(const std::function<void()>& wake, std::chrono::milliseconds patience)
      : patience_(patience), opening_(wake), pasted_(wake) {}

  // Each in the place of whatever is being read. What comes of it is take()'s. `a`: the layer that a compared
  // file takes its choices from.
  void open(const std::string& input, bool as_compared, const LayerSpec& a);
  // The file again, as another choice takes its arrays.
  void preview(const std::string& input, const ArrayChoices& choices, const LayerSpec& open);
  void read_points(const std::string& clipboard);
  // It stays where it is until it has been read, and is the next start's when it is not to be.
  void read_left_work(const Store& store, bool open);

  bool running() const { return opening_.running(); }
  bool reads_recovered_work() const;
  void stop() { opening_.stop(); }
  const std::string& what() const { return what_; }
  // "reading big.json… 30 %"
  std::string line() const;
  std::optional<ReadFile> take() { return opening_.take(); }

  void paste(const std::string& text);
  std::optional<ParsedBlock> take_pasted() { return pasted_.take(); }

  void wait_for(std::chrono::milliseconds limit) const;

 private:
  // `reader` makes of it what there is to take up; it may throw.
  void read(const std::string& what, const std::function<void(ReadFile&, const ProgressCallback&)>& reader);

  std::chrono::milliseconds patience_;
  std::string what_;
  BackgroundTask<ReadFile> opening_;
  BackgroundTask<ParsedBlock> pasted_;
};

// The work that was open last time, in words.
inline constexpr const char* kRecoveredWork = "the work that was open last time";

}  // namespace attn
