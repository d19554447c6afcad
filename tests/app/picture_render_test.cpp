// The command render, and what the program does without a display.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "app/canvas/steps.h"
#include "app/host/offscreen.h"
#include "app/program/input.h"
#include "app/program/store.h"
#include "core/io/png.h"
#include "core/system/file.h"
#include "tests/app/words.h"
#include "tests/environment.h"
#include "tests/places.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::vector<std::string> rendered(const std::string& output, std::vector<std::string> more) {
  std::vector<std::string> words{"render", "the-cat-sat-on-mat-causal", "--device", "reference", "-o",
                                 output};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::byte> picture_of(const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  const std::string file = folder / "out.png";
  const Outcome outcome = run_words(rendered(file, options));
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  CHECK(folder.holds_only({"out.png"}));
  return read_file(file);
}

std::uint32_t width_of(Bytes png) {
  return load_big<std::uint32_t>(png, 16);
}
std::uint32_t height_of(Bytes png) {
  return load_big<std::uint32_t>(png, 20);
}

// What render should draw in a small window: the view as `set` leaves it.
std::vector<std::byte> small_picture(const std::function<void(Offscreen&)>& set) {
  Settings settings;
  settings.reduce_motion = true;
  Offscreen screen({.document = read_document(kStartExample), .settings = settings, .size = {1024, 640}});
  screen.app().view().timeless = true;
  set(screen);
  screen.lab().settle();
  return write_png(screen.picture(), screen.app().session());
}

}  // namespace

TEST_CASE("render writes the same bytes every time") {
  const std::vector<std::string> options{"--stage", "scores", "--pin", "scores:0,3,0", "--size", "1200x800"};
  CHECK(picture_of(options) == picture_of(options));
}

TEST_CASE("render draws at the size and scale asked for" * doctest::test_suite("unsanitized")) {
  const auto usual = picture_of({});
  CHECK(width_of(usual) == 1600);
  CHECK(height_of(usual) == 1000);
  const auto twice = picture_of({"--scale", "2"});
  CHECK(width_of(twice) == 3200);
  CHECK(height_of(twice) == 2000);
  const auto small = picture_of({"--size", "1024x640", "--scale", "1.5"});
  CHECK(width_of(small) == 1024);
  CHECK(height_of(small) == 640);
}

TEST_CASE("render takes the options of the layer and its picture carries them") {
  const TemporaryFolder folder;
  const std::string file = folder / "out.png";
  const auto drawn = [&](const std::vector<std::string>& options) {
    const Outcome outcome = run_words(rendered(file, options));
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == kDone);
    return read_document(file).layer();
  };
  const LayerSpec layer =
      drawn({"--scale", "1.5", "--layer-scale", "0.5", "--temperature", "2", "--score", "cosine"});
  CHECK(layer.scale == Scaling{ScaleMode::number, 0.5});
  CHECK(layer.temperature == 2);
  CHECK(layer.scoring == Scoring::cosine);
  CHECK(drawn({"--heads", "2"}).heads == 2);
  const Outcome refused = run_words(rendered(file, {"--heads", "3"}));
  CHECK(refused.status == kBadWords);
  CHECK(refused.err.find("use 2 or 4") != std::string::npos);
}

TEST_CASE("every option of render changes the picture" * doctest::test_suite("unsanitized")) {
  const auto plain = picture_of({});
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--theme", "light"}, std::vector<std::string>{"--theme", "high-contrast"},
        std::vector<std::string>{"--stage", "scores"}, std::vector<std::string>{"--pin", "weights:0,2,1"}}) {
    CAPTURE(options[0]);
    CHECK(picture_of(options) != plain);
  }
  CHECK(picture_of({"--workspace", "pipeline", "--theme", "dark"}) == plain);
}

TEST_CASE("render compares the layer of a second input with the first") {
  const TemporaryFolder folder;
  const std::string file = folder / "out.png";
  REQUIRE(run_words(rendered(file, {"--workspace", "compare", "--compare", "the-cat-sat-on-mat"})).status ==
          kDone);
  const Document document = read_document(file);
  CHECK(document.layers.size() == 2);
  CHECK(document.layer() == read_document("the-cat-sat-on-mat-causal").layer());
  CHECK(document.layer(kLayerB) == read_document("the-cat-sat-on-mat").layer());
  const Outcome elsewhere = run_words(rendered(file, {"--compare", "the-cat-sat-on-mat"}));
  CHECK(elsewhere.status == kBadWords);
  CHECK(contains(elsewhere.err, "use --workspace compare"));
  CHECK(run_words(rendered(file, {"--workspace", "compare", "--compare", "/dev/null/none.json"})).status ==
        kBadInput);
}

TEST_CASE("a stage or a number that is out of sight is brought into it") {
  const auto with = [&](const char* option, const char* word) {
    return picture_of({"--size", "1024x640", option, word});
  };
  CHECK(with("--pin", "output:0,4,3") == small_picture([](Offscreen& screen) {
          View& view = screen.app().view();
          screen.lab().frame();
          CHECK_FALSE(screen.lab().item("head_output/cells"));
          view.pinned = Spot{"output", {0, 4, 3}};
          view.canvas().reveal = "head_output";  // where this layer's output is seen
        }));
  CHECK(with("--stage", "exp") == small_picture([](Offscreen& screen) {
          View& view = screen.app().view();
          view.layer.open_softmax = true;
          screen.lab().frame();
          const std::vector<StepChip> steps = graph_steps(screen.lab().results()->graph, view);
          step_to(view, steps, place_of(steps, "exp").value());
        }));
}

TEST_CASE("render --present draws what F5 shows, for the window alone") {
  const auto pressed = small_picture([](Offscreen& screen) {
    screen.lab().settle();
    screen.lab().key(GLFW_KEY_F5);
  });
  CHECK(picture_of({"--size", "1024x640", "--present"}) == pressed);
  CHECK_FALSE(picture_of({"--size", "1024x640", "--present", "--stage", "weights"}) == pressed);
  const TemporaryFolder folder;
  for (const char* part : {"--matrix", "--plot", "--panel"}) {
    const Outcome refused = run_words(rendered(folder / "out.png", {"--present", part, "scores"}));
    CHECK(refused.status != kDone);
    CHECK(refused.err.find("--present draws the whole window") != std::string::npos);
  }
}

TEST_CASE("opening a rendered picture restores its session") {
  const TemporaryFolder folder;
  const std::string file = folder / "out.png";
  REQUIRE(run_words(rendered(file, {})).status == kDone);
  CHECK(read_document(file) == read_document("the-cat-sat-on-mat-causal"));
  CHECK(run_words({"trace", file, "--device", "reference"}).out ==
        run_words({"trace", "the-cat-sat-on-mat-causal", "--device", "reference"}).out);
}

TEST_CASE("words that render cannot use are answered with what it takes") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::vector<std::string>& options, const std::string& says) {
    const Outcome outcome = run_words(rendered(folder / "out.png", options));
    CAPTURE(outcome.err);
    CHECK(outcome.status == kBadWords);
    CHECK(contains(outcome.err, says));
    CHECK(folder.holds_only({}));
  };
  refused({"--theme", "drak"}, "did you mean \"dark\"?");
  refused({"--workspace", "pipline"}, "did you mean \"pipeline\"?");
  refused({"--stage", "scoers"}, "did you mean \"scores\"?");
  for (const char* size :
       {"1600", "1600x", "x900", "1600x1000x3", "1600*1000", "10x10", "99999x10", "-5x900"})
    refused({"--size", size}, "--size");
  for (const char* scale : {"0", "nan", "inf", "99", "two"}) refused({"--scale", scale}, "--scale");
  for (const char* pin : {"scores", "scores:0,3", "scores:0,3,0,1", "scores:0,-1,0", ":0,0,0"})
    refused({"--pin", pin}, "--pin");
  refused({"--pin", "scoers:0,0,0"}, "did you mean \"scores\"?");
  refused({"--pin", "scores:0,5,0"}, "scores is 5×5");
}

TEST_CASE("render needs an input and an output, and says when it cannot write") {
  CHECK(contains(run_words({"render"}).err, "-o OUT.png"));
  CHECK(contains(run_words({"render", "three-tokens"}).err, "-o OUT.png"));
  CHECK(run_words({"render", "three-tokens"}).status == kBadWords);
  CHECK(run_words(rendered("/dev/null/none/out.png", {})).status == kNotWritten);
  CHECK(run_words({"render", "/dev/null/none.json", "-o", "/tmp/x.png"}).status == kBadInput);
  CHECK(run_words({"render", "three-tokens", "-o", "/tmp/x.png", "--device", "4096"}).status == kNoDevice);
  CHECK(run_words({"render", "three-tokens", "-o", "/tmp/x.png", "--device", "refrence"}).status ==
        kBadWords);
}

TEST_CASE("without a display no picture is written that was not asked for") {
  const TemporaryFolder folder;
  const std::string line = "cd '" + folder / "" + "' && env -u DISPLAY -u WAYLAND_DISPLAY '" +
                           std::string(kBinaryDir) + "/attention-lab' three-tokens >words 2>errors";
  const int status = std::system(line.c_str());
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == kNotWritten);
  CHECK(folder.holds_only({"errors", "words"}));
  const std::vector<std::byte> errors = read_file(folder / "errors");
  CHECK(contains(std::string(as_text(errors)), "attention-lab render three-tokens -o NAME.png"));
}

TEST_CASE("without a library of OpenGL no picture is drawn, and the program says which") {
  const TemporaryFolder folder;
  for (const char* name : {"libGL.so", "libGL.so.1", "libGL.so.3"})  // newer toolkits try one after the other
    std::ofstream(folder / name).flush();
  const std::string line = "cd '" + folder / "" + "' && LD_LIBRARY_PATH=. '" + std::string(kBinaryDir) +
                           "/attention-lab' render three-tokens -o out.png >words 2>errors";
  const int status = std::system(line.c_str());
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == kNotWritten);
  CHECK(folder.holds_only({"errors", "libGL.so", "libGL.so.1", "libGL.so.3", "words"}));
  CHECK(contains(std::string(as_text(read_file(folder / "errors"))), "libGL.so.1 does not load"));
}

TEST_CASE("render without an input draws the open work and changes nothing of it") {
  const TemporaryFolder folder;
  const Environment state("XDG_STATE_HOME", folder / "");
  const std::string out = folder / "out.png";
  const Outcome without = run_words({"render", "-o", out, "--device", "reference", "--size", "640x400"});
  CHECK(without.status == kDone);
  CHECK(contains(without.err, "no work is open"));
  CHECK(read_document(out) == read_document(kStartExample));
  Document open = read_document("three-tokens");
  open.layer().temperature = 3;
  Store window = Store::from_environment();
  window.save_recovery({open, "", true});
  CHECK(run_words({"render", "-o", out, "--device", "reference", "--size", "640x400"}).status == kDone);
  CHECK(read_document(out) == open);
  CHECK(window.load_recovery()->document == open);
}
