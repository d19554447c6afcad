// Measures layers by the stages that a file gives.
#pragma once

#include <optional>
#include <vector>

#include "core/attention/layer.h"
#include "core/diagnosis/closeness.h"
#include "core/diagnosis/layer_runner.h"

namespace attn {

struct MeasuredLayer {
  double distance = 0;               // mean over the stages; ∞ where one has another shape, or is not there
  std::vector<double> stages = {};   // that were measured
  std::vector<char> within = {};     // each is within tolerance
  std::vector<Tensor> numbers = {};  // of the layer, of each that has the shape of yours
  std::vector<Shape> shapes = {};    // the same, whatever yours are; of none where it has no such stage
  std::vector<char> maskable = {};   // cells of it can be masked
  bool complete = true;              // false: given up, the distance is at least this
  bool reproduces = false;           // all are within tolerance
};

class StageMeter {
 public:
  StageMeter(std::vector<GivenStage> yours, Tolerance tolerance);

  // Only the first so many stages count from here on.
  void count_only(std::size_t stages) { count_ = stages; }
  // From here on heads that are cut by memory may be given as they were before (`as_given`).
  void accept_side_by_side() { side_by_side_ = true; }
  const std::vector<GivenStage>& yours() const { return yours_; }
  // Whether all counted stages of yours are numbers of that format.
  bool are_of(NumberFormat format) const;

  // Each counted stage of the layer, in their order. Gives up where one is not within tolerance and the mean
  // over all is sure to be above that. Throws Error where the layer makes no graph, and what the backend
  // throws.
  MeasuredLayer measure(Backend& backend, const LayerSpec& layer, std::optional<double> give_up_above = {});
  GivenNumbers numbers_of(const MeasuredLayer& measured) const;

 private:
  std::vector<GivenStage> yours_;
  Tolerance tolerance_;
  std::size_t count_;
  bool side_by_side_ = false;
  LayerRunner runner_;
};

}  // namespace attn
