// Finding an overflow cell by cell, and saying where it is.
#include "core/checks/overflow.h"

#include <cmath>

#include "core/text/text.h"

namespace attn {
namespace {

// With a minus like that of all numbers that are read.
std::string signed_text(double number) {
  return (number < 0 ? "−" : "") + brief(std::abs(number));
}

std::string place_on(const Axis& axis, const char* otherwise, std::size_t index) {
  return (axis.name.empty() ? otherwise : std::string(axis.name)) + " " + std::to_string(index);
}

std::optional<Overflow> at(const Graph& graph, StageIndex stage, Cell cell, float before, float after) {
  if (!std::isinf(after) || !std::isfinite(before)) return std::nullopt;
  const bool typed = stage + 1 < graph.stages.size() && graph.stages[stage + 1].computed_from == stage;
  return Overflow{typed ? stage + 1 : stage, cell, static_cast<double>(before),
                  *graph.stages[stage].traits.rounds_to};
}

}  // namespace

std::optional<Overflow> first_overflow(const Graph& graph, StageIndex stage, Inputs inputs,
                                       const Tensor& output) {
  if (!graph.stages[stage].traits.rounds_to) return std::nullopt;
  const auto before = inputs[0].values(), after = output.values();
  for (std::size_t i = 0; i < after.size(); ++i)
    if (auto found = at(graph, stage, cell_at(output.shape(), i), before[i], after[i])) return found;
  return std::nullopt;
}

std::optional<Overflow> overflow_at(const Results& results, StageIndex stage, Cell cell) {
  const Graph& graph = results.graph;
  if (!graph.stages[stage].traits.rounds_to) return std::nullopt;
  return at(graph, stage, cell, results.outputs[graph.stages[stage].inputs[0]][cell],
            results.outputs[stage][cell]);
}

std::string short_words(const Graph& graph, const Overflow& o) {
  const double limit = std::copysign(largest_of(o.format), o.number);
  return graph.stages[o.stage].title + ": " + signed_text(o.number) + (o.number < 0 ? " < " : " > ") +
         signed_text(limit);
}

std::string words_of(const Graph& graph, const Overflow& o) {
  const Stage& stage = graph.stages[o.stage];
  std::string words = std::string(name(o.format)) + " overflows in " + short_words(graph, o) + " at " +
                      place_on(stage.rows, "row", o.cell.row);
  if (stage.shape.columns > 1) words += ", " + place_on(stage.columns, "column", o.cell.column);
  if (stage.shape.stack > 1) words += " of head " + std::to_string(o.cell.head);
  return words;
}

}  // namespace attn
