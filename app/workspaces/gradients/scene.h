// What the parts of the workspace of gradients share: the layer's stages with their gradients, what is pinned
// of them, and where each part lies. Private to app/workspaces/gradients.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/fitted_grid.h"
#include "app/canvas/shelf.h"
#include "app/fields/fields.h"
#include "app/inspector/inspector_numbers.h"
#include "app/plot/plot.h"
#include "app/widgets/chips.h"
#include "app/workspaces/gradients/view.h"
#include "core/gradients/graph.h"

namespace attn {

// Where the parts lie, from the content's top left corner.
struct GradientsAreas {
  Rect projected, attention, size, proof, noise, descend;
  ImVec2 content{};
};

// Of results: what is drawn belongs together, even while newer numbers are on their way.
struct GradientsScene {
  Frame& frame;
  const Results& results;
  const GradientsSpec& spec;
  std::size_t head = 0;

  GradientsView& view() const { return frame.view.of<GradientsView>(); }
  GradientsSpec& draft() const { return frame.draft.gradients; }
  const GradientsPlaces& places() const { return *results.places.as<GradientsPlaces>(); }
  const Stage& stage(StageIndex index) const { return results.graph.stages[index]; }
  const Tensor& numbers(StageIndex index) const { return results.outputs[index].whole(); }
  // The pinned number, else the one pointed at, as far as it is the layer's or a gradient: the stage that the
  // gradient is of, and the cell.
  struct Looked {
    StageIndex stage = 0;
    Cell cell;
  };
  std::optional<Looked> looked_at() const;
  // The input number that was clicked last; before that the first of X. None: nothing has a gradient.
  std::optional<Looked> input() const;
};
// None before the first results.
std::optional<GradientsScene> gradients_scene(Frame& frame);

// Beside the title of a matrix: how it is made, in terms of what the canvas shows; and which head's it is, or
// that it is of all. Empty: there is one head.
std::string matrix_formula(const GradientsScene& scene, StageIndex stage);
std::string matrix_heads(const GradientsScene& scene, StageIndex stage);
// What the canvas calls a matrix, and whoever speaks of its numbers: those that are weighed are its scores.
const std::string& matrix_title(const GradientsScene& scene, StageIndex stage);
// Which one of a stack of so many is shown: that which the head reads, where heads share them.
std::size_t matrix_head(const GradientsScene& scene, std::size_t stack);
// Pins a number, shows its head and scrolls to it. What the Pipeline shows stays as it is.
void pin_matrix_cell(const GradientsScene& scene, StageIndex stage, Cell cell);

// Pixels that the matrices take at least, to be read, in an area of this width.
float least_projected(const GradientsScene& scene, float width);
float least_attention(const GradientsScene& scene, float width);

// Of the number that is looked at, else of the input: how far its gradient lies from the difference. None:
// not found yet, or there is nothing to compare.
struct ProofVerdict {
  double error = 0;
  bool accepted = true;
  bool stale = false;
};
std::optional<ProofVerdict> proof_verdict(GradientsScene& scene);

// Where in such an area a stage stands with its gradient; all of the area where it does not.
Rect projected_place(const GradientsScene& scene, Rect area, StageIndex stage);
Rect attention_place(const GradientsScene& scene, Rect area, StageIndex stage);

void draw_projected(GradientsScene& scene, Rect area);
void draw_attention_pairs(GradientsScene& scene, Rect area);
void draw_sizes(GradientsScene& scene, Rect area);
void draw_proof(GradientsScene& scene, Rect area);
void draw_noise(GradientsScene& scene, Rect area);
void draw_descent(GradientsScene& scene, Rect area);

// The cell of the output that is pinned, there or in what is shown beneath it. None: another number is.
std::optional<Cell> pinned_output(const Results& results, const View& view);
// A one-hot loss is of the number that was pinned in this frame.
void aim_one_hot(Frame& frame);
void draw_loss_controls(Frame& frame, Column column);
// Where commands of this workspace stand; one that panels run.
inline constexpr const char* kGradientsMenu = "Edit/Gradients";
inline constexpr const char* kCompareWhatIf = "gradients.compare";

void gradients_chip(ChipRow& row, const SwitchField& field, bool& on);

// Each in the file of its part; draw_gradients_controls and gradients_commands call them.
void draw_proof_controls(Frame& frame, Column column);
void proof_commands(std::vector<Command>& table, const Desk& desk);
void descent_commands(std::vector<Command>& table, const Desk& desk);

}  // namespace attn
