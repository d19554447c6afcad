// The roads on the clock: each with its kernel, of random numbers, at a number of tokens of its own.
#pragma once

#include <string>
#include <vector>

#include "core/efficient/part.h"
#include "core/measure/measure.h"

namespace attn {

inline constexpr int kRoadRounds = 9;  // of which the median is told

// What is measured: the layer's heads with these settings. Times are of it alone.
struct RoadsMeasured {
  std::size_t n = 0, heads = 1, kv_heads = 1, width = 0;
  bool causal = false;
  EfficientSpec spec = {};
  bool operator==(const RoadsMeasured&) const = default;
};

// The subject of its points: "full", "bigbird".
std::string road_subject(Road road);

// Why it is not measured: "heads are 300 wide; it takes at most 256". Empty: it is, where it fits the memory.
std::string road_not_measured(const RoadsMeasured& of, Road road);

// Of the roads that can be, in the spec's order.
Measurement measure_roads(const RoadsMeasured& of, MeasureSurroundings surroundings = this_machine());

}  // namespace attn
