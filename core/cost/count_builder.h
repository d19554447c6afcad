// What the counts of the mechanisms are written with. For count*.cpp alone.
#pragma once

#include <initializer_list>

#include "core/cost/count.h"

namespace attn {

struct CostBuilder {
  explicit CostBuilder(const CostSpec& spec);

  const CostSpec& spec;
  // Heads that share keys and values are another number only where they do; so are m and the batch.
  CostFactor two{"2", 2}, n, m, d, h, h_kv, d_k, f, size, pairs;
  LayerCost layer;

  StageCost& at(CostStage stage) { return layer.stages[static_cast<std::size_t>(stage)]; }

  using Factors = std::vector<CostFactor>;
  // Of every sequence of the batch; `weights`: of the one set of parameters.
  CostTerm term(std::string_view what, Factors factors) const;
  CostTerm bytes(std::string_view what, Factors factors) const;
  CostTerm weights(std::string_view what, Factors factors) const;
  static CostFactor number(std::string_view symbol, Count value) { return {symbol, value}; }

  // A product of two matrices of so many multiply-adds; twice backward.
  void product(CostStage stage, std::string_view what, Factors multiply_adds);
  void operations(CostStage stage, std::string_view what, Factors factors);
  void moves(CostStage stage, std::initializer_list<CostTerm> terms);
  // What the stage makes; backward its gradient too.
  void holds(CostStage stage, std::string_view what, Factors factors);
  // The same, of what attention holds at once.
  void holds_at_once(std::string_view what, Factors factors);

 private:
  void twice_backward(CostTerm& term) const;
};

// The stages between Q, K, V and the heads' outputs.
void count_scores(CostBuilder& b);  // full, flash, window, strided
void count_linear(CostBuilder& b);
// All stages but the feed-forward.
void count_recurrent(CostBuilder& b);

}  // namespace attn
