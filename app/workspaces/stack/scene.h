// What the parts of the workspace of stacks share: the side, the layer, the head and the row that are looked
// at, the measures of every layer, and where each part lies. Private to app/workspaces/stack.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/fitted_grid.h"
#include "app/canvas/shelf.h"
#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/plot/plot.h"
#include "app/widgets/chips.h"
#include "app/workspaces/stack/view.h"
#include "core/document/stack_plan.h"
#include "core/transformer/measures.h"

namespace attn {

// Where the parts lie, from the content's top left corner.
struct StackAreas {
  Rect architecture, rows, depth, last, rollout, decoding, other;
  ImVec2 content{};
};

// Of a layer of the shown side.
struct LayerMeasures {
  std::vector<double> entropy = {};  // of each head, mean of its rows, in nats
  std::vector<HeadSink> sinks = {};  // of each head
  double norm = 0;                   // mean length of a row of the stream behind it
  std::optional<double> alike = {};
  std::optional<double> rank_residual = {};
  bool ranked = false;  // whether that is measured: of a large stream it is a study
  double most_weight = 0;
  TensorId stream = 0, weights = 0;  // that this is measured of
  std::size_t bytes() const { return bytes_of_all(entropy, sinks); }
};

// What is the same until the results or the shown side change.
struct StackMemo {
  StackRows rows = StackRows::encoder;
  bool made = false;
  double norm_in = 0;  // of what goes in
  std::optional<double> alike_in = {}, rank_residual_in = {};
  bool ranked_in = false;
  std::vector<LayerMeasures> layers = {};
  std::vector<std::vector<std::optional<double>>> added = {};  // by layer and box: ‖added‖ ÷ ‖before‖
  double most_weight = 0;                                      // of all maps
  std::shared_ptr<const StackSpec> stack = {};                 // as it was computed
  std::size_t bytes() const { return bytes_of_all(layers) + added.size() * 64; }
};

// Of results: what is drawn belongs together, even while newer numbers are on their way.
struct StackScene {
  Frame& frame;
  const Results& results;
  StackMemo& memo;
  StackRows rows = StackRows::encoder;  // whose maps are there
  std::size_t layer = 0, head = 0, row = 0;

  StackView& view() const { return frame.view.of<StackView>(); }
  const StackStages& places() const { return *results.places.as<StackStages>(); }
  const Stage& stage(StageIndex index) const { return results.graph.stages[index]; }
  const Tensor& numbers(StageIndex index) const { return results.outputs[index].whole(); }
  bool decoder() const { return rows != StackRows::encoder; }
  const SideStages& side() const { return *places().side(decoder()); }
  StackBox box() const { return rows == StackRows::cross ? StackBox::cross : StackBox::attention; }
  std::size_t layers() const { return side().blocks.size(); }
  // The weights of a layer's maps; null: its box is off.
  const LayerStages* attention(std::size_t of_layer) const;
  // As it is computed: the document's own, or the one that is made over A.
  const StackSpec& spec() const { return *stack; }
  std::shared_ptr<const StackSpec> stack;
};
// None before the first results.
std::optional<StackScene> stack_scene(Frame& frame);

// ‖what a box of a side added‖ ÷ ‖the stream before it‖, measured once; none of a box that is off.
std::optional<double> share_of(const StackScene& scene, bool decoder, const BoxStages& box);

// Why a side of so many tokens has none: a sentence, or several, that may follow a colon.
std::string why_no_rollout(StackRows rows, std::size_t tokens);

// What commands and panels look at: the rows' side as far as the stack has it.
StackRows shown_rows(const StackStages& places, const View& view);
// Moves to a layer, to a box of it, to a row.
void look_at_layer(const StackScene& scene, std::size_t layer);
// The wheel over the area: a notch is a layer; where there is none to go to the canvas scrolls.
void turn_layers(const StackScene& scene, Rect area);
void look_at_row(const StackScene& scene, std::size_t row);

// The lit box as it is opened, with what it reads in front; its controls in place of the stack's. False: none
// is opened, or it is off.
bool draw_opened_box(Frame& frame, Rect canvas);
bool draw_opened_controls(Frame& frame, Column column);
// The lit box of a side and a layer; null where it is off or the layer has none.
const BoxStages* lit_box(const StackStages& places, const View& view);
void opened_box_commands(std::vector<Command>& table, const Desk& desk);
bool let_go_of_box(View& view);

void draw_architecture(StackScene& scene, Rect area);
void draw_layer_rows(StackScene& scene, Rect area);
void draw_rank_residual(StackScene& scene, Rect area);
void draw_last_layer(StackScene& scene, Rect area);
void draw_rollout(StackScene& scene, Rect area);
void draw_decoding(StackScene& scene, Rect area);
void decoding_commands(std::vector<Command>& table, const Desk& desk);
void draw_other_weights(StackScene& scene, Rect area);
// Sections of the inspector with a file of their own.
void inspect_gradient_by_depth(Frame& frame, inspector::Flow& flow);

}  // namespace attn
