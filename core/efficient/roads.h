// The roads around n², each computed plainly in double from one head's queries, keys and values, beside exact
// attention: what it keeps, what comes out, and how far that is from exact.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/efficient/graph.h"
#include "core/efficient/part.h"
#include "core/efficient/reach.h"
#include "core/evaluate/results.h"
#include "core/operations/flash.h"

namespace attn {

inline constexpr std::size_t kRoads = 9;

// One head of a layer.
struct RoadHead {
  std::size_t queries = 0, keys = 0, width = 0, value_width = 0;
  std::vector<double> q = {}, k = {}, v = {};  // row after row
  std::vector<double> bias = {};               // of each pair; empty: none
  PairSet allowed = {};                        // what the layer's own mask leaves
  std::vector<double> weights = {};            // as the layer makes them, where no softmax of scores does
  FlashAttention op = {};                      // scale, cap, softmax-1, empty rows, the first query's place
  bool own_tokens = true;                      // keys are those of the queries, in the next layer too
};
// None where a number of it is not here.
std::optional<RoadHead> road_head(const Results& results, const EfficientPlaces& places, std::size_t head);

// What attention gives; NaN where it has no value.
struct Attended {
  std::vector<double> weights = {}, output = {};
};
// Of these pairs alone, by a softmax over each row.
Attended attend(const RoadHead& head, const PairSet& kept);
// The same, `columns` keys at a time with a running maximum and sum.
Attended attend_by_tiles(const RoadHead& head, std::size_t columns);
// The weights that linear attention stands for, φ(q)·φ(k) ÷ z, and what they collect.
Attended attend_linear(const RoadHead& head, FeatureKind kind, const Tensor& directions = {});

// What of a map's numbers its colours tell apart: up to the largest, or the 97th percentile of their sizes
// where that is less, and the share of them beyond it.
struct MapRange {
  double most = 0, beyond = 0;
};
MapRange map_range(const std::vector<double>& numbers);

// Differences of a layer's numbers in double below it are nothing else.
inline constexpr double kRoundingAlone = 1e-12;

// One road beside exact attention. Differences are its numbers less the exact ones.
struct RoadFound {
  std::string obstacle = {};        // why the layer cannot go it; the rest is empty then
  Tensor pattern = {};              // 1×n×m: −1 where a pair is kept, which maps show blue
  Tensor weights = {};              // 1×n×m
  Tensor weights_off = {};          // 1×n×m
  Tensor output_off = {};           // 1×n×d_v
  double largest_weight = 0;        // that is a number
  MapRange weights_range = {};      // of the differences
  std::vector<double> errors = {};  // of each token the largest of its output; NaN where it has none
  double error = 0;                 // the largest of all that have one
  std::size_t undefined = 0;        // tokens without
  std::size_t pairs = 0;            // that are kept
  std::optional<double> density = {};
  std::optional<std::size_t> reach = {};
  std::vector<std::size_t> kept_keys = {}, allowed_keys = {};  // of each query
  std::vector<double> held = {};  // how much of each query's exact weight the kept keys hold
  std::size_t bytes() const;
};

// The roads one after the other.
class RoadWork {
 public:
  RoadWork(RoadHead head, const EfficientSpec& spec, const LayerSpec& layer);
  bool is_done() const { return next_ == kRoads; }
  // The next road; which one it was is its place in the array.
  void step(std::array<std::optional<RoadFound>, kRoads>& found);

 private:
  RoadFound find(Road road) const;

  RoadHead head_;
  EfficientSpec spec_;
  std::array<std::string, kRoads> obstacles_;
  Attended exact_;
  std::size_t next_ = 0;
};

// The largest errors of random features by `count` seeds from the spec's on.
std::vector<double> errors_by_seed(const RoadHead& head, const EfficientSpec& spec, std::size_t count);

}  // namespace attn
