// What `trace` writes of a stack besides its stages: measures over depth, and the gradients of its parameters
// by PyTorch's names.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/gradient/gradients.h"
#include "core/transformer/graph.h"

namespace attn {

// An array that is made of stages, a part of it as each of them comes.
struct MadeArray {
  std::string name, formula;
  std::vector<std::size_t> shape;
  std::vector<StageIndex> of = {};
  // Puts what comes of the stage of[part] into the array's numbers, which begin as zeros.
  std::function<void(std::size_t part, const Tensor& stage, std::span<float> numbers)> put = {};

  std::size_t size() const;
};

// Such arrays while their stages come, each let go when it is complete.
class MadeArrays {
 public:
  explicit MadeArrays(std::vector<MadeArray> arrays);
  bool empty() const { return arrays_.empty(); }
  // Bytes of numbers that lie here at once, at most; stages come in the graph's order.
  std::uint64_t weight() const;
  // Of their file.
  std::uint64_t file_size() const;
  using Done = std::function<void(const MadeArray&, std::span<const float> numbers)>;
  void take(StageIndex stage, const Tensor& output, const Done& done);

 private:
  struct Filling {
    MadeArray array;
    std::vector<float> numbers = {};
    std::size_t left = 0;  // parts
  };
  std::vector<Filling> arrays_;
};

// rank_residual and alike of the encoder, or of a decoder alone: a number for what goes in and one for each
// block's stream, NaN where there is none; with both sides decoder.rank_residual and decoder.alike as well.
std::vector<MadeArray> depth_arrays(const StackStages& stages);

// loss; "d_" and PyTorch's name of each parameter that the loss depends on, shaped and packed as there; d_x,
// or d_source and d_target.
std::vector<MadeArray> gradient_arrays(const Graph& graph, const StackStages& stages, const StackSpec& stack,
                                       const Gradients& gradients);

}  // namespace attn
