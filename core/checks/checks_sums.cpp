// How near a row of weights comes to its sum in a format.
//
// With u the largest relative error of a rounding, half of the format's epsilon, and t its largest absolute
// error below the normal numbers, half of the smallest one:
// - divided: the sum is S·(1 + a) with |a| ≤ u, each weight e/(S·(1 + a))·(1 + b) + c with |b| ≤ u, |c| ≤ t,
// so
//   that m of them add up to 1 within (1 + u)/(1 − u) − 1 + m·t = 2u/(1 − u) + m·t;
// - over a threshold τ from −1 to 0 (the largest score less the row's maximum is 0): its error of at most u +
// t
//   moves each of the m terms by as much at most, and each is rounded: m·(u + t)·(1 + u) + u + m·t.
#include "core/checks/checks_sums.h"

#include "core/graph/rounding.h"
#include "core/operations/mask.h"

namespace attn {

double rounding_of_sums(const Graph& graph, StageIndex weights) {
  StageIndex made = computing(graph, weights), rounded = weights;
  // What only hands numbers on: they were rounded where they were made.
  const auto hands_on = [&](const Traits& traits) {
    return traits.passes_numbers || traits.fill == Fill::zero;
  };
  while (hands_on(graph.stages[made].traits))
    rounded = graph.stages[made].inputs[0], made = computing(graph, rounded);
  const auto format = rounding_of(graph, rounded);
  if (!format || *format == NumberFormat::float32) return 0;
  const double u = epsilon_of(*format) / 2, t = smallest_of(*format) / 2;
  const auto m = static_cast<double>(graph.stages[weights].shape.columns);
  const bool divided = graph.stages[made].traits.step == SoftmaxStep::division;
  return divided ? 2 * u / (1 - u) + m * t : m * (u + t) * (1 + u) + u + m * t;
}

}  // namespace attn
