// Frame: what one frame of the program sees and may change. Every panel is a free function on it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/theme.h"
#include "core/engine.h"
#include "core/history.h"
#include "core/view.h"

namespace attn {

class Textures;

// The cells that a number was made from, and the cells it goes into, by stage id.
struct Links {
  std::map<std::string, std::vector<Cell>> sources;
  std::map<std::string, std::vector<Region>> targets;
};

struct Frame {
  const EngineState& engine;
  const Results* results;  // engine.results, or null before the first
  const History& history;
  const Theme& theme;
  const Links& links;                 // of view.focus()
  Textures& textures;                 // large matrices
  Document& draft;                    // undoable
  View& view;                         // not undoable
  const std::vector<Command>& table;  // every command, as it stands now
  std::vector<std::string> commands =
      {};  // names to run after the frame: what a panel asks the program to do
};

// Where a region of the window lies, in pixels.
struct Rect {
  ImVec2 min, max;
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
  bool contains(ImVec2 p) const { return p.x >= min.x && p.x < max.x && p.y >= min.y && p.y < max.y; }
};

}  // namespace attn
