// Comparison: how far computed results lie from the same graph on the reference. Computed, never assumed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/evaluate/results.h"

namespace attn {

struct Comparison {
  // Why there are no distances: "this is the reference itself", "not compared: …". Empty when there are.
  std::string reason;
  bool is_reference = false;

  // |a − b| over all stages that are shown or written; ∞ where NaN or ∞ in one is not the same in the other.
  double largest = 0;
  StageIndex largest_stage = 0;
  Cell largest_cell;
  std::vector<double> stages;  // the largest |a − b| of each stage; 0 where nothing was computed
  // Of a layer too large for more: how many of its queries were compared; else 0 of 0.
  std::size_t rows_compared = 0, rows = 0;

  // The largest |a − b| ÷ accepted_distance(b) over all cells, b on the reference; at most 1 when all is
  // well. Where roundings add up to more, b is made of what the device gave the stage: so a fault alone is
  // over 1, at the stage that made it.
  double excess = 0;
  StageIndex excess_stage = 0;
  Cell excess_cell;
  bool accepted() const { return excess <= 1; }
};

// |a − b|; 0 for equal infinities and for two NaN, ∞ where NaN or ∞ in one is not the same in the other.
double distance(double a, double b);
// 2e-6 + 2e-5·|reference|: what rounding may explain after many stages. A stage that is rounded to a format
// may be one step of the format away besides.
double accepted_distance(double reference);

// Multiply-adds, one for each number of the elementwise stages, ten for an exponential: what the reference
// has to do for an operation, for a stage, or for all that were computed.
double operation_count(const Operation& operation, Shapes inputs, Shape result);
double operation_count(const Graph& graph, StageIndex stage);
double operation_count(const Operation& operation, const std::vector<Shape>& inputs);
double operation_count(const Results& results);

inline constexpr double kMostComparedOperations = 50e6;

// Runs the graph on the reference, stage by stage from the reference's own results, and compares every stage
// that `results` holds. Of a number that lies between two of a format it goes on with the device's choice.
// Where more is off than is accepted it runs once more, each stage from the device's numbers, to tell a
// fault. Asks `give_up` between stages; nothing when it says yes. Never throws: what cannot be compared says
// why.
std::optional<Comparison> compare_with_reference(const Results& results,
                                                 const std::function<bool()>& give_up = {});

// Of a large layer some rows of what its bands make, made once more: the first, the last and others between
// them.
std::optional<Comparison> compare_rows_with_reference(Backend& backend, const Results& large,
                                                      const std::function<bool()>& give_up = {});

}  // namespace attn
