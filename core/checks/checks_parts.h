// What the checks of one softmax are made of. For checks*.cpp only.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/checks/checks.h"

namespace attn::checking {

// One row of weights and what belongs to it; spans of what is missing are empty.
struct WeightRow {
  std::span<const float> weights, input, mask;
  std::size_t head = 0, query = 0;

  bool masked(std::size_t key) const { return !mask.empty() && mask[key] != 0; }
};

// Takes a row with so many keys left into account.
void check_saturation(const WeightRow& row, std::size_t left, const Entropy& entropy,
                      RowSaturation& saturation);

// Sums of the columns of one head.
class Columns {
 public:
  explicit Columns(std::size_t keys) : sums_(keys), most_(keys) {}
  void add(const WeightRow& row);
  // The column with more than half of it all, if there is one.
  void find_sink(std::size_t head, std::vector<AttentionSink>& sinks) const;

 private:
  struct LargestWeight {
    float weight = 0;
    std::size_t query = 0;
  };
  std::vector<double> sums_;
  std::vector<LargestWeight> most_;
};

// Every user's mask of the graph compared with the rules; nothing when it was told to give up.
std::optional<std::vector<MaskCheck>> check_masks(const Results& results,
                                                  const std::function<bool()>& give_up);

}  // namespace attn::checking
