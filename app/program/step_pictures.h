// StepPictures: a picture of each step of a workspace, or an animation of all. This program draws them as
// `render` in a process of its own, so that the window goes on, and stopping it is at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/theme/settings.h"
#include "core/document/document.h"

namespace attn {

// How large they are: of the window.
struct StepSize {
  int width = 0, height = 0;  // pixels
  float scale = 1;            // pixels of a point
  std::size_t steps = 0;

  // "11 pictures of 1600×1000 pixels, 53 MB at most": unpacked.
  std::string weight() const;
};

// What is to be drawn: the window as it is, at each step.
struct StepOrder {
  StepSize size;
  Document document;
  std::string look;  // as a session has it
  Settings settings;
  std::string device;      // as --device takes it
  bool animation = false;  // one .apng; else a folder of numbered .png
};

class StepPictures {
 public:
  // `program`: the file of this program. `wake` is called on another thread when there is news; may be empty.
  StepPictures(std::string program, std::function<void()> wake)
      : program_(std::move(program)), wake_(std::move(wake)) {}
  ~StepPictures() = default;  // ends the process
  StepPictures(const StepPictures&) = delete;
  StepPictures& operator=(const StepPictures&) = delete;

  // Begins; one order at a time: only when none is running. Returns where they go, a free name in `folder`.
  std::string start(StepOrder order, const std::string& folder);
  // What was written stays; take() says how much that is. Of an animation nothing is.
  void stop() { drawer_.request_stop(); }
  bool running() const { return running_; }  // until its outcome is taken
  std::size_t steps() const { return steps_; }
  std::size_t drawn() const;    // so far
  double seconds_left() const;  // 0 while nobody knows

  struct Outcome {
    std::string said;  // "11 pictures saved in …, 1.4 MB"
    bool trouble = false;
  };
  std::optional<Outcome> take();  // once

 private:
  Outcome draw(const StepOrder& order, const std::string& path, std::stop_token stop);
  void hear(std::string_view words);

  std::string program_;
  std::function<void()> wake_;
  bool running_ = false;
  std::size_t steps_ = 0;
  mutable std::mutex mutex_;
  std::size_t drawn_ = 0;
  std::chrono::steady_clock::time_point first_, last_;  // when those were drawn
  std::string line_;                                    // that is being said
  std::optional<Outcome> outcome_;                      // until it is taken
  std::jthread drawer_;                                 // last: it uses everything above
};

}  // namespace attn
