// Stages whose numbers are rounded to a format: how they are added to a graph, how others look through them,
// and how fine the format is there.
#pragma once

#include <optional>

#include "core/graph/graph.h"

namespace attn {

// Appends the stage with its numbers rounded to the format; at float32 as it is. It becomes two: as computed
// (never drawn, not traced), and rounded, which carries the id and the meaning. A number that is typed over
// one of it stays as it was typed. Stages that only choose among their inputs' numbers, or count, are not
// rounded. Returns the latter. Throws Error, naming the stage.
StageIndex add_rounded(Graph& graph, Stage stage, NumberFormat format);

// The stage that computes this one, behind an override of its cells and its rounding; else itself.
StageIndex computing(const Graph& graph, StageIndex stage);
// The format that this stage's numbers are rounded to, whether or not some are typed over.
std::optional<NumberFormat> rounding_of(const Graph& graph, StageIndex stage);
// What carries this stage's numbers on, rounded, where it is looked through; else itself.
StageIndex rounded_from(const Graph& graph, StageIndex stage);

// From 1 to the next larger number of the format: 2^-10 of float16.
double epsilon_of(NumberFormat format);
// Its smallest number over 0: 2^-24 of float16.
double smallest_of(NumberFormat format);
// The distance of the format's numbers where `x` is, finite: rounding moves it by at most half of that.
double spacing_at(NumberFormat format, double x);

}  // namespace attn
