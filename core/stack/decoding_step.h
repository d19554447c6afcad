// The graph of one step of decoding. Private to core/stack.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "core/graph/graph.h"
#include "core/stack/decoding.h"

namespace attn {

struct StepBuilder {
  const StackSpec& stack;
  const CrossRows& cross;
  std::size_t room;

  Graph graph = {};
  StageIndex input = 0, place = 0, output = 0;
  std::vector<StepLayer> layers = {};
  std::vector<PlacedStage> placed = {};
  std::size_t block = 0;

  void build();

 private:
  StageIndex add(Operation operation, std::vector<StageIndex> inputs = {});
  // One whose operation is another at each place.
  StageIndex add_placed(std::function<Operation(std::size_t)> at, std::vector<StageIndex> inputs);
  StageIndex given(const Tensor& tensor) { return add(Source{tensor}); }
  StageIndex project(StageIndex from, const Tensor& w, const Tensor& b, std::size_t heads = 1);
  StageIndex normed(StageIndex from, const NormWeights& norm);
  StageIndex turned(StageIndex from);
  StageIndex kept(StageIndex row);
  StageIndex joined(const LayerSpec& layer, StageIndex heads);
  // With the weights of all keys behind, where they are wanted.
  StageIndex attended(const LayerSpec& layer, const Position& position, std::array<StageIndex, 3> qkv,
                      bool weights);
  StageIndex self_attention(const StackBlock& of, StageIndex from);
  StageIndex cross_attention(const StackBlock& of, StageIndex from);
  StageIndex feed_forward(const StackBlock& of, StageIndex from);
  StageIndex function(const StackBlock& of, StackBox box, StageIndex from);
  StageIndex box(const StackBlock& of, StackBox which, std::size_t number, StageIndex from);
};

}  // namespace attn
