// What the checks of one softmax are made of. For sources of this folder only.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/checks/checks.h"
#include "core/evaluate/strongest.h"
#include "core/operations/mask.h"
#include "core/operations/mask_rules.h"

namespace attn::checking {

// One row of weights and what belongs to it; spans of what is missing are empty.
struct WeightRow {
  std::span<const float> weights, input, mask;
  std::size_t head = 0, query = 0;

  bool masked(std::size_t key) const { return !mask.empty() && mask[key] != 0; }
};

// A row of a matrix of the stack; none of what is missing.
std::span<const float> row_of(const Tensor* tensor, std::size_t matrix, std::size_t row);

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

// What the checks of one stage of weights read; null where it is missing.
struct Softmax {
  const Tensor* weights = nullptr;
  const Tensor* input = nullptr;  // none: every key is left
  const Tensor* mask = nullptr;
  EmptyRow empty_row = EmptyRow::zeros;
  RowTotal promised = RowTotal::any;
  double rounding = 0;  // what a format explains of how far sums are off
  bool gaps = false;    // a row of NaN says that it has no weights
};

// The checks of one stage of weights, of rows that may come one after another.
class SoftmaxCheck {
 public:
  // `results`: the layer's own.
  SoftmaxCheck(const Results& results, StageIndex weights);
  // Rows of it, from `first` on, that are stage `weights` of these results, where they are here. Asks
  // `give_up` before each row; false when it says yes.
  bool add(const Results& results, StageIndex weights, std::size_t first = 0,
           const std::function<bool()>& give_up = {});
  SoftmaxChecks seen() const;

 private:
  void add(const Softmax& softmax, const WeightRow& row);

  SoftmaxChecks checks_;                   // all but what follows
  std::vector<Entropy> entropies_;         // sums over the rows of each head
  std::vector<Columns> columns_;           // of each head
  std::vector<StrongestLinks> strongest_;  // of each head, where weights are not kept
  std::optional<CausalRule> rule_;         // where it looks ahead
  Shape shape_;                            // of all rows
  std::size_t rows_ = 0;
};

// Whether it is weights whose rows are checked.
bool promises_sums(const Stage& stage);

// Of one stage that is here; none where all is well.
std::optional<StageFaults> faults_at(const Results& results, StageIndex stage);

// Every user's mask of the graph compared with the rules; nothing when it was told to give up.
std::optional<std::vector<MaskCheck>> check_masks(const Results& results,
                                                  const std::function<bool()>& give_up);

}  // namespace attn::checking
