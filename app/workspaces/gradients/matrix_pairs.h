// Stages with what is shown beneath them, in the same cells: which there are, and where they lie. Private to
// app/workspaces/gradients.
#pragma once

#include <vector>

#include "app/workspaces/gradients/scene.h"

namespace attn {

inline constexpr float kArrowGap = 30, kPairGap = 14;  // before a pair, with an arrow and without one

// A stage and what is shown beneath it; an arrow may lead to it from the pair before, and back.
struct MatrixPair {
  Grid above, beneath;
  bool arrow = false;
};

using MatrixPairs = std::vector<MatrixPair>;

// The upper matrices of the canvas, which lead to the queries, keys and values; with the projections in their
// place nothing leads from one to the other.
MatrixPairs projected_pairs(const GradientsScene& scene);
MatrixPairs attention_pairs(const GradientsScene& scene);

// In one line, or, where their numbers could not be read and would be in two, in two: beneath the others what
// an arrow leads to.
std::vector<MatrixPairs> in_lines(const GradientsScene& scene, MatrixPairs pairs, float width);
// Pixels that they take at least, to be read, in an area of this width.
float least_height(const GradientsScene& scene, MatrixPairs pairs, float width);
// One line side by side, all with rows of one height, each gradient right below its stage.
void place_pairs(const GradientsScene& scene, Rect area, MatrixPairs& pairs);
inline constexpr float kBetweenLines = 12;

}  // namespace attn
