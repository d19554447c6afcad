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
class CommandParser;

namespace inspector {
struct Flow;
struct CheckLine;
}  // namespace inspector

// What a workspace takes from a file or the clipboard into the open work.
enum class ImportKind {
  nothing,
  points,  // rows of x and values, in place of its own
  layer,   // another document's, compared with the open one's; or another program's numbers of the open one
};
struct ImportedContent {
  Tensor points = {};
  Document other = {};
  std::shared_ptr<const Dump> dump = {};  // in place of `other`
  std::string path = {};                  // of the file that it was read from
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
  // Takes longer than a frame waits: to the picture of the results, whenever that comes. With a row on how
  // many operations ran, as a multiple of those that the edit reaches.
  bool waits = false;
  // The device has work without an end meanwhile: how far that is, 0 until it begins. None: it rests.
  std::size_t (*busy)(const View&) = nullptr;
};

// Something else that `bench` measures of a workspace, without a window.
struct TimedWork {
  std::string what;
  std::vector<double> times;  // each as a multiple of what it should take
  double target;              // at most
};

// What `bench NAME` measures of a workspace alone: too much for `bench frames`. With `quick` it is small.
struct OwnBench {
  std::vector<TimedEdit> (*edits)(bool quick) = nullptr;
  std::vector<TimedWork> (*work)(Backend& backend, int samples, bool quick) = nullptr;
};

// Fields of a workspace's own that are said by name, as in "map mean": of its part of the document, or of its
// view.
struct NamedFields {
  ValueWords (*names)() = nullptr;
  // Throws Error where the words are no value of that field; false: there is none of that name.
  bool (*set)(Document& document, View& view, std::string_view name, const ValueWords& words) = nullptr;
  ValueWords (*said)(const View& view) = nullptr;  // of the view: "row 3" where it is not as in a new one
};
template <auto Part>  // &Document::heads
NamedFields named_part() {
  using Fields = std::remove_cvref_t<decltype(Document().*Part)>;
  return {field_names<Fields>,
          [](Document& document, View&, std::string_view name, const ValueWords& words) {
            return set_field(document.*Part, name, words);
          },
          [](const View&) { return ValueWords(); }};
}
template <class Own>  // HeadsView
NamedFields named_view() {
  return {field_names<Own>,
          [](Document&, View& view, std::string_view name, const ValueWords& words) {
            return set_field(view.of<Own>(), name, words);
          },
          [](const View& view) { return said_fields(view.of<Own>()); }};
}

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
  // Checks of its own, before those that hold everywhere; may be null.
  void (*checks)(Frame& frame, std::vector<inspector::CheckLine>& lines) = nullptr;
  // What opens the inspected number elsewhere, behind the checks; may be null.
  void (*lead_on)(Frame& frame, inspector::Flow& flow) = nullptr;
  // Looks at a row of the layer's weights, as one workspace does for others; null: it shows no single row.
  void (*take_row)(Document& document, std::size_t head, std::size_t query) = nullptr;
  // Looks at scores from elsewhere, with a label for each key, in the same way.
  void (*take_scores)(Document& document, std::span<const float> scores, Labels keys) = nullptr;
  // Esc, where nothing else is open or pinned: closes what the workspace has opened; whether there was
  // something. May be null.
  bool (*let_go)(View& view) = nullptr;
  // Appends commands of its own; may be null.
  void (*commands)(std::vector<Command>& table, const Desk& desk) = nullptr;
  // Of its part and of its view, where it has them, for sessions, pictures and whoever else says what to look
  // at.
  std::vector<NamedFields> fields = {};
  // What playing does as time passes; null: it walks through the steps.
  void (*play)(View& view, const Document& document, double seconds) = nullptr;
  std::string_view plays = "play the stages";  // in words
  // Whether there is something of its own to play; null: there always is. Else it walks through the steps.
  bool (*can_play)(const Document& document) = nullptr;
  std::string_view keys = {};  // what else works here: "C compare"
  PlaceToLook place = {};
  bool inspects_first = false;  // `inspect` comes before what is said of a number, as with a place of its own
  ImportKind takes = ImportKind::nothing;
  void (*take)(Document& document, View& view, const ImportedContent& taken) = nullptr;  // what it takes
  // Adds a command of its own to the command line; may be null.
  void (*command_line)(CommandParser& parser) = nullptr;
  // What `bench` measures of it; may be null.
  std::vector<TimedEdit> (*timed)() = nullptr;
  OwnBench own_bench = {};  // may be empty
};

inline bool plays_its_own(const Workspace* workspace, const Document& document) {
  return workspace && workspace->play && (!workspace->can_play || workspace->can_play(document));
}

// The workspace of that plan, or of one with it behind its results; null where there is none.
const Workspace* showing(std::span<const Workspace> workspaces, const Plan& plan);
// The one that takes this; null where there is none.
const Workspace* taking(std::span<const Workspace> workspaces, ImportKind what);

}  // namespace attn
