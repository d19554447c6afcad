// Files on their way into the program: read on a thread of their own, told by their first bytes, within the
// limits that what is edited has too. A pipe is a file that is read as slowly as a test likes.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "core/document/limits.h"
#include "core/io/png.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/slow_file.h"
#include "tests/io/io_testing.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document warm_example() {
  Document document = read_document("three-tokens");
  document.layer().temperature = 2;
  return document;
}

Headless::Options impatient() {
  return {.document = read_document(kStartExample), .settings = Settings{}, .waits_for_files = false};
}

}  // namespace

TEST_CASE("a file that takes long is read while the window goes on") {
  const ScratchFolder folder;
  SlowFile file(folder / "slow.json");
  Headless lab(impatient());
  const std::string text = write_session(warm_example());
  lab.app().open(folder / "slow.json");
  file.write(text.substr(0, text.size() / 2));
  lab.frames(3);
  CHECK(lab.view().message.starts_with("reading "));
  CHECK(lab.document() == read_document(kStartExample));
  lab.key(GLFW_KEY_1);  // whatever is done meanwhile is done
  CHECK(lab.document().layer().muted_heads == std::vector<std::size_t>{0});
  CHECK(lab.view().message.starts_with("reading "));  // the key took the message, reading goes on
  file.write(text.substr(text.size() / 2));
  file.end();
  lab.settle();
  CHECK(lab.document() == warm_example());
  lab.key(GLFW_KEY_Z, {.control = true});
  CHECK(lab.document().layer().muted_heads == std::vector<std::size_t>{0});
}

TEST_CASE("reading a file can be stopped and nothing is opened then") {
  const ScratchFolder folder;
  SlowFile file(folder / "slow.json");
  Headless lab(impatient());
  const std::string text = write_session(warm_example());
  lab.app().open(folder / "slow.json");
  file.write(text.substr(0, text.size() / 2));
  lab.frame();
  const auto commands = make_commands(lab.app());
  const auto command = [&](const char* name) { return std::ranges::find(commands, name, &Command::name); };
  lab.app().run(*command("edit.stop"));  // the computation
  CHECK(lab.app().reading());
  CHECK(command("file.stop_reading")->enabled);
  lab.app().run(*command("file.stop_reading"));
  file.write(text.substr(text.size() / 2));
  file.end();
  lab.settle();
  CHECK(lab.document() == read_document(kStartExample));
  CHECK(lab.view().message.find("stopped reading") != std::string::npos);
  CHECK(!lab.app().reading());
}

TEST_CASE("reading an archive or a picture can be stopped before its end") {
  const ScratchFolder folder;
  for (const std::string start : {"PK\x03\x04", "\x89PNG\r\n\x1A\n"}) {
    write_file(folder / "file", start);
    std::filesystem::resize_file(folder / "file", std::uintmax_t{100} << 20);
    int asked = 0;
    CHECK(mentions(reason([&] { read_document(folder / "file", [&](double) { return ++asked == 3; }); }),
                   {"stopped before the end"}));
    CHECK(asked == 3);
  }
}

TEST_CASE("how far a file is read is told for a session and for what a picture carries") {
  const ScratchFolder folder;
  Document document = new_document();
  document.layer().x = Tensor({1, 1000, 1000}, std::vector<float>(1'000'000, 0.5f));
  const std::string text = write_session(document);
  write_file(folder / "session.json", text);
  write_file(folder / "picture.png", write_png({1, 1, {0, 0, 0}}, text));
  CHECK(std::filesystem::file_size(folder / "picture.png") < 64 * 1024);  // a piece of it says little
  for (const char* name : {"session.json", "picture.png"}) {
    CAPTURE(name);
    std::vector<double> told;
    read_document(folder / name, [&](double done) {
      told.push_back(done);
      return false;
    });
    CHECK(std::ranges::is_sorted(told));
    CHECK(told.front() < 0.05);
    CHECK(told.back() > 0.95);
    for (int tenth = 1; tenth < 10; ++tenth)
      CHECK(std::ranges::any_of(told, [&](double done) { return std::abs(10 * done - tenth) < 0.5; }));
  }
}

TEST_CASE("a file that is being read is said though an error was said before") {
  const ScratchFolder folder;
  SlowFile file(folder / "slow.json");
  Headless lab(impatient());
  lab.app().say("that failed", true);
  lab.app().open(folder / "slow.json");
  CHECK(lab.view().message.starts_with("reading "));
  file.write("{");
  file.end();
  lab.settle();
}

TEST_CASE("of two files the one opened last is opened") {
  const ScratchFolder folder;
  SlowFile slow(folder / "slow.json");
  write_file(folder / "quick.json", write_session(warm_example()));
  Headless lab(impatient());
  lab.app().open(folder / "slow.json");
  slow.write("{");
  lab.app().open(folder / "quick.json");
  slow.end();
  lab.settle();
  CHECK(lab.document() == warm_example());
  CHECK(lab.app().history().steps().size() == 2);
}

TEST_CASE("a huge file of another kind is refused by its first bytes") {
  const ScratchFolder folder;
  const auto refusal = [&](const std::string& start) {
    const std::string path = folder / "huge";
    write_file(path, start);
    std::filesystem::resize_file(path, std::uintmax_t{3} << 30);  // a hole: it takes no room
    std::string why;
    const auto peak = peak_of([&] { why = reason([&] { read_document(path); }); });
    if (peak) CHECK(*peak < std::size_t{16} << 20);
    return why;
  };
  CHECK(mentions(refusal(""), {"neither a session"}));
  CHECK(mentions(refusal(std::string(100000, ' ')), {"neither a session"}));
  CHECK(mentions(refusal(R"({"vocabulary": {"a": 1, )"), {"not a session"}));
  CHECK(mentions(refusal("\x93NUMPY"), {"these are points and no layer", "--workspace kernels"}));
  CHECK(mentions(refusal(write_session({})), {"a zero byte"}));
  CHECK(mentions(refusal("PK\x03\x04"), {"larger than 1.5 GiB"}));
  CHECK(mentions(refusal("\x89PNG\r\n\x1A\n"), {"larger than 1.5 GiB"}));
}

TEST_CASE("a change that no session could hold is not taken up") {
  Headless lab(impatient());
  Document document = lab.document();
  document.layer().tokens[0] = std::string(limits::kMostLabelBytes + 1, 'x');
  lab.app().change(document);
  CHECK(lab.document() == read_document(kStartExample));
  CHECK(lab.view().message.find("longer than 4096 bytes") != std::string::npos);
}
