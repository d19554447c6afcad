// The window under random hands: nothing asserts, nothing is lost.
#include <doctest/doctest.h>

#include <filesystem>

#include "app/program/input.h"
#include "core/io/session.h"
#include "tests/app/random_ui.h"
#include "tests/app/scratch_folder.h"
#include "tests/sanitized.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr std::size_t kHands = 10;

// Undoes everything, one step at a time, and does it again.
void check_history(Headless& lab, const Document& first) {
  Application& app = lab.app();
  const Document last = app.document();
  const std::size_t steps = app.history().position();
  while (app.history().can_undo()) app.undo();
  CHECK(app.document() == first);
  for (std::size_t i = 0; i < steps; ++i) app.redo();
  CHECK(app.document() == last);
}

// A folder of its own to be in: what a hand saves by name lies where the program was started.
class Elsewhere {
 public:
  Elsewhere() : before_(std::filesystem::current_path()) { std::filesystem::current_path(folder_ / ""); }
  ~Elsewhere() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

 private:
  ScratchFolder folder_;
  std::filesystem::path before_;
};

// So many events of each hand.
void play(std::size_t events) {
  const Elsewhere elsewhere;
  std::size_t steps = 0;  // a new edit after an undo drops what it undid, so single runs may end with few
  for (std::uint32_t hand = 1; hand <= kHands; ++hand) {
    const Document first = read_document(examples()[hand % examples().size()]);
    Headless lab({.document = first, .settings = Settings{}, .size = {1280, 800}});
    Player player(lab);
    std::size_t played = 0;
    INFO("seed ", seed(hand), ", event ", played);
    for (const Event& event : random_events(seed(hand), events)) {
      player.play(event);
      ++played;
    }
    lab.hold({});
    // What a hand may have begun to measure is not waited for: the reference takes minutes.
    lab.app().stop_measuring();
    lab.app().show(lab.app().workspaces().front());
    lab.frame();
    CHECK(lab.results()->document == lab.document());
    CHECK(parse_session(write_session(lab.document())) == lab.document());
    steps += lab.app().history().steps().size();
    check_history(lab, first);
  }
  CHECK(steps > kHands * events / 1'000);
}

}  // namespace

TEST_CASE("random events break nothing and undo gives back the first document") {
  play(kSanitized ? 250 : 150);
}

TEST_CASE("100 000 random events break nothing and undo gives back the first document" *
          doctest::test_suite("long")) {
  play(10'000);
}
