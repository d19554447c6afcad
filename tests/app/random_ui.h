// Random use of the window: events as plain numbers, so that a run can be repeated, shortened and kept as a
// test of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "app/host/headless.h"

namespace attn::tests {

struct Event {
  enum Kind : std::uint8_t {
    point_at_item,  // `number` chooses the item and the place in it
    point,          // … a place of the window
    nudge,          // … a few pixels
    press,          // of a button, or its release when it is down
    wheel,
    key,        // with its modifiers, down and up
    text,       // typed
    modifiers,  // held from now on
    pause,      // half a second
    clipboard,  // another text on it
    resize,
    scale,
  };
  Kind kind;
  std::uint32_t number;
};

// The same on every machine.
std::vector<Event> random_events(std::uint32_t seed, std::size_t count);

// Plays events one by one. What would write files is left out, and what grows beyond a few tokens, features
// or heads is undone.
class Player {
 public:
  explicit Player(Headless& lab) : lab_(lab), item_log_(ImGui::GetIO().UserData) {}
  void play(const Event& event);

 private:
  void point(const Event& event);
  void look();
  void stay_small_and_write_nothing();

  Headless& lab_;
  void* item_log_;
  std::vector<Rect> targets_;  // of the items, as seen a few events ago
  int played_ = 0;
};

}  // namespace attn::tests
