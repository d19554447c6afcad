// Large work of last time, read when the window stands: what is shown meanwhile, and that nothing that a
// person does meanwhile loses anything.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "app/program/start.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/documents.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/slow_file.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

namespace fs = std::filesystem;

constexpr const char* kReading = "reading the work that was open last time…";

// One that takes longer to read than a window may, and little to compute.
Document large_work() {
  Document document = new_document();
  std::vector<float> values(800 * 2048);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1000) / 1000;
  document.layer().x = Tensor({1, 800, 2048}, std::move(values));
  document.layer().w_q = document.layer().w_k = document.layer().w_v =
      Tensor({1, 2048, 2}, std::vector<float>(4096, 0.01f));
  return document;
}

// A state folder where a window has left large unsaved work, one block of which is read as slowly as the test
// likes.
struct LeftState : ScratchFolder {
  LeftState() {
    Store window = store();
    window.save_recovery({work, "", true});
    const auto bytes = read_file(file);
    const ReadRecovery read = read_recovery({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    block = *this / ("state/recovery/" + read.kept.at(0).blocks.at(3));
    numbers = read_file(block);
    fs::remove(block);
    slow.emplace(block);
  }
  Store store() const { return Store(*this / "config", *this / "state"); }
  Headless::Options window(const std::string& input = {}) const {
    return {.document = {},
            .settings = Settings{},
            .opened = start_setup(input, store()),
            .wait = false,
            .waits_for_files = false};
  }
  // The block is an ordinary one again, for whoever has begun to read it too.
  void let_go() {
    slow->write({reinterpret_cast<const char*>(numbers.data()), numbers.size()});
    slow.reset();
    fs::remove(block);
    write_file(block, numbers, Readers::owner);
  }
  // What the next start opens.
  std::optional<Recovery> next() const { return store().take_recovered_work(true).work; }

  Document work = large_work();
  std::string file = *this / "state/recovery.json", block;
  std::vector<std::byte> numbers;
  std::optional<SlowFile> slow;
};

bool holds_recent(Headless& lab, const Document& document) {
  return std::ranges::any_of(lab.app().store().recent_files(),
                             [&](const std::string& kept) { return read_document(kept) == document; });
}

}  // namespace

TEST_CASE("large work of last time is read behind the window and then shown") {
  LeftState state;
  Headless lab(state.window());
  CHECK(lab.shows("sat"));
  CHECK_FALSE(lab.app().reading());  // before a frame is there
  lab.frame();
  CHECK(lab.document() == read_document(kStartExample));
  CHECK(lab.shows(kReading));
  state.slow->write({});  // three blocks were read
  lab.frame();
  CHECK(lab.view().message.starts_with(kReading));
  CHECK(lab.view().message.ends_with(" %"));
  state.let_go();
  lab.settle();
  CHECK(lab.document() == state.work);
  CHECK(lab.app().changed());
  CHECK(lab.app().path().empty());
  CHECK(lab.results()->document == state.work);
  lab.app().change(warm(3));
  lab.app().request_quit();
  CHECK(lab.app().quit_requested());
  CHECK(state.store().load_recovery()->document == warm(3));
  CHECK_FALSE(fs::exists(state / "state/recovery-2.json"));  // it has the place of what it goes on with
}

TEST_CASE("reading the work of last time can be stopped and the next start opens it all the same") {
  LeftState state;
  {
    Headless lab(state.window());
    lab.frame();
    state.slow->write({});
    const auto commands = make_commands(lab.app());
    const auto stop = std::ranges::find(commands, "file.stop_reading", &Command::name);
    CHECK(stop->enabled);
    lab.app().run(*stop);
    CHECK(contains(lab.view().message, "the next start reads it"));
    state.let_go();
    lab.settle();
    lab.frames(3);
    CHECK(lab.document() == read_document(kStartExample));
    lab.app().request_quit();
    CHECK(lab.app().quit_requested());
  }
  REQUIRE(state.next());
  CHECK(state.next()->document == state.work);
}

TEST_CASE("closing while the work of last time is read keeps it for the next start") {
  LeftState state;
  auto lab = std::make_unique<Headless>(state.window());
  lab->frame();
  state.slow->write({});
  lab->app().request_quit();
  CHECK(lab->app().quit_requested());
  std::thread disk([&] { state.let_go(); });
  lab.reset();
  disk.join();
  REQUIRE(state.next());
  CHECK(state.next()->document == state.work);
  CHECK(state.next()->changed);
}

TEST_CASE("damage that is met after reading was stopped moves nothing") {
  LeftState state;
  {
    Headless lab(state.window());
    lab.frame();
    state.slow->write("no block");
    lab.app().stop_reading();
    state.slow.reset();
  }
  CHECK(fs::exists(state.file));
  CHECK_FALSE(fs::exists(state / "state/unsaved"));
}

TEST_CASE("an edit that was made while the work of last time was read is set aside") {
  LeftState state;
  Headless lab(state.window());
  lab.frame();
  lab.app().change(warm(2));
  for (int i = 0; i < 10'000'000 && !lab.app().remembered(); ++i) std::this_thread::yield();
  CHECK(fs::exists(state / "state/recovery-2.json"));
  state.let_go();
  lab.settle();
  CHECK(lab.document() == state.work);
  CHECK(holds_recent(lab, warm(2)));
  CHECK_FALSE(fs::exists(state / "state/recovery-2.json"));  // another window would take it for left work
  lab.app().undo();
  CHECK(lab.document() == warm(2));
  lab.app().request_quit();
  CHECK(holds_recent(lab, state.work));
}

TEST_CASE("work of last time is set aside when a file is opened while it is read") {
  LeftState state;
  write_file(state / "mine.json", write_session(warm(2)));
  Headless lab(state.window());
  lab.frame();
  state.slow->write({});
  lab.app().open(state / "mine.json");
  state.let_go();
  lab.settle();
  lab.settle();
  CHECK(lab.document() == warm(2));
  CHECK(holds_recent(lab, state.work));
  CHECK(contains(lab.view().message, "among the recent files"));
  CHECK_FALSE(fs::exists(state.file));
}

TEST_CASE("a start by argument waits for no large work of last time and sets it aside") {
  LeftState state;
  write_file(state / "mine.json", write_session(warm(2)));
  Headless lab(state.window(state / "mine.json"));
  lab.frame();
  CHECK(lab.document() == warm(2));
  state.let_go();
  lab.settle();
  CHECK(lab.document() == warm(2));
  CHECK(holds_recent(lab, state.work));
}

TEST_CASE("large work during whose computation the program ended waits to be asked for") {
  LeftState state;
  {
    Store window = state.store();
    const RecoveredWork left = [&] {
      std::optional<RecoveredWork> read;
      std::thread reader([&] { read = window.take_recovered_work(true); });
      state.let_go();
      reader.join();
      return *read;
    }();
    window.take_over(left);
    window.set_computing(true);
  }
  Headless lab(state.window());
  lab.frame();
  lab.settle();
  REQUIRE(lab.document() == state.work);
  CHECK(lab.app().stopped());
  CHECK(lab.shows("This was being computed when the program ended"));
  CHECK(lab.results()->document == read_document(kStartExample));  // which is not shown
  CHECK_FALSE(lab.shows("sat"));
  lab.app().compute_again();
  lab.settle();
  CHECK(lab.results()->document == state.work);
}
