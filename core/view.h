// View: what a person looks at and how. Not part of the document: changing it is no step of the history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/io/text.h"
#include "core/tensor.h"

namespace attn {

// A number on screen: a stage of the graph by its id, and a cell of it.
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
  bool fresh = true;  // not on screen yet
};

// A token's label being typed.
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

// A drag on a matrix: a number scrubbed sideways, a token label carried to another row, a block selected.
struct Drag {
  enum Kind { scrub, token, select } kind = scrub;
  Spot from;
  float start_value = 0;
  double travelled = 0;  // pixels, already weighted by Shift and Alt
  double step = 0.01;    // change of the number a pixel
};

enum class ThemeName { dark, light, high_contrast };
enum class WeightColours { viridis, cividis };

// Remembered from one start to the next.
struct Settings {
  ThemeName theme = ThemeName::dark;
  WeightColours weight_colours = WeightColours::viridis;
  float ui_scale = 1;  // on top of the monitor's
  bool reduce_motion = false;
  bool show_history = false;
  float controls_width = 264, inspector_width = 322;  // at scale 1
  std::string device = "auto";
  bool operator==(const Settings&) const = default;
};

// The program's own file dialog.
struct FileDialog {
  bool open = false, saving = false;
  std::string folder, name;
  std::string error;
};

// A field of the controls that is being typed into, or whose last text was refused.
struct FieldEdit {
  std::string field;  // its name: "heads"
  std::string text;
  std::string error;               // why it was refused; empty: it is being typed
  std::vector<std::size_t> fixes;  // values that would do, each a button
  bool focus = true;               // the field still has to take the keyboard
};

struct View {
  Settings settings;
  std::string workspace = "pipeline";

  // The canvas.
  float zoom = 1, scroll_x = 0, scroll_y = 0;
  std::size_t head = 0;                  // the head shown large
  bool show_parameters = false;          // W_Q, W_K, W_V, W_O and their biases as matrices of their own
  bool open_softmax = false;             // row maximum, exp, sum, divide
  std::optional<std::size_t> step;       // of the stage bar; none: everything shown at full strength
  std::optional<std::size_t> step_from;  // the step before, and how far the dimming has come from it
  float step_fade = 1;
  std::string reveal;  // stage to scroll into sight in the next frame; empty: none
  bool playing = false;
  double played = 0;  // seconds since the last step while playing

  // Numbers.
  std::optional<Spot> hovered, pinned;
  std::optional<Spot> inspected;  // what the inspector shows: the focus, or the last one while there is none
  std::optional<Selection> selection;
  std::optional<Typing> typing;
  std::optional<Drag> drag;
  std::optional<Pasting> pasting;
  std::optional<Renaming> renaming;
  FillChoices fill;
  int open_frame = 0;  // the last frame that began with something open, for Esc to close before it unpins
  std::vector<std::pair<std::string, float>> locked_ranges;  // stage id, largest magnitude

  // Panels and messages.
  std::optional<FieldEdit> field;
  double busy_for = 0;  // seconds that the results have been behind the document
  bool palette_open = false, keys_open = false;
  std::string palette_text;
  int palette_choice = 0;
  FileDialog files;
  std::string message;  // the status line's, until the next key or click; errors until the next message
  bool message_is_error = false;

  // For pictures that come out the same every time: what the clock says is left out.
  bool timeless = false;

  // The number the inspector opens: the pinned one, else the hovered one.
  const std::optional<Spot>& focus() const { return pinned ? pinned : hovered; }
};

}  // namespace attn
