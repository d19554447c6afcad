// Gradients held against central differences in double.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/evaluate/weigh.h"
#include "core/gradient/gradients.h"
#include "core/system/progress_callback.h"

namespace attn {

inline constexpr double kNudge = 1e-5;               // h
inline constexpr double kDifferenceAccepted = 1e-6;  // of Difference::error
inline constexpr double kLeastScale = 1e-3;          // of a gradient’s largest

// Of one number: its gradient, (L(+h) − L(−h)) ÷ 2h, and how far they are apart: |a − b| ÷ max(|a|, |b|, a
// thousandth of that gradient's largest).
struct Difference {
  StageIndex stage = 0;
  Cell cell;
  double number = 0, gradient = 0, above = 0, below = 0;  // L(+h), L(−h)
  double quotient = 0, error = 0;
  double share = 0;      // of what is accepted: kDifferenceAccepted, or what rounding the losses explains
  bool crosses = false;  // a bend or a step lies between −h and +h: nothing is said
  double least_scale = 0, rounding = 0;  // that thousandth; of the quotient, by rounding the losses

  // The same beside another gradient of that number, such as a device's, which may be off by so much.
  Difference beside(double other, double accepted) const;
};

// Every stage in double, all at once.
Load load_in_double(const Graph& graph);

// Of gradients that were appended to a graph; all in double, from end to end. Refers to both.
class CentralDifferences {
 public:
  // What is made in pieces by prepare() before anything is asked.
  struct InPieces {};

  CentralDifferences(const Graph& graph, const Gradients& gradients);
  CentralDifferences(const Graph& graph, const Gradients& gradients, InPieces);

  // Computes the next stage; whether all are.
  bool prepare();

  double loss() const;
  // What it is with a number changed by that much.
  double loss_if(StageIndex stage, Cell cell, double change);
  // Stages without inputs that have a gradient: what is given and what was made from a seed.
  std::vector<StageIndex> inputs() const;
  // Of a number of any stage that has a gradient.
  Difference at(StageIndex stage, Cell cell, double h = kNudge);

  // The same in pieces.
  struct Nudge {
    StageIndex stage = 0;
    Cell cell;
    double h = kNudge;

    // What happens to a number that is made larger or smaller.
    struct Run {
      double loss = 0;
      std::vector<double> sides = {};  // of bends: on which every number lies; of steps: on which it stands
      std::size_t done = 0;            // stages
      std::vector<std::pair<StageIndex, Tensor64>> moved = {};  // that are others, ascending
    };
    std::array<Run, 2> runs = {};  // above, below
    std::size_t run = 0;
  };
  // Computes the next stage of the two; whether both have come to the loss.
  bool step(Nudge& nudge);
  Difference found(const Nudge& nudge) const;

 private:
  bool step(const Nudge& nudge, Nudge::Run& run, double change);
  const Tensor64& output(const Nudge::Run& run, StageIndex stage) const;
  const std::vector<StageIndex>& behind(StageIndex stage);

  const Graph& graph_;
  const Gradients& gradients_;
  std::vector<bool> asked_;  // what the loss and its gradients are made from
  std::vector<Tensor64> outputs_;
  std::vector<double> largest_;               // of each stage's gradient
  double rounding_ = 0;                       // of the loss, by that of its stages
  std::optional<StageIndex> behind_of_ = {};  // the stage that behind_ follow
  std::vector<StageIndex> behind_ = {};       // those that read it, directly or not, up to the loss
};

struct DifferenceCheck {
  std::size_t numbers = 0, crossed = 0, all = 0;
  std::optional<Difference> worst = {};
  bool accepted() const { return !worst || worst->share <= 1; }
};

// Every number of every input, nudged by h, in pieces. `beside`: what is compared in place of each
// difference; empty: that.
class EveryDifference {
 public:
  using Beside = std::function<Difference(const Difference&)>;
  EveryDifference(CentralDifferences& differences, const Graph& graph, Beside beside = {}, double h = kNudge);

  // Whether every number was looked at; a part of one more, otherwise.
  bool step();
  const DifferenceCheck& check() const { return check_; }

 private:
  bool begin();

  CentralDifferences& differences_;
  const Graph& graph_;
  Beside beside_;
  double h_ = kNudge;
  std::vector<StageIndex> inputs_;
  std::size_t input_ = 0, number_ = 0;  // that come next
  std::optional<CentralDifferences::Nudge> nudge_ = {};
  DifferenceCheck check_;
};

// All at once; where it is given up, those until then.
DifferenceCheck check_all(CentralDifferences& differences, const Graph& graph,
                          const ProgressCallback& progress = {});

}  // namespace attn
