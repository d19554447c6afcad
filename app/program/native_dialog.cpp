// zenity and kdialog print the chosen path on their standard output. A thread waits for their end, so that
// the window goes on drawing meanwhile.
#include "app/program/native_dialog.h"

#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "core/system/child.h"

namespace attn {
namespace {

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace

std::vector<std::string> NativeDialog::command(bool saving, const std::string& start) const {
  if (!used_) return {};
  if (on_path("zenity")) {
    std::vector<std::string> words{"zenity", "--file-selection", "--filename=" + start};
    if (saving) words.insert(words.end(), {"--save", "--confirm-overwrite"});
    return words;
  }
  if (on_path("kdialog")) return {"kdialog", saving ? "--getsavefilename" : "--getopenfilename", start};
  return {};
}

void NativeDialog::open(std::vector<std::string> words, Purpose purpose) {
  assert(!is_open());
  purpose_ = purpose;
  running_ = true;
  // The one before has ended: it is joined at once.
  waiter_ = std::jthread([this, words = std::move(words)](std::stop_token stop) {
    const Child child = run_child(words.front(), {words.begin() + 1, words.end()}, {.stop = std::move(stop)});
    result_ = child.succeeded() ? child.output.substr(0, child.output.find('\n')) : "";
    finished_ = true;
    running_ = false;
    if (done_) done_();
  });
}

std::optional<NativeDialog::Choice> NativeDialog::take_result() {
  if (!finished_) return std::nullopt;
  Choice choice{result_, purpose_};
  finished_ = false;
  return choice;
}

}  // namespace attn
