// One side of a stack while its stages are appended: what graph.cpp and boxes.cpp share.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/transformer/graph.h"

namespace attn {

struct SideBuilder {
  Graph& graph;
  const StackSpec& stack;
  const StackSide& side;
  bool decoder = false;
  std::optional<StageIndex> memory = {};
  Labels memory_tokens = {};
  Axis tokens = {}, feature{"feature"};
  std::size_t step = Stage::kNoStep, block = 0;

  std::string name() const { return decoder ? "decoder" : "encoder"; }
  StageIndex add(Stage stage);
  // The stages of the block that is appended; of the side itself.
  void begin_block(const std::string& more = {});
  void begin_side();
  // Of the document's tensor `field`, if it is its stack that is built.
  StageIndex given(std::string id, std::string symbol, const Tensor& tensor, std::string field,
                   std::string sentence);
  // A row for each token, to be completed.
  Stage row(std::string id, std::string title, std::string formula, Operation operation,
            std::vector<StageIndex> inputs, std::string sentence) const;
  // `weights`: what its gain and bias are called after; `part`: the key of both.
  StageIndex append_norm(StageIndex from, const NormWeights& norm, std::string id, std::string title,
                         const std::string& weights, const std::string& part);
};

// The boxes of a block over the stream.
BlockStages append_block(SideBuilder& b, const StackBlock& block, StageIndex from);

// Where the attention of each side goes over all of its layers.
void append_rollouts(Graph& graph, StackStages& stages);

}  // namespace attn
