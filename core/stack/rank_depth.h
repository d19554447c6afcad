// How much of the stream rank 1 misses behind every layer of a stack, by the reference: in double from end to
// end, as what doubly exponential decay leaves is beyond floats.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/transformer/graph.h"

namespace attn {

// The same weights over the same inputs: no box adds to what it read; and besides without feed-forward and
// norms.
StackSpec without_residual(StackSpec stack);
StackSpec attention_alone(StackSpec stack);

// Beyond so many multiply-adds, by and large half a minute, there is no reference.
inline constexpr double kMostInReference = 1e11;

// Of one side. Nothing is kept longer than it is read.
class RankRun {
 public:
  // Throws Error of a stack that makes no graph, or one that takes too long.
  RankRun(const StackSpec& stack, bool decoder);
  // Computes the next stage; whether the last layer's stream is there.
  bool step();
  // Of what goes in, then behind each layer, as far as they are there.
  const std::vector<std::optional<double>>& residuals() const { return residuals_; }

 private:
  void keep(StageIndex stage, Tensor64 numbers);

  Graph graph_;
  std::vector<StageIndex> streams_ = {};
  std::vector<std::size_t> readers_ = {};  // of each stage, that are still to come; 0: nobody asks for it
  std::vector<Tensor64> outputs_ = {};
  std::vector<std::optional<double>> residuals_ = {};
};

}  // namespace attn
