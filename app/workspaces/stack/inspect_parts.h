// What of the stack the inspector opens, and the blocks that it draws of it. Private to app/workspaces/stack.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/inspector/inspector_flow.h"
#include "app/workspaces/stack/scene.h"

namespace attn {

// A stage as the stack's builder knows it: what a norm made, or the stream between two boxes.
struct StackPlace {
  enum What { norm, stream } what = stream;
  bool decoder = false;
  std::size_t block = 0;  // that it is of, or that reads it
  StageIndex stage = 0;
};
std::optional<StackPlace> stack_place(const Results& results, StageIndex stage);

// The stage that the lit box's norm made, or, where it has none, the stream behind the box.
StageIndex lit_stage(const BlockStages& block, StackBox lit);

// One number of a norm in double, from the numbers that it read (Ba, Kiros, Hinton 2016; of RMSNorm the mean
// is 0 and the spread is around 0, Zhang, Sennrich 2019).
struct NormNumber {
  double x = 0, mean = 0, spread = 0;  // the spread is σ², without ε
  double epsilon = 0, normed = 0;
  std::optional<double> gain = {}, bias = {};
  double result = 0;
};
struct NormMade {
  NormKind kind = NormKind::layer;
  double epsilon = 0;
  bool centred() const { return kind == NormKind::layer; }
};
NormNumber norm_number(const NormMade& norm, std::span<const float> row, std::size_t feature,
                       std::optional<double> gain, std::optional<double> bias);

// A row of the stage's numbers, which are here.
std::span<const float> stack_row(const Results& results, StageIndex stage, std::size_t row);

// The blocks, from top to bottom.
void draw_norm_number(inspector::Flow& flow, const Results& results, const NormMade& norm, StageIndex stage,
                      Cell cell);
void draw_writes(inspector::Flow& flow, const Results& results, const StackPlace& place, Cell cell);
// What the number adds to Q, K and V of the head, or to the numbers of whatever else multiplies it.
void draw_head_legs(inspector::Flow& flow, const Results& results, StageIndex stage, Cell cell,
                    std::size_t head);
// The keys that a row of those weights goes to, the largest first.
void draw_row_keys(inspector::Flow& flow, const Results& results, StageIndex weights, std::size_t head,
                   std::size_t row);

}  // namespace attn
