// Weights as they are wanted of a head: painted, not computed. Edits of GradientsSpec::wanted that leave
// every row adding up to 1, or asking nothing.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/gradients/part.h"
#include "core/graph/graph.h"

namespace attn {

// The weights that are painted over.
struct PaintedHead {
  std::size_t queries = 0, keys = 0;
  Tensor mask = {};              // 1×n×m, nonzero where a key is masked; empty: none is
  Axis rows = {}, columns = {};  // for what is said of them

  Shape shape() const { return {1, queries, keys}; }
  bool masked(std::size_t query, std::size_t key) const {
    return !mask.empty() && mask[{0, query, key}] != 0;
  }
};

// As the document holds them; zeros where they do not fit any more, and painting begins anew.
Tensor wanted_of(const GradientsSpec& spec, const PaintedHead& head);
// Rows that are asked: those with any weight.
std::size_t rows_asked(const Tensor& wanted);

// Why they cannot be asked for, where they were painted before the mask was another, or typed into a file;
// empty: they can.
std::string wanted_refusal(const Tensor& wanted, const PaintedHead& head);

// Gives cells as much as the heaviest of their row has, or takes their weight away; then the rest of the row
// makes room, or gets it. A stroke leaves masked cells out; one over masked cells alone throws Error.
void paint_wanted(GradientsSpec& spec, const PaintedHead& head, std::span<const Cell> cells, bool on);

// One cell's share of its row, a twentieth more or less a notch. Throws Error where the cell is masked, or
// no other has weight to give or to take.
void turn_share(GradientsSpec& spec, const PaintedHead& head, Cell cell, double notches);

enum class WantedPattern { previous, itself, next };
// All weight on the token before (of the first: on itself), on the token itself, or on the one after it.
// Rows whose key is masked, or not there, ask nothing. Throws Error where that leaves none.
void paint_pattern(GradientsSpec& spec, const PaintedHead& head, WantedPattern pattern);

}  // namespace attn
