// The open work of one window and of several, from one start to the next: what is written when, what is taken
// over, and that nothing is ever overwritten unread.
#include "app/program/recovery.h"

#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "app/program/recovery_writer.h"
#include "app/program/start.h"
#include "core/io/session.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "tests/app/documents.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// A state folder with the windows that use it.
struct State : ScratchFolder {
  Store window() const { return Store(*this / "config", *this / "state"); }
  std::string file(const char* name) const { return *this / ("state/" + std::string(name)); }
  void write(const char* name, const std::string& text) const {
    fs::create_directories(fs::path(file(name)).parent_path());
    std::ofstream(file(name)) << text;
  }
  std::string text(const std::string& path) const {
    const auto bytes = read_file(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // Written so many seconds before the others.
  void age(const char* name, int seconds) const {
    fs::last_write_time(file(name), fs::last_write_time(file(name)) - std::chrono::seconds(seconds));
  }
  std::vector<std::string> set_aside() const {
    std::vector<std::string> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(file("unsaved"), none))
      files.push_back(entry.path().string());
    return files;
  }
};

}  // namespace

TEST_CASE("work that was open when the program ended is what it starts with") {
  const State state;
  {
    RecoveryWriter writer(state.window());
    writer.post({warm(2), "", false});
    writer.post({warm(0.25), "/somewhere/mine.json", true});
  }
  {
    const Application::Setup setup = start_setup("", state.window());
    CHECK(setup.document == warm(0.25));
    CHECK(setup.path == "/somewhere/mine.json");
    CHECK(setup.changed);
    CHECK_FALSE(setup.held);
    CHECK(setup.said.empty());
  }
  CHECK(start_setup("three-tokens", state.window()).document == read_document("three-tokens"));
}

TEST_CASE("what is laid over the opened layer is an edit that is not saved") {
  const State state;
  const auto warmer = [](Document& document, const std::string&) { document.layer().temperature = 2; };
  const Application::Setup setup = start_setup("three-tokens", state.window(), warmer);
  Document expected = read_document("three-tokens");
  expected.layer().temperature = 2;
  CHECK(setup.document == expected);
  CHECK(setup.changed);
  CHECK_FALSE(start_setup("three-tokens", state.window()).changed);
  const auto wrong = [](Document& document, const std::string&) { document.layer().heads = 5; };
  CHECK_THROWS_AS(start_setup("the-cat-sat-on-mat", state.window(), wrong), Error);
}

TEST_CASE("saved work whose file is gone counts as unsaved") {
  const State state;
  write_file(state / "mine.json", write_session(warm(3)));
  state.window().save_recovery({warm(3), state / "mine.json", false});
  CHECK_FALSE(start_setup("", state.window()).changed);
  fs::remove(state / "mine.json");
  CHECK(start_setup("", state.window()).changed);
}

TEST_CASE("saved work is opened as its file is by now") {
  const State state;
  state.window().save_recovery({warm(3), state / "mine.json", false});
  write_file(state / "mine.json", write_session(warm(4)));
  {
    const Application::Setup setup = start_setup("", state.window());
    CHECK(setup.document == warm(4));
    CHECK(setup.path == state / "mine.json");
    CHECK_FALSE(setup.changed);
  }
  write_file(state / "mine.json", "{");
  const Application::Setup setup = start_setup("", state.window());
  CHECK(setup.document == warm(3));
  CHECK(setup.changed);
}

TEST_CASE("saved work whose file is still the one that was saved is not read from there") {
  const State state;
  write_file(state / "mine.json", "{ a session it is not");
  state.window().save_recovery({warm(3), state / "mine.json", false, "", *mark_of_file(state / "mine.json")});
  const Application::Setup setup = start_setup("", state.window());
  CHECK(setup.document == warm(3));
  CHECK_FALSE(setup.changed);
}

TEST_CASE("two windows keep two recoveries and the next start loses neither") {
  const State state;
  {
    Store first = state.window(), second = state.window();
    first.save_recovery({warm(1), "", true});
    second.save_recovery({warm(2), "", true});
    first.save_recovery({warm(3), "", true});
    state.age("recovery-2.json", 10);
    // A third window, while they are open, takes nothing of theirs.
    Application::Setup third = start_setup("", state.window());
    CHECK(third.document == read_document(kStartExample));
    third.store.save_recovery({warm(4), "", false});
    CHECK(third.store.recent_files().empty());
    state.age("recovery-3.json", 20);
  }
  const Application::Setup setup = start_setup("", state.window());
  CHECK(setup.document == warm(3));
  REQUIRE(setup.store.recent_files().size() == 1);
  CHECK(read_document(setup.store.recent_files()[0]) == warm(2));
  CHECK(contains(setup.said, "among the recent files"));
  CHECK_FALSE(setup.trouble);
  CHECK_FALSE(fs::exists(state.file("recovery-3.json")));  // it had nothing unsaved
}

TEST_CASE("a recovery that cannot be read is set aside and said and never overwritten") {
  const std::string label(5000, 'x');
  std::string long_label = write_session(read_document("the-cat-sat-on-mat"));
  long_label.replace(long_label.find("\"cat\""), 5, "\"" + label + "\"");
  Document misfit = read_document("the-cat-sat-on-mat");
  misfit.layer().w_q = Tensor({1, 1, 1}, {1});
  const auto wrapped = [](const std::string& session) {
    return nlohmann::json{{"session", session}, {"path", "/x/mine.json"}, {"changed", true}}.dump();
  };
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[1]"), std::string("{\"session\": 3}"), wrapped("{}"),
        wrapped(write_session(misfit)), wrapped(long_label)}) {
    CAPTURE(text.substr(0, 300));
    const State state;
    state.write("recovery.json", text);
    Application::Setup setup = start_setup("", state.window());
    CHECK(setup.document == read_document(kStartExample));
    CHECK(setup.trouble);
    const auto kept = state.set_aside();
    REQUIRE(kept.size() == 1);
    CHECK(contains(setup.said, kept[0]));
    const ReadRecovery read = read_recovery(text);
    CHECK(state.text(kept[0]) == (read.session.empty() ? text : read.session));
    setup.store.save_recovery({warm(2), "", true});
    CHECK(state.set_aside() == kept);
  }
}

TEST_CASE("older work is opened where the newest cannot be read") {
  const State state;
  {
    Store first = state.window(), second = state.window();
    first.save_recovery({warm(1), "", true});
    second.save_recovery({warm(2), "", true});
    state.write("recovery-2.json", "{");
    state.age("recovery.json", 10);
  }
  CHECK(state.window().load_recovery()->document == warm(1));
  const Application::Setup setup = start_setup("", state.window());
  CHECK(setup.document == warm(1));
  CHECK(setup.trouble);
  CHECK(state.set_aside().size() == 1);
}

TEST_CASE("what cannot even be set aside stays and the window writes elsewhere") {
  const State state;
  state.write("unsaved", "a file in the way");
  state.write("recovery.json", "{");
  Application::Setup setup = start_setup("", state.window());
  CHECK(contains(setup.said, state.file("recovery.json")));
  setup.store.save_recovery({warm(2), "", true});
  CHECK(state.text(state.file("recovery.json")) == "{");
  CHECK(read_recovery(state.text(state.file("recovery-2.json"))).work().document == warm(2));
}

TEST_CASE("a start by argument never drops recovered work") {
  const State state;
  state.window().save_recovery({warm(2), "", true});
  state.write("unsaved", "a file in the way");
  {
    Application::Setup setup = start_setup("the-cat-sat-on-mat", state.window());
    CHECK(setup.trouble);
    CHECK(contains(setup.said, state.file("recovery.json")));
    setup.store.save_recovery({read_document("the-cat-sat-on-mat"), "", false});
  }
  state.age("recovery-2.json", 10);
  CHECK(start_setup("", state.window()).document == warm(2));
}

TEST_CASE("large work that was set aside does not give way to what is left when it is opened") {
  const State state;
  Store store = state.window();
  for (int i = 0; i < 10; ++i) REQUIRE(store.set_aside({warm(i), "", true}));
  const std::string oldest = store.recent_files().back();
  write_file(oldest, write_session(warm(0)) + std::string(std::size_t{5} << 20, ' '));
  store.save_recovery({warm(20), "", true});
  {
    Store second = state.window();
    second.save_recovery({warm(21), "", true});
  }
  store = {};
  Application::Setup setup = start_setup(oldest, state.window());
  CHECK(setup.dropped == oldest);
  CHECK(fs::exists(oldest));
  CHECK(setup.store.recent_files().size() == 10);
}

TEST_CASE("an argument that cannot be opened touches no recovery") {
  const State state;
  state.window().save_recovery({warm(2), "", true});
  CHECK_THROWS(start_setup(state / "missing.json", state.window()));
  CHECK(start_setup("", state.window()).document == warm(2));
}

TEST_CASE("a drag is remembered while it goes on") {
  const State state;
  Application::Setup setup = start_setup("the-cat-sat-on-mat", state.window());
  setup.recovery_period = 0ms;
  Headless lab({.document = {}, .settings = Settings{}, .opened = std::move(setup)});
  const auto box = lab.item("x/cells");
  REQUIRE(box);
  lab.move({box->min.x + 5, box->min.y + 5});
  lab.press();
  for (int i = 1; i < 9; ++i) lab.move({box->min.x + 5 + 10.0f * static_cast<float>(i), box->min.y + 5});
  REQUIRE(lab.app().changed());
  // The thread that writes is as fast as it is; without the button's release it has all it needs.
  for (int i = 0; i < 100'000 && !lab.app().remembered(); ++i) lab.frame();
  REQUIRE(lab.app().remembered());
  CHECK(lab.app().remembered()->document.layer().x != read_document("the-cat-sat-on-mat").layer().x);
}

TEST_CASE("the last one posted is written without waiting for the period when the program ends or asks") {
  const State state;
  {
    RecoveryWriter writer(state.window(), {}, 24h);
    writer.post({warm(1), "", true});
    CHECK(writer.finish(1min));
    writer.post({warm(2), "", true});
    writer.post({warm(3), "", true});
    CHECK(writer.finish(1min));
    CHECK(writer.written()->document == warm(3));
    writer.post({warm(4), "", true});
  }
  CHECK(state.window().load_recovery()->document == warm(4));
}

TEST_CASE("a state folder that is removed meanwhile is made again") {
  const State state;
  Store window = state.window();
  window.save_recovery({warm(1), "", true});
  fs::remove_all(state / "state");
  window.save_recovery({warm(2), "", true});
  CHECK(window.note().empty());
  CHECK(start_setup("", state.window()).document == read_document(kStartExample));  // the window holds it
  CHECK(state.window().load_recovery()->document == warm(2));
}

TEST_CASE("what cannot be written is told and written once it can be") {
  const State state;
  state.write("../file", "in the way");
  std::atomic<int> told = 0;
  RecoveryWriter writer(
      Store(state / "config", state / "file/state"), [&] { ++told; }, 0ms);
  writer.post({warm(1), "", true});
  CHECK_FALSE(writer.finish(1min));
  CHECK(contains(writer.note(), "cannot make the folder"));
  fs::remove(state / "file");
  writer.post({warm(1), "", true});  // the same again
  CHECK(writer.finish(1min));
  CHECK(writer.note().empty());
  CHECK(Store(state / "config", state / "file/state").load_recovery()->document == warm(1));
}
