// Work that can be kept nowhere: said as soon as there is some, and asked for at the end.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <fstream>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/documents.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/words.h"
#include "tests/environment.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr const char *kAtRisk = "cannot be kept for the next start",
                     *kAsked = "has changes that are saved nowhere";

// A window whose state folder cannot be made.
class Homeless : public ScratchFolder {
 public:
  Homeless() : lab_(options(*this)) {}
  Headless& lab() { return lab_; }
  // Draws until the thread that writes has met the obstacle.
  bool says_so() {
    for (int i = 0; i < 100'000 && lab_.view().at_risk.empty(); ++i) lab_.frame();
    lab_.frame();
    return lab_.shows(kAtRisk);
  }

 private:
  static Headless::Options options(const ScratchFolder& folder) {
    std::ofstream(folder / "file") << "in the way";
    return {.document = warm(1),
            .settings = Settings{},
            .store = Store(folder / "config", folder / "file/state")};
  }
  Headless lab_;
};

}  // namespace

TEST_CASE("a state folder that cannot be written is said as soon as there is something to lose") {
  Homeless folder;
  Headless& lab = folder.lab();
  lab.frames(3);
  CHECK_FALSE(lab.shows(kAtRisk));
  lab.app().change(warm(2));
  CHECK(folder.says_so());
  CHECK(lab.shows("cannot make the folder"));
  lab.key(GLFW_KEY_F5);
  CHECK(lab.shows(kAtRisk));  // for as long as it is so
  lab.app().save(folder / "mine.json");
  lab.frames(2);
  lab.key(GLFW_KEY_F5);
  CHECK_FALSE(lab.shows(kAtRisk));
}

TEST_CASE("without a home folder the status line says that unsaved work is not kept") {
  const Environment home("HOME", ""), state("XDG_STATE_HOME", "");
  Headless lab({.document = warm(1), .settings = Settings{}, .store = Store::from_environment()});
  lab.app().change(warm(2));
  for (int i = 0; i < 100'000 && lab.view().at_risk.empty(); ++i) lab.frame();
  lab.frame();
  CHECK(lab.shows("there is no home folder"));
}

TEST_CASE("closing without anything to lose asks nothing wherever the state folder is") {
  Homeless folder;
  folder.lab().key(GLFW_KEY_Q, kControl);
  CHECK(folder.lab().app().quit_requested());
}

TEST_CASE("closing asks when work would be lost and Esc stays") {
  Homeless folder;
  Headless& lab = folder.lab();
  lab.app().change(warm(2));
  lab.key(GLFW_KEY_Q, kControl);
  CHECK_FALSE(lab.app().quit_requested());
  CHECK(lab.shows(kAsked));
  lab.key(GLFW_KEY_ESCAPE);
  lab.frame();
  CHECK_FALSE(lab.shows(kAsked));
  CHECK_FALSE(lab.app().quit_requested());
  lab.app().request_quit();
  lab.frames(2);
  lab.click_item("discard");
  CHECK(lab.app().quit_requested());
}

TEST_CASE("closing offers to save and closes when it is saved") {
  Homeless folder;
  Headless& lab = folder.lab();
  lab.app().change(warm(2));
  lab.app().request_quit();
  lab.frames(2);
  lab.click_item("save");
  REQUIRE(lab.view().overlays.files.open);
  CHECK_FALSE(lab.app().quit_requested());
  lab.view().overlays.files.folder = folder / "";
  lab.view().overlays.files.name.clear();
  lab.frames(2);
  lab.type("mine");
  lab.key(GLFW_KEY_ENTER);
  lab.frame();
  CHECK(lab.app().quit_requested());
  CHECK(read_document(folder / "mine.json") == warm(2));
}

TEST_CASE("closing does not close when saving fails") {
  Homeless folder;
  Headless& lab = folder.lab();
  lab.app().save(folder / "mine.json");
  lab.app().change(warm(2));
  std::filesystem::remove(folder / "mine.json");
  std::filesystem::create_directory(folder / "mine.json");
  lab.app().request_quit();
  lab.frames(2);
  lab.click_item("save");
  CHECK_FALSE(lab.app().quit_requested());
  lab.frames(2);
  CHECK(lab.shows(kAsked));
}

TEST_CASE("closing asks for work that could not be set aside when another took its place") {
  Homeless folder;
  Headless& lab = folder.lab();
  lab.app().change(warm(2));
  lab.app().open("the-cat-sat-on-mat");
  CHECK(lab.view().message_is_error);
  CHECK(contains(lab.view().message, "nowhere but here"));
  lab.app().request_quit();
  lab.frames(2);
  CHECK(lab.shows(kAsked));
  CHECK(lab.document() == warm(2));
  lab.app().save(folder / "mine.json");
  lab.app().request_quit();
  CHECK(lab.app().quit_requested());
}

TEST_CASE("going back from unsaved work to another sets it aside") {
  const ScratchFolder folder;
  Headless lab(
      {.document = warm(1), .settings = Settings{}, .store = Store(folder / "config", folder / "state")});
  lab.app().open("the-cat-sat-on-mat");
  Document edited = lab.document();
  edited.layer().temperature = 3;
  lab.app().change(edited);
  lab.app().jump(0);
  CHECK(lab.document() == warm(1));
  REQUIRE(lab.app().store().recent_files().size() == 1);
  CHECK(read_document(lab.app().store().recent_files()[0]) == edited);
  CHECK(contains(lab.view().message, "among the recent files"));
}

TEST_CASE("closing that goes back to older work loses nothing of the open one") {
  Homeless folder;
  Headless& lab = folder.lab();
  lab.app().change(warm(2));
  lab.app().open("the-cat-sat-on-mat");  // the older work cannot be set aside
  std::filesystem::remove(folder / "file");
  Document edited = lab.document();
  edited.layer().temperature = 3;
  lab.app().change(edited);
  lab.frame();
  lab.app().request_quit();
  CHECK_FALSE(lab.app().quit_requested());
  CHECK(lab.document() == warm(2));
  lab.app().save(folder / "mine.json");
  lab.app().request_quit();
  CHECK(lab.app().quit_requested());
  const Store next(folder / "config", folder / "file/state");
  REQUIRE(next.recent_files().size() == 2);
  CHECK(read_document(next.recent_files()[1]) == edited);
}
