// Pictures of all steps, drawn behind the window: by the program itself, and by scripts in its place that
// stay where a test looks at them.
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/frame/saving_view.h"
#include "app/program/file_commands.h"
#include "app/program/input.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/words.h"
#include "tests/environment.h"
#include "tests/places.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Draws nothing but a file that it names: "$place" is what -o says, "$folder" its folder.
constexpr const char* kBegin =
    "#!/bin/sh\nwords=\"$*\"\nwhile [ \"$1\" != -o ]; do shift; done\nplace=$2\nfolder=${place%/*}\n";

class StepsLab {
 public:
  // Without a script the program draws.
  explicit StepsLab(const std::string& script = {}) {
    std::string program = std::string(kBinaryDir) + "/attention-lab";
    if (!script.empty()) {
      program = path("program");
      write_file(program, kBegin + script + "\n");
      std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    }
    Settings settings;
    settings.theme = ThemeName::light;
    settings.weight_colours = WeightColours::cividis;
    settings.device = "reference";
    Application::Setup setup;
    setup.document = read_document("three-tokens");
    setup.program = program;
    lab_.emplace(Headless::Options{
        .document = {}, .settings = settings, .opened = std::move(setup), .size = {1024, 640}});
  }

  Headless& lab() { return *lab_; }
  void close() { lab_.reset(); }
  std::string path(const std::string& name) const { return folder_ / name; }
  const std::string& message() { return lab_->view().message; }
  SavingView saving() { return lab_->app().memos().of<SavingView>(); }
  Command command(const std::string& name) {
    std::vector<Command> table;
    file_commands(table, lab_->app());
    const auto found = std::ranges::find(table, name, &Command::name);
    REQUIRE(found != table.end());
    return *found;
  }
  void run(const std::string& name) {
    lab_->app().run(command(name));
    lab_->frame();
  }
  // Draws frames until then; a minute at most.
  template <class Done>
  std::size_t frames_until(Done done) {
    std::size_t frames = 0;
    for (; frames < 6000 && !done(); ++frames) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      lab_->frame();
    }
    REQUIRE(done());
    return frames;
  }
  std::size_t frames_until_done() {
    return frames_until([&] { return !lab_->app().saving_steps(); });
  }
  void wait_for_first() {
    frames_until([&] { return lab_->shows("step 1 of"); });
  }

 private:
  ScratchFolder folder_;
  Environment pictures_{"XDG_PICTURES_DIR", folder_ / ""};
  std::optional<Headless> lab_;
};

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("the window goes on while pictures of all steps are drawn as render draws them" *
          doctest::test_suite("unsanitized")) {
  StepsLab steps;
  CHECK(steps.command("file.step_pictures").says == "5 pictures of 1024×640 pixels, 9.83 MB at most");
  const std::string session = steps.path("mine.attention.json");
  REQUIRE(steps.lab().app().save(session));
  steps.run("file.step_pictures");
  CHECK(steps.message() ==
        "drawing 5 pictures of 1024×640 pixels, 9.83 MB at most: " + steps.path("attention-lab-001"));
  CHECK(steps.lab().shows("getting ready to draw 5 steps"));
  CHECK_FALSE(steps.command("file.step_pictures").enabled);
  CHECK(steps.frames_until_done() > 5);
  CHECK_FALSE(steps.lab().view().message_is_error);
  CHECK(contains(steps.message(), "5 pictures saved in " + steps.path("attention-lab-001") + ", "));
  CHECK_FALSE(steps.lab().shows("Stop"));
  CHECK(files_in(steps.path("attention-lab-001")) == 5);
  std::filesystem::create_directory(steps.path("rendered"));
  REQUIRE(run_words({"render", session, "--device", "reference", "--theme", "light", "--size", "1024x640",
                     "--steps", "-o", steps.path("rendered/step.png")})
              .status == kDone);
  std::size_t alike = 0;
  for (int i = 1; i <= 5; ++i) {
    const std::string name = "/step-" + std::to_string(i) + ".png";
    CHECK(read_document(steps.path("attention-lab-001" + name)) == steps.lab().document());
    alike += read_file(steps.path("attention-lab-001" + name)) == read_file(steps.path("rendered" + name));
  }
  CHECK(alike < 5);  // weights have the colours of the window's settings
  CHECK(alike > 0);
}

TEST_CASE("stopping leaves the pictures that are drawn and nothing half done and says so") {
  StepsLab steps(
      "echo one >\"${place%.png}-1.png\"; echo picture 1 of 5; sleep 0.5; "
      "echo two >\"${place%.png}-2.png\"; echo half >\"$folder/.step-3.png\"; echo picture 2 of 5; sleep 60");
  steps.run("file.step_pictures");
  steps.wait_for_first();
  CHECK(steps.saving().seconds_left == 0);
  steps.frames_until([&] { return steps.lab().shows("step 2 of 5 drawn"); });
  CHECK(steps.saving().done == doctest::Approx(2.0 / 5));
  CHECK(steps.saving().seconds_left > 3 * 0.4);
  CHECK(steps.lab().shows(" s left"));
  const auto stop = steps.lab().find_text("Stop");
  REQUIRE(stop);
  const auto before = std::chrono::steady_clock::now();
  steps.lab().click(centre(*stop));
  steps.frames_until_done();
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(20));
  CHECK(steps.message() == "stopped: 2 of 5 pictures are in " + steps.path("attention-lab-001") + ", 8 B");
  CHECK_FALSE(steps.lab().view().message_is_error);
  CHECK(files_in(steps.path("attention-lab-001")) == 2);
}

TEST_CASE("an animation that is stopped leaves nothing") {
  StepsLab steps("echo \"$words\" >\"$folder/words\"; echo picture 1 of 5; sleep 60");
  steps.run("file.steps_animation");
  steps.wait_for_first();
  const std::string words(as_text(read_file(steps.path("words"))));
  CHECK(words.starts_with("render "));
  CHECK(contains(
      words, " --device reference --scale 1 --size 1024x640 -o " + steps.path("attention-lab-001.apng\n")));
  steps.run("file.stop_steps");
  steps.frames_until_done();
  CHECK(steps.message() == "stopped: nothing was written");
  CHECK_FALSE(std::filesystem::exists(steps.path("attention-lab-001.apng")));
}

TEST_CASE("why steps cannot be drawn is a sentence") {
  StepsLab steps("echo first >&2; echo 'attention-lab: there is no OpenGL' >&2; exit 5");
  steps.run("file.step_pictures");
  steps.frames_until_done();
  CHECK(steps.message() == "there is no OpenGL; nothing was written");
  CHECK(steps.lab().view().message_is_error);
  CHECK_FALSE(std::filesystem::exists(steps.path("attention-lab-001")));
}

TEST_CASE("closing the window ends who draws its steps") {
  StepsLab steps("echo $$ >\"$folder/process.txt\"; echo picture 1 of 5; exec sleep 60");
  steps.run("file.steps_animation");
  steps.wait_for_first();
  const int process = std::stoi(std::string(as_text(read_file(steps.path("process.txt")))));
  CHECK(::kill(process, 0) == 0);
  steps.close();
  CHECK(::kill(process, 0) != 0);
}

TEST_CASE("the menu says how much all steps are before they are drawn") {
  StepsLab steps("exit 1");
  Headless& lab = steps.lab();
  lab.click(centre(*lab.find_text("File")));
  lab.frames(2);
  const auto entry = lab.find_text("Animation of all steps");
  REQUIRE(entry);
  lab.move(centre(*entry));
  lab.frame(1);
  lab.frames(2);
  CHECK(lab.shows("5 pictures of 1024×640 pixels, 9.83 MB at most"));
  CHECK_FALSE(steps.lab().app().saving_steps());
}
