// What of each workspace a person looks at: parts of the View.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "core/cost/kinds.h"

namespace attn {

// What of the encodings is looked at.
struct PositionsView {
  std::size_t p = 17;  // the position, and how far the other one is
  std::ptrdiff_t delta = 5;
  std::size_t rows = 1;  // positions that there are
  double turned = 0;     // positions on the way to the next whole one
  enum Shown { weights, scores, difference, distance } shown = weights;  // in the scores
  bool operator==(const PositionsView&) const = default;
};

// What of kernel regression is looked at.
struct KernelsView {
  double q = 2.4;                            // the query; estimates are known at the nearest one
  std::size_t shown = 0;                     // the curve that weights are shown of
  std::size_t value = 0;                     // of points that have several: that is drawn
  std::optional<std::size_t> selected = {};  // row of the points
  bool truth = true, weights = true;         // drawn: the true curve; kernel, stems and shades
  bool operator==(const KernelsView&) const = default;
};

// What of the softmax is looked at.
struct SoftmaxView {
  std::optional<std::size_t> key = {};  // selected: its score is typed, it is removed and masked by keys
  double swept = 0;                     // of the way from the least temperature to the largest, while playing
  bool operator==(const SoftmaxView&) const = default;
};

// A number of a layer's cost: of a stage, or of attention as a whole, its operations or its bytes.
struct OpenedCost {
  MechanismKind mechanism = MechanismKind::full;
  std::optional<CostStage> stage = std::nullopt;
  bool held = false;
  bool operator==(const OpenedCost&) const = default;
};

// What of the costs is looked at.
struct CostView {
  OpenedCost opened = {.stage = CostStage::scores};  // in the inspector
  std::size_t longest = 8192;                        // n that is measured
  bool operator==(const CostView&) const = default;
};

// What of the heads is looked at, beside the head that is shown large in all workspaces.
struct HeadsView {
  std::size_t row = 0;  // of the large map, whose weights are listed
  bool operator==(const HeadsView&) const = default;
};

// What of two layers is looked at.
struct CompareView {
  bool controls_a = false;  // the controls are those of A, else of the layer beside it
  bool operator==(const CompareView&) const = default;
};

struct Results;

// The Pipeline's layer as it was when a person pinned it, and whether that is what is drawn now.
struct BeforeView {
  std::shared_ptr<const Results> results = {};  // null: nothing is pinned
  bool shown = false;
  bool operator==(const BeforeView&) const = default;
};

}  // namespace attn
