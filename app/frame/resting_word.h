// The word of the glossary that the pointer or the focus rests on, whichever moved last.
#pragma once

#include <map>
#include <string>

namespace attn {

struct RestingWord {
  unsigned item = 0;                      // 0: none
  float seconds = 0;                      // that it has been so
  bool seen = false;                      // in this frame
  unsigned focus = 0;                     // the item with the ring; 0: none
  bool by_focus = false;                  // it has moved since the pointer did
  std::string shown = {};                 // whose card is on screen, as the glossary heads it; empty: none
  std::map<std::string, int> drawn = {};  // how often each word was, in this frame

  void begin_frame(unsigned focused, bool pointer_moved) {
    by_focus = !pointer_moved && (focused == focus ? by_focus : focused != 0);
    focus = focused;
    if (!seen) item = 0, seconds = 0;
    seen = false, shown.clear(), drawn.clear();
  }
};

}  // namespace attn
