// The word of the glossary that the pointer or the focus rests on.
#pragma once

#include <map>
#include <string>

namespace attn {

struct RestingWord {
  unsigned item = 0;                      // 0: none
  float seconds = 0;                      // that it has been so
  bool seen = false;                      // in this frame
  std::string shown = {};                 // whose card is on screen, as the glossary heads it; empty: none
  std::map<std::string, int> drawn = {};  // how often each word was, in this frame

  void begin_frame() {
    if (!seen) item = 0, seconds = 0;
    seen = false, shown.clear(), drawn.clear();
  }
};

}  // namespace attn
