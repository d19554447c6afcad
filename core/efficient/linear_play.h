// Linear attention as a recurrent network, in double: a state of a fixed size that each key is added to, and
// what the queries read of it, beside exact attention.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/operations/features.h"
#include "core/operations/mask_rules.h"
#include "core/tensor/tensor.h"

namespace attn {

// One head of a layer, and what its queries and keys are taken to.
struct LinearTask {
  Tensor q, k, v;        // h×n×d, g×m×d, g×m×c
  std::size_t head = 0;  // of q; consecutive ones share keys and values
  FeatureKind kind = FeatureKind::elu_plus_one;
  std::size_t directions = 0;          // of random features
  std::uint64_t seed = 0;              // of those
  double scale = 1;                    // of the scores, whose exponentials the features stand for
  std::vector<std::size_t> seen = {};  // of each query: how many of the first keys

  std::size_t queries() const { return q.rows(); }
  std::size_t keys() const { return k.rows(); }
  std::size_t columns() const { return v.columns(); }
  std::size_t features() const { return kind == FeatureKind::random ? directions : q.columns(); }
  // Behind the last key that some query sees.
  std::size_t last() const;
  double value(std::size_t key, std::size_t column) const;
  bool operator==(const LinearTask&) const = default;
};

// How many of the first keys the rules leave to each query. None where they leave others than the first.
std::optional<std::vector<std::size_t>> first_keys(const std::vector<MaskTerm>& masks, std::size_t queries,
                                                   std::size_t keys);

// φ of every query and every key, a row each.
struct LinearFeatures {
  std::size_t width = 0;
  std::vector<double> queries = {}, keys = {};
  const double* query(std::size_t i) const { return &queries[i * width]; }
  const double* key(std::size_t j) const { return &keys[j * width]; }
  std::size_t bytes() const { return (queries.capacity() + keys.capacity()) * sizeof(double); }
};
LinearFeatures features_of(const LinearTask& task);

// Σ φ(k)vᵀ, r×c, and z = Σ φ(k) over the keys so far.
struct RecurrentState {
  std::vector<double> s = {}, z = {};
};
// `kept`: the states after 0, kKeptStates, 2·kKeptStates … keys, as far as they are known.
inline constexpr std::size_t kKeptStates = 64;
RecurrentState state_after(const LinearTask& task, const LinearFeatures& features, std::size_t keys,
                           std::span<const RecurrentState> kept = {});
void add_key(const LinearTask& task, const LinearFeatures& features, std::size_t key, RecurrentState& state);

// φ(q)·φ(k) ÷ φ(q)·z, n×m: 0 where a key is not seen, NaN in the row of a query that has no output.
std::vector<double> implied_weights(const LinearTask& task, const LinearFeatures& features);

// What is read, a row for each query. One that sees no key has the output 0; one whose φ(q)·z is 0 though it
// sees some has none: NaN.
struct LinearReadings {
  std::vector<double> outputs = {}, exact = {};  // n×c
  std::vector<double> divisors = {};             // φ(q)·z
  std::vector<double> errors = {};               // the largest over the columns
  std::vector<RecurrentState> kept = {};         // as state_after takes them
};
// The outputs by prefix sums of every φ(k)vᵀ, which know of no recurrence, held against those of it.
struct PrefixCheck {
  double distance = 0;
  double accepted = 0;  // as far as rounding may take both
};

// All of it in pieces of some milliseconds.
class LinearPlayer {
 public:
  explicit LinearPlayer(LinearTask task);
  // Whether that was the last.
  bool step();

  const std::shared_ptr<const LinearTask>& task() const { return task_; }
  const std::shared_ptr<const LinearFeatures>& features() const { return features_; }
  const LinearReadings& readings() const { return readings_; }  // all there once are_read()
  bool are_read() const { return next_key_ > task_->last(); }
  const std::optional<PrefixCheck>& check() const { return check_; }

 private:
  void make_features();
  void take_key();
  void read(std::size_t query);
  void begin_check();
  void check_column(std::size_t column);

  std::shared_ptr<const LinearTask> task_;
  std::shared_ptr<const LinearFeatures> features_ = {};
  RecurrentState state_;
  LinearReadings readings_;
  std::vector<std::vector<std::size_t>> readers_;  // of the state after so many keys
  Tensor directions_;
  LinearFeatures made_;
  std::size_t next_row_ = 0, next_key_ = 0, next_column_ = 0;
  PrefixCheck checked_;
  std::vector<double> divisors_;  // by prefix sums
  std::optional<PrefixCheck> check_ = {};
};

}  // namespace attn
