// A workspace as the rest of the program knows it: a plan (what is computed of the document), its place in
// the window's regions, and its commands. app/workspaces/workspaces.h has the table of them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/frame.h"

namespace attn {

struct Column;

namespace inspector {
struct Flow;
}

struct Workspace : Plan {
  std::string_view title;  // of the tab
  // The chips of the stage bar; null: there is none.
  std::vector<StepChip> (*steps)(const Graph& graph, const View& view) = nullptr;
  void (*controls)(Frame& frame, Column column) = nullptr;
  void (*draw)(Frame& frame, Rect canvas) = nullptr;
  // Sections of its own in the inspector, behind the number's arithmetic; may be null.
  void (*inspect)(Frame& frame, inspector::Flow& flow) = nullptr;
  // Appends commands of its own; may be null.
  void (*commands)(std::vector<Command>& table, const Application& application) = nullptr;
  // What playing does as time passes; null: it walks through the steps.
  void (*play)(View& view, const Document& document, double seconds) = nullptr;
  std::string_view plays = "play the stages";  // in words
  std::string_view keys = {};                  // what else works here: "C compare"
  // Looks at a place of its own, as a click there does, for pictures: as many numbers as there are words in
  // `place`. Throws Error where there is none. The number to pin. Null: it has no such place.
  std::optional<Spot> (*look_at)(Document& document, View& view, const Results& results,
                                 const std::vector<double>& at) = nullptr;
  // Points of a file or of the clipboard in place of its own; null: it shows none.
  void (*take_points)(Document& document, View& view, const Tensor& points) = nullptr;
  std::string_view place = {};  // "ROW,COLUMN, counted from 0, as in 17,6"
  std::size_t coordinates = 0;
  // The layer of another document, beside the open one's; null: it shows one layer.
  void (*take_beside)(Document& document, View& view, const Document& other) = nullptr;
  // Opens a number in its own way, instead of in its arithmetic, its way on and its row alone; false: it has
  // none for this one. May be null.
  bool (*open)(Frame& frame, inspector::Flow& flow, const Spot& spot) = nullptr;
};

}  // namespace attn
