// NativeDialog: the desktop's own file dialog through zenity or kdialog, where one of them is installed.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace attn {

class NativeDialog {
 public:
  NativeDialog() = default;
  ~NativeDialog() = default;  // ends a dialog that is still open, whatever that thinks of it
  NativeDialog(const NativeDialog&) = delete;
  NativeDialog& operator=(const NativeDialog&) = delete;

  // The words that open one, for the dialog programs on PATH; empty when there is none. `start` is a folder,
  // or the path to propose when saving.
  static std::vector<std::string> command(bool saving, const std::string& start);

  // What the path is asked for.
  struct Purpose {
    bool saving = false;
    bool then_quit = false;  // when it is saved
    bool beside = false;     // to stand beside the open work's layer
  };
  struct Choice {
    std::string path;  // empty: the person cancelled
    Purpose purpose;
  };

  // Opens it in a process of its own; `done` is called on another thread when it closes. One at a time: only
  // when none is open.
  void open(std::vector<std::string> words, Purpose purpose, std::function<void()> done);
  // Until its result is taken.
  bool is_open() const { return running_ || finished_; }

  std::optional<Choice> take_result();  // once

 private:
  std::atomic<bool> running_ = false, finished_ = false;
  Purpose purpose_;
  std::string result_;   // the waiter's until finished_
  std::jthread waiter_;  // last: it uses everything above
};

}  // namespace attn
