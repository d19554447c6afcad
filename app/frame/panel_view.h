// The side panels as they are looked at: the section that is drawn, and a panel that is a strip.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace attn {

struct Workspace;

// The sections of the controls while they are drawn; which are open is a setting.
struct Sections {
  std::string drawn = {};  // the one whose rows are being drawn; empty: none
};

// A part of a side panel; where the panel is folded to a strip it has a word there.
struct PanelPart {
  std::string title, word;
  std::string state = {};  // of a section of the controls, in few words
  bool present = false;    // the present step is about it
  bool folds = false;      // it is a section that can be folded
  std::size_t layer = 0;   // whose controls they are
  float top = 0;           // pixels from the panel's top, as if it were not scrolled
};

// A side panel. A narrow window folds it to a strip, from which it opens over the canvas.
struct SidePanel {
  bool folded = false, open = false;
  std::vector<PanelPart> parts = {};  // as they were last drawn, from top to bottom
  std::string shown = {};             // the part that is looked at while it is open
  bool sought = false;                // that is still to be scrolled to

  void fold() { open = sought = false, shown.clear(); }
  void show(const std::string& part = {}) { open = true, sought = !part.empty(), shown = part; }
};

// What the sections of the controls said when the work was opened, by workspace, layer and title.
struct OpenedStates {
  std::string work = {};  // the command of the example that was opened last
  std::map<std::tuple<const Workspace*, std::size_t, std::string>, std::string> said = {};
};

}  // namespace attn
