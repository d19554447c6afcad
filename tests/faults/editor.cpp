// A window without a screen that edits, saves and is killed, and says on its standard output what it has
// done: what a person would have seen. For the tests of failing disks and of sudden ends.
//
//   editor FOLDER EDITS PERIOD
//
// with the settings and recoveries of FOLDER, FOLDER/mine.json as its session, and PERIOD milliseconds
// between two recoveries.
//
// The first number of x counts the edits: they go on where the work that was found ends.
#include <unistd.h>

#include <iostream>
#include <string>

#include "app/host/headless.h"
#include "app/program/start.h"

using namespace attn;

namespace {

constexpr int kEditsOfASave = 7;

// Whole lines, each at once: the next moment may be the last.
void say(const std::string& line) {
  const std::string text = line + "\n";
  if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) ::_exit(1);
}

long count_of(const Document& document) {
  return static_cast<long>(document.layer().x[{0, 0, 0}]);
}

Document counted(Document document, long count) {
  std::vector<float> x(document.layer().x.values().begin(), document.layer().x.values().end());
  x[0] = static_cast<float>(count);
  document.layer().x = Tensor(document.layer().x.shape(), std::move(x));
  return document;
}

class Editor {
 public:
  explicit Editor(Headless& lab) : lab_(lab), count_(count_of(lab.document())) {}

  void edit() {
    say("edit " + std::to_string(++count_));
    lab_.app().change(counted(lab_.document(), count_));
    lab_.frame();
    if (const auto kept = lab_.app().remembered(); kept && count_of(kept->document) != kept_) {
      kept_ = count_of(kept->document);
      say("kept " + std::to_string(kept_));
    }
  }
  void save(const std::string& file) {
    say("saving " + std::to_string(count_));
    // Killed behind a save, before the recovery knew of it, the next start asks: this person overwrites.
    if (!lab_.app().save(file) && lab_.view().file.refused) lab_.app().save(file, true);
    const bool failed = lab_.view().message_is_error;
    say(failed ? "failed " + lab_.view().message : "saved " + std::to_string(count_));
  }

 private:
  Headless& lab_;
  long count_, kept_ = -1;
};

}  // namespace

int main(int, char** words) {
  const std::string folder = words[1];
  const int edits = std::atoi(words[2]);
  Application::Setup setup = start_setup("", Store(folder + "/config", folder + "/state"));
  setup.recovery_period = std::chrono::milliseconds(std::atoi(words[3]));
  say("opened " + std::to_string(count_of(setup.document)) + " " + setup.said);
  Headless lab({.document = {}, .settings = Settings{}, .opened = std::move(setup), .wait = false});
  Editor editor(lab);
  for (int i = 1; i <= edits; ++i) {
    editor.edit();
    if (i % kEditsOfASave == 0) editor.save(folder + "/mine.json");
  }
  lab.app().request_quit();
  say(lab.app().quit_requested() ? "closed" : "asked " + lab.view().overlays.closing);
}
