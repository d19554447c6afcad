// Frame: what one frame of the program sees and may change. Every panel is a free function on it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "app/frame/commands.h"
#include "app/frame/desk.h"
#include "app/frame/memos.h"
#include "app/frame/rect.h"
#include "app/frame/studies.h"
#include "app/frame/view.h"
#include "app/theme/theme.h"
#include "core/document/history.h"
#include "core/engine/engine.h"
#include "core/measure/measured.h"

namespace attn {

class Textures;
struct Measuring;
struct StepWords;
struct Workspace;

// The cells that a number was made from, and the cells it goes into, by stage id.
struct Links {
  std::map<std::string, std::vector<Cell>> sources;
  std::map<std::string, std::vector<Region>> targets;
};

// A chip of the stage bar: a step of the workspace as it is shown now.
struct StepChip {
  std::string id;  // of its first stage: "scores"
  std::string title, says;
  std::vector<StageIndex> stages;
  bool opener = false;               // what opens and closes the steps inside stands before it
  const StepWords* words = nullptr;  // what is to be said of it; null: nothing is
  bool shown = false;                // what is looked at is of it: lit while no step is chosen
};

// Whether there are any, and not what is given alone.
inline bool has_numbers(const std::shared_ptr<const Results>& results) {
  return results && !results->outputs.empty();
}

struct Frame {
  const EngineState& engine;
  const Results* results;  // of the workspace on screen, as engine.results; null before its first
  const Graph& given;      // of the document as it is now: what can be edited
  const Graph& graph;      // what is shown: of the results, before the first ones of the document
  std::span<const Workspace> workspaces;
  const Workspace& workspace;  // on screen, one of them
  const std::vector<StepChip>& steps;
  const History& history;
  const Theme& theme;
  const Links& links;                 // of view.focus()
  const Measuring& measuring;         // what is measured of `measured_shape` or kept, on the device in use
  Textures& textures;                 // large matrices
  Memos& memos;                       // what earlier frames worked out
  Studies& studies;                   // what is found out behind the results
  Document& draft;                    // undoable
  View& view;                         // not undoable
  const std::vector<Command>& table;  // every command, as it stands now; passages only for the palette
  std::vector<std::string> commands = {};           // names to run after the frame
  std::vector<Ask> asks = {};                       // what a panel asks of the program besides
  Rect area = {};                                   // of the workspace on screen
  std::optional<MeasureShape> measured_shape = {};  // whose measurements a panel wants to show

  Address address = kLayerA;  // of the layer whose controls are drawn

  CanvasView& canvas() const { return view.canvas(); }
  LayerSpec& layer() const { return draft.layer(address); }
  LayerAt edited() const { return {draft, address}; }
  // The step that the person is on; null: everything is at full strength.
  const StepChip* step() const {
    for (const StepChip& chip : steps)
      if (canvas().step == chip.id) return &chip;
    return nullptr;
  }
};

}  // namespace attn
