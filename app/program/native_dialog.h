// NativeDialog: the desktop's own file dialog through zenity or kdialog, where one of them is installed.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace attn {

class NativeDialog {
 public:
  // `used`: where there is one; `done` is called on another thread when it closes, and may be empty.
  NativeDialog(bool used, std::function<void()> done) : used_(used), done_(std::move(done)) {}
  ~NativeDialog() = default;  // ends a dialog that is still open, whatever that thinks of it
  NativeDialog(const NativeDialog&) = delete;
  NativeDialog& operator=(const NativeDialog&) = delete;

  // What the path is asked for.
  struct Purpose {
    bool saving = false;
    bool then_quit = false;    // when it is saved
    bool as_compared = false;  // to be compared with the open work's layer
    bool lesson = false;       // that is recorded is saved, not the open work
  };
  struct Choice {
    std::string path;  // empty: the person cancelled
    Purpose purpose;
  };

  // The words that open one, for the dialog programs on PATH; empty when there is none, or none is used.
  // `start` is a folder, or the path to propose when saving.
  std::vector<std::string> command(bool saving, const std::string& start) const;
  // Opens it in a process of its own. One at a time: only when none is open.
  void open(std::vector<std::string> words, Purpose purpose);
  // Until its result is taken.
  bool is_open() const { return running_ || finished_; }

  std::optional<Choice> take_result();  // once

 private:
  bool used_;
  std::function<void()> done_;
  std::atomic<bool> running_ = false, finished_ = false;
  Purpose purpose_;
  std::string result_;   // the waiter's until finished_
  std::jthread waiter_;  // last: it uses everything above
};

}  // namespace attn
