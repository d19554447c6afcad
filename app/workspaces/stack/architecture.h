// The diagram of the stack as a list of boxes with their places. Private to app/workspaces/stack.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/workspaces/stack/scene.h"

namespace attn {

// A box of the diagram, or the sign of an addition.
struct DiagramBox {
  enum Kind { plain, function, sum, output, answer } kind = plain;
  std::string id;           // of its column: "attention"
  std::string text;         // "self-attention"
  std::string number = {};  // what it adds to the stream, as a share: "+.12"; of an answer how likely it is
  std::string tooltip = {};
  bool decoder = false;
  std::optional<StackBox> box = {};      // of a block, that a click lights
  std::optional<StageIndex> stage = {};  // of no block: what a click goes to the step of
  bool off = false;
  Rect place{};
};

// Where a residual leaves the stream and comes back, by the places of boxes in the column.
struct DiagramResidual {
  std::size_t from = 0, to = 0;
};

struct DiagramColumn {
  bool decoder = false;
  std::vector<DiagramBox> boxes;
  std::vector<DiagramResidual> residuals;
  std::size_t first_of_block = 0, end_of_block = 0;    // what the frame of a layer is around
  std::optional<std::size_t> cross = {}, memory = {};  // where the memory comes in; where it leaves
};

// Of one layer of each side: the one that is looked at, or the last that the side has.
std::vector<DiagramColumn> diagram_of(const StackScene& scene);

// What is lit, its shape, weights, operations and what it adds; where it opens.
void draw_lit_facts(StackScene& scene, Rect area);
// Squares of the layers of the shown side.
float draw_layer_squares(StackScene& scene, Rect area);

// "self-attention"; a decoder's sees no later token.
inline const char* box_title(bool decoder, StackBox box) {
  if (box == StackBox::feed_forward) return "feed-forward";
  if (box == StackBox::cross) return "cross-attention";
  return decoder ? "causal attention" : "self-attention";
}

}  // namespace attn
