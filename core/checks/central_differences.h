// Gradients held against central differences in double.
#pragma once

#include <optional>
#include <vector>

#include "core/gradient/gradients.h"
#include "core/system/progress_callback.h"

namespace attn {

// Of one number: its gradient, (L(+h) − L(−h)) ÷ 2h, and how far they are apart: |a − b| ÷ max(|a|, |b|, a
// thousandth of that gradient's largest).
struct Difference {
  StageIndex stage = 0;
  Cell cell;
  double gradient = 0, above = 0, below = 0;  // L(+h), L(−h)
  double quotient = 0, error = 0;
  double share = 0;      // of what is accepted: kDifferenceAccepted, or what rounding the losses explains
  bool crosses = false;  // a bend or a step lies between −h and +h: nothing is said
};

inline constexpr double kNudge = 1e-5;               // h
inline constexpr double kDifferenceAccepted = 1e-6;  // of Difference::error

// Of gradients that were appended to a graph; all in double, from end to end.
class CentralDifferences {
 public:
  CentralDifferences(const Graph& graph, const Gradients& gradients);

  double loss() const;
  // Stages without inputs that have a gradient: what is given and what was made from a seed.
  std::vector<StageIndex> inputs() const;
  // Of a number of any stage that has a gradient.
  Difference at(StageIndex stage, Cell cell, double h = kNudge);

 private:
  struct Run {
    double loss = 0;
    std::vector<double> sides;  // of bends: on which every number lies; of steps: on which it stands
  };
  Run run(StageIndex stage, Cell cell, double change);
  const std::vector<StageIndex>& behind(StageIndex stage);

  const Graph& graph_;
  const Gradients& gradients_;
  std::vector<Tensor64> outputs_;
  std::vector<double> largest_;               // of each stage's gradient
  double rounding_ = 0;                       // of the loss, by that of its stages
  std::optional<StageIndex> behind_of_ = {};  // the stage that behind_ follow
  std::vector<StageIndex> behind_ = {};       // those that read it, directly or not, up to the loss
};

struct DifferenceCheck {
  std::size_t numbers = 0, crossed = 0;
  std::optional<Difference> worst = {};
  bool accepted() const { return !worst || worst->share <= 1; }
};

// Every number of every input; where it is given up, those until then.
DifferenceCheck check_all(CentralDifferences& differences, const Graph& graph,
                          const ProgressCallback& progress = {});

}  // namespace attn
