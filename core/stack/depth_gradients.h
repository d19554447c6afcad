// Gradient by depth: how large ∂L/∂x is at the entry of each layer of fresh stacks, whose norms stand before
// the boxes, after them or nowhere (Xiong et al. 2020).
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/backend/backend.h"
#include "core/transformer/made.h"

namespace attn {

inline constexpr std::size_t kDepthLayers = 12, kMostDepthTokens = 64;
// Of a fresh stack, so that it is drawn and run in a moment.
inline constexpr std::size_t kMostDepthNumbers = std::size_t{1} << 24;
inline constexpr std::array kDepthNorms{NormAt::before, NormAt::after, NormAt::none};

// What it is about: an encoder of one block without weights, over the first tokens of the side of a stack
// that reads first, with that side's masks and the stack's choices.
struct DepthTask {
  StackSpec pattern = {};
  StackSizes sizes = {};
  bool operator==(const DepthTask&) const = default;
};
DepthTask depth_task(const StackSpec& stack);

// Block `layer` of the fresh stack, drawn by the pattern's seed and its place: the same for all norms, which
// begin with gains of 1.
StackBlock fresh_block(const DepthTask& task, std::size_t layer);
// With these blocks. A final norm stands where norms come before the boxes, as nothing else bounds the
// stream.
StackSpec fresh_stack(const DepthTask& task, std::vector<StackBlock> blocks, NormAt at);

// ‖∂L/∂x‖ of the entry of every layer, L = Σ G ⊙ output with G from N(0, 1) by a seed of its own. Not finite
// where numbers overflow.
struct DepthCurve {
  NormAt at = NormAt::before;
  std::vector<double> norms = {};
  double first_over_last() const { return norms.front() / norms.back(); }
};
struct DepthGradients {
  std::vector<DepthCurve> curves = {};  // as far as they are found, as kDepthNorms has them
};

// With all that these stages read: for Run::needed.
std::vector<bool> with_all_read(const Graph& graph, std::vector<bool> needed);

// What finds them, a piece at a time: a block is drawn, a stage is run. Each may have another backend.
class DepthRun {
 public:
  // Throws Error, saying what is too large.
  explicit DepthRun(DepthTask task);
  ~DepthRun();
  DepthRun(const DepthRun&) = delete;
  DepthRun& operator=(const DepthRun&) = delete;

  // The next piece; whether it was the last. Throws what building and the backend throw.
  bool step(DepthGradients& found, Backend& backend);

 private:
  struct Curve;

  DepthTask task_;
  std::vector<StackBlock> blocks_ = {};
  std::unique_ptr<Curve> curve_;  // of the next one; none: before it is begun
};

}  // namespace attn
