// Runs many layers that are nearly the same: each stage that one asks for is computed once for all of them.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "core/backend/backend.h"
#include "core/graph/graph.h"

namespace attn {

class LayerRunner {
 public:
  // A layer's graph, computed as far as it was asked for.
  struct Running {
    Graph graph;
    std::vector<Tensor> outputs = {};  // by stage; empty: not yet
  };
  Running begin(Graph graph);
  // The numbers of a stage, here. Throws what the backend throws.
  Tensor numbers(Backend& backend, Running& layer, StageIndex stage);

 private:
  struct Entry {
    Operation operation;
    std::vector<TensorId> inputs;
    Tensor output;
    std::size_t hash = 0;
  };
  using Entries = std::list<Entry>;  // most recently used first

  Tensor known(const Tensor& given);
  void compute(Backend& backend, Running& layer, StageIndex stage);
  Tensor run(Backend& backend, const Stage& stage, std::vector<Tensor> inputs);
  Entry* find(std::size_t hash, const Operation& operation, const std::vector<TensorId>& inputs);
  void remember(Entry entry);
  void clear();

  // Layers are edited from one: what they are given they share but for what was made anew, whose numbers
  // come again with the next layer that has the same mistake.
  std::unordered_map<TensorId, Tensor> given_;
  std::unordered_multimap<std::size_t, Tensor> given_numbers_;  // by a hash of them
  Entries entries_;
  std::unordered_multimap<std::size_t, Entries::iterator> index_;
  std::size_t bytes_ = 0;
  bool one_by_one_ = false;  // the device failed at several at once: where it fails the reference may step in
};

}  // namespace attn
