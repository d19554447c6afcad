// View: what a person looks at and how. Not part of the document: changing it is no step of the history.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/frame/array_preview.h"
#include "app/frame/manual_view.h"
#include "app/frame/panel_view.h"
#include "app/frame/plot_view.h"
#include "app/frame/resting_word.h"
#include "app/frame/views.h"
#include "app/theme/settings.h"
#include "core/graph/field_words.h"
#include "core/io/text.h"
#include "core/tensor/tensor.h"

namespace attn {

struct Workspace;

// A number on screen: a stage of the workspace's graph by its id, and a cell of it.
struct Spot {
  std::string stage;
  Cell cell;
  bool operator==(const Spot&) const = default;
};

// A block of cells of one stage and one head; from where the selection began to where it ends, both included.
struct Selection {
  Spot anchor;
  Cell cursor;
  bool operator==(const Selection&) const = default;
};

// A number being typed into the selection.
struct Typing {
  std::string text;
  std::string error;        // why the text is not a number yet; empty when it is
  bool focus = true;        // the field still has to take the keyboard
  bool select_all = false;  // the first key replaces the text
};

// A block on the clipboard, shown before it changes anything.
struct Pasting {
  Spot at;  // its top left cell
  ParsedBlock block;
  bool fresh = true;      // not on screen yet
  bool reading = false;   // the block comes later: the text was long
  bool drawn = true;      // by its matrix in this frame; one that none shows is dropped
  std::string text = {};  // that is to be read then; taken by the program
};

// A row's label being typed.
struct Renaming {
  std::string stage;
  std::size_t row = 0;
  std::string text;
  bool focus = true;
};

// What the menu of a matrix fills it with.
struct FillChoices {
  int seed = 1;
  std::string formula = "sin(i + j)";
  std::string error;  // why the formula was refused
};

// A drag on a matrix: a number scrubbed sideways, a row carried by its label, a block selected, cells of a
// mask painted one by one or, when the drag ends, all of a block.
struct Drag {
  enum Kind { scrub, row, select, paint } kind = scrub;
  Spot from;
  float start_value = 0;
  double travelled = 0;           // pixels, already weighted by Shift and Alt
  double step = 0.01;             // change of the number a pixel
  bool paints = false;            // a block that is selected to be painted
  bool hides = true;              // what is painted becomes masked; else it is freed
  std::vector<Cell> stroke = {};  // that a brush has passed
};

// What a folder holds that can be opened or saved over.
struct FolderListing {
  std::string folder;  // empty: not listed yet
  std::vector<std::string> folders, files;
  std::string error;
};

// The program's own file dialog.
struct FileDialog {
  bool open = false, saving = false;
  bool then_quit = false;    // when it is saved
  bool as_compared = false;  // opened, to be compared with the open work's layer
  std::string folder, name;
  std::string own;  // the work's file: saving over it is no question
  std::string error;
  std::string replaces;  // the file that would be saved over, while that is asked
  bool focus = true;     // the name still has to take the keyboard
  FolderListing listing;
};

// What is said above the canvas of the work's file, and the buttons that go with it.
struct FileLine {
  enum About { nothing, changed, gone } about = nothing;  // on the disk, since it was read or written here
  std::string name;                                       // of the file
  bool refused = false;                                   // it was to be saved, and was not, for that
  bool closed = false;  // by the person, until it is refused or something else is to be said
  bool focus = false;   // the first button still has to take the keyboard

  bool open() const { return about != nothing && !closed; }
  void say(About what, const std::string& file) {
    if (what != about || file != name) *this = {.about = what, .name = file};
  }
};

// What stands above everything.
struct Overlays {
  bool palette = false, keys = false;
  std::string palette_text;
  int palette_choice = 0;
  ManualView manual;
  FileDialog files;
  ArrayPreview preview;
  std::string closing;  // what closing would lose, and why; empty: nothing is asked

  bool over_manual() const { return palette || keys || files.open || preview.open || !closing.empty(); }
  // No key goes behind them.
  bool take_text() const { return palette || manual.open || files.open || preview.open || !closing.empty(); }
  bool any() const { return take_text() || keys; }
};

// A field of the controls that is being typed into, or whose last text was refused.
struct FieldEdit {
  std::string field;  // its name: "heads"
  std::string text;
  std::string error;               // why it was refused; empty: it is being typed
  std::vector<std::size_t> fixes;  // values that would do, each a button
  bool focus = true;               // the field still has to take the keyboard
  // Its row: not drawn yet; looked for, with every section of the controls open; drawn, or nowhere there.
  enum Row { unknown, sought, known } row = unknown;
};

// What is in sight of a canvas. It belongs to a document: another file's is seen whole.
struct Viewport {
  float zoom = 1, scroll_x = 0, scroll_y = 0;
  bool loose = false;  // zoomed: what was under the pointer stays there, though the content could be centred
  std::optional<bool> all = {};  // every stage small enough to be in sight; none: as the layer's size says
  std::string filled = {};       // the stage whose matrix alone fills the canvas; empty: none
};

// Where a workspace's canvas stands, and on which step of its stage bar.
struct CanvasView : Viewport {
  std::optional<std::string> step;       // the id of its first stage; none: everything at full strength
  std::optional<std::string> step_from;  // the step before, and how far the dimming has come from it
  float step_fade = 1;
  std::size_t step_place = 0;  // of the step among the others when it was last there
  std::string reveal;          // stage to scroll into sight in the next frame; empty: none
  bool playing = false;
  float chips = 0;    // pixels that the steps' chips were scrolled by, from the present one
  double played = 0;  // seconds since the last step while playing
  std::map<std::string, PlotView> plots;  // by the plots' ids
  bool all_in_sight = false;              // as it was last drawn
  Viewport unfilled = {};                 // what was in sight before one matrix filled the canvas

  // Which of its two arrangements it has stays.
  void fit() { static_cast<Viewport&>(*this) = {.all = all}; }
};

// Numbers typed one after the other with Tab: where the next one goes, and the column that Enter returns to.
struct TabRun {
  Spot next;
  std::size_t column = 0;
};

// What is done to the matrices on screen.
struct GridView {
  std::optional<Selection> selection;
  std::optional<Typing> typing;
  std::optional<TabRun> tab_run;
  std::optional<Drag> drag;
  std::optional<Pasting> pasting;
  std::optional<Renaming> renaming;
  FillChoices fill;
  std::vector<std::pair<std::string, float>> locked_ranges;  // stage id, largest magnitude

  std::map<std::string, std::size_t> heads;  // that the matrices were last drawn with, by stage id
  bool has_keys = false;  // the selected cell has the keyboard: arrows and what begins a number are its

  bool open() const { return typing || renaming || pasting; }  // something that Esc closes
};

// What of a layer is shown, in every workspace that shows one.
struct LayerView {
  std::size_t head = 0;          // the head shown large
  bool show_parameters = false;  // W_Q, W_K, W_V, W_O and their biases as matrices of their own
  bool open_softmax = false;     // row maximum, exp, sum, divide
  // What a drag over scores and weights paints the mask of.
  enum Painting { nothing, all_heads, one_head } painting = nothing;
  bool operator==(const LayerView&) const = default;
};

template <class Visit>
void visit_fields(std::type_identity<LayerView>, Visit&& visit) {
  static constexpr CountField kHead{{.key = "large_head"}};
  static constexpr SwitchField kParameters{{.key = "parameters"}, {}, {}},
      kSoftmax{{.key = "softmax"}, {}, {}};
  static constexpr ChoiceField<LayerView::Painting, 3> kPainting{{.key = "paint"},
                                                                 {{{"nothing", "", LayerView::nothing},
                                                                   {"all_heads", "", LayerView::all_heads},
                                                                   {"one_head", "", LayerView::one_head}}}};
  visit(kHead, &LayerView::head);
  visit(kParameters, &LayerView::show_parameters);
  visit(kSoftmax, &LayerView::open_softmax);
  visit(kPainting, &LayerView::painting);
}

struct Results;

// The Pipeline's layer as it was when a person pinned it, and whether that is what is drawn now.
struct BeforeView {
  std::shared_ptr<const Results> results = {};  // null: nothing is pinned
  bool shown = false;
  bool operator==(const BeforeView&) const = default;
};

inline constexpr float kLagging = 0.55f;  // how much is left of results that are dimmed

struct View {
  Settings settings;
  const Workspace* workspace = nullptr;                            // on screen; set by the application
  std::map<const Workspace*, CanvasView> canvases{{nullptr, {}}};  // of every workspace

  // The same in every workspace: what is pinned in one is pinned in the others where it exists.
  std::optional<Spot> hovered, pinned;
  std::optional<Spot> inspected;  // what the inspector shows: the focus, or the last one while there is none
  GridView grid;
  LayerView layer;
  BeforeView before;
  Views own;  // of workspaces

  template <class Own>
  Own& of() {
    return own.of<Own>();
  }
  template <class Own>
  const Own& of() const {
    return own.of<Own>();
  }

  Overlays overlays;
  FileLine file;
  std::optional<FieldEdit> field;
  Sections sections;
  RestingWord word;
  SidePanel controls, inspector;
  OpenedStates opened_states;
  int open_frame = 0;   // the last frame that began with something open, for Esc to close before it unpins
  double busy_for = 0;  // seconds that the results have been behind the document
  std::string message;  // the status line's, until the next key or click; errors until the next message
  bool message_is_error = false;
  std::string at_risk;  // why the unsaved work is nowhere but here; empty: it is kept for the next start

  std::optional<float> ui_scale;        // for this run: in place of the settings' and the monitor's
  std::optional<std::string> language;  // for this run: in place of the settings'
  std::optional<std::string> device;    // for this run: in place of the settings'

  // For pictures that come out the same every time: what the clock says is left out.
  bool timeless = false;

  void say(const std::string& text, bool error = false) { message = text, message_is_error = error; }

  // The controls are wanted now: one of them is to be typed into.
  void show_controls() {
    settings.show_controls = true;
    inspector.fold();
    controls.open = true;  // one that is not folded is closed again
  }

  // The canvas of the workspace on screen.
  CanvasView& canvas() { return canvases[workspace]; }
  const CanvasView& canvas() const { return canvases.at(workspace); }

  const std::string& device_choice() const { return device ? *device : settings.device; }

  // Pixels of a point.
  float scale(float monitor) const { return ui_scale.value_or(monitor * settings.ui_scale); }

  // Whether the results have been behind the document for so long that they are dimmed.
  bool lags() const { return busy_for > 0.25; }

  // The number the inspector opens: the pinned one, else the hovered one.
  const std::optional<Spot>& focus() const { return pinned ? pinned : hovered; }
};

}  // namespace attn
