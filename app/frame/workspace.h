// A workspace as the rest of the program knows it: a plan (what is computed of the document), its place in
// the window's regions, and its commands. app/workspaces/workspaces.h has the table of them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

struct Column;
class Program;

namespace inspector {
struct Flow;
}

// What a workspace takes from a file or the clipboard into the open work.
enum class Takes {
  nothing,
  points,  // rows of x and values, in place of its own
  layer,   // another document's, beside the open one's
};
struct Taken {
  Tensor points = {};
  Document other = {};
};

// A place of its own that a workspace looks at, as a click there does, for pictures.
struct PlaceToLook {
  std::string_view says = {};   // "ROW,COLUMN, counted from 0, as in 17,6"
  std::size_t coordinates = 0;  // as many numbers as there are words
  // The number to pin. Throws Error where there is none. Null: the workspace has no such place.
  std::optional<Spot> (*look_at)(Document& document, View& view, const Results& results,
                                 const std::vector<double>& at) = nullptr;
};

// An edit, or a look elsewhere, whose way to the finished picture `bench` measures.
struct TimedEdit {
  std::string_view what;                // "kernels, 1000 queries × 10000 points, one dragged"
  double target;                        // milliseconds, at most
  Document document;                    // that it begins with
  void (*edit)(Document&, View&, int);  // makes the i-th sample's
  int most_samples = 1000;              // no document comes twice: what was computed before is remembered
  ImVec2 window = {1600, 1000};         // pixels
};

struct Workspace : Plan {
  std::string_view title = {};  // of the tab
  // The chips of the stage bar; null: there is none.
  std::vector<StepChip> (*steps)(const Graph& graph, const View& view) = nullptr;
  void (*controls)(Frame& frame, Column column) = nullptr;
  void (*draw)(Frame& frame, Rect canvas) = nullptr;
  // Sections of its own in the inspector, behind the number's arithmetic; may be null.
  void (*inspect)(Frame& frame, inspector::Flow& flow) = nullptr;
  // Opens a number in its own way, instead of in its arithmetic, its way on and its row alone; false: it has
  // none for this one. May be null.
  bool (*open)(Frame& frame, inspector::Flow& flow, const Spot& spot) = nullptr;
  // Appends commands of its own; may be null.
  void (*commands)(std::vector<Command>& table, const Desk& desk) = nullptr;
  // What playing does as time passes; null: it walks through the steps.
  void (*play)(View& view, const Document& document, double seconds) = nullptr;
  std::string_view plays = "play the stages";  // in words
  std::string_view keys = {};                  // what else works here: "C compare"
  PlaceToLook place = {};
  Takes takes = Takes::nothing;
  void (*take)(Document& document, View& view, const Taken& taken) = nullptr;  // what it takes
  // Adds a command of its own to the command line; may be null.
  void (*command_line)(Program& program) = nullptr;
  // What `bench` measures of it; may be null.
  std::vector<TimedEdit> (*timed)() = nullptr;
};

// The workspace of that plan, or of one with it behind its results; null where there is none.
const Workspace* showing(std::span<const Workspace> workspaces, const Plan& plan);
// The one that takes this; null where there is none.
const Workspace* taking(std::span<const Workspace> workspaces, Takes what);

}  // namespace attn
