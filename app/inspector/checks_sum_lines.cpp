// What rows of weights add up to, as lines of the checks.
#include <algorithm>
#include <cmath>

#include "app/cells/cell_layout.h"
#include "app/inspector/checks_lines.h"
#include "app/inspector/inspector_numbers.h"
#include "core/checks/checks_sums.h"
#include "core/graph/rounding.h"
#include "core/graph/softmax_stages.h"
#include "core/text/text.h"

namespace attn::inspector {
namespace {

std::string within(const Graph& graph, StageIndex weights) {
  const double rounding = rounding_of_sums(graph, weights);
  if (rounding == 0) return "1e−6";
  return write_distance(1e-6 + rounding) + ", as near as " + name(*rounding_of(graph, weights)) + " comes";
}

std::string promise_of(const Graph& graph, const SoftmaxChecks& checks) {
  const StageIndex weights = checks.weights;
  switch (checks.row_sums.promised) {
    case RowTotal::one:
      return "Every row of weights must sum to 1 within " + within(graph, weights) + ".";
    case RowTotal::below_one:
      return "Every row of weights must sum to at most 1, within " + within(graph, weights) +
             ": the rest goes to no key.";
    case RowTotal::any:
      break;
  }
  return "These weights need not add up to 1: a row may sum to any number.";
}

}  // namespace

CheckLine row_sum_line(const Results& results, const Checks& checks, StageIndex weights,
                       const CheckedRow& row) {
  const SoftmaxChecks& farthest = *std::ranges::max_element(
      checks.softmaxes, {}, [](const SoftmaxChecks& s) { return s.row_sums.largest_deviation; });
  const SoftmaxChecks* own = checks.of(weights);
  const SoftmaxChecks& worst = farthest.row_sums.holds() && own ? *own : farthest;
  const RowSums& sums = worst.row_sums;
  CheckLine line{.name = "row sum", .verdict = CheckLine::good};
  line.explanation = promise_of(results.graph, worst);
  if (!sums.holds()) {
    line.verdict = CheckLine::bad;
    line.culprit = Spot{id_of(results, worst.weights), sums.where};
    line.value = write(sums.sum, {7, false}) + " in row " + std::to_string(sums.where.row);
    line.explanation += " The worst is " + place(*line.culprit) + ". Click to go there.";
    return line;
  }
  if (sums.promised == RowTotal::any) line.verdict = CheckLine::plain;
  if (row.query && results.outputs[weights].holds({row.head, *row.query, 0})) {
    line.value = write(row_sum(results, weights, row.head, *row.query), {7, false});
    if (keys_left(results, weights, row.head, *row.query) == 0) line.value += ", no key left";
  } else if (sums.promised == RowTotal::one) {
    line.value = write(sums.sum, {7, false});
    line.explanation += " This is the one farthest from it.";
  } else {
    line.value = write(sums.least, {4, false}) + " to " + write(sums.most, {4, false});
  }
  return line;
}

std::optional<CheckLine> chance_line(const Results& results, StageIndex weights, const CheckedRow& row) {
  const Graph& graph = results.graph;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Stage &stage = graph.stages[i], &made = graph.stages[computing(graph, i)];
    const auto& chance = made.traits.chance;
    if (!chance || !stage.by_chance || !stage.traced || stage.part != graph.stages[weights].part) continue;
    const std::string by = name(made.operation);
    CheckLine line{.name = "row sum after " + by, .value = "p = " + brief(chance->p)};
    if (row.query && results.outputs[i].holds({0, *row.query, 0}))
      line.value = write(row_sum(results, i, row.head, *row.query), {4, false});
    line.explanation =
        "No fault: what is kept is divided by 1 − p, so that the sum to expect stays 1, and one row sums to "
        "what chance leaves. At inference " +
        by + " is off.";
    return line;
  }
  return std::nullopt;
}

// How far rows have gone towards a single key, and which key takes most of a head.
void add_saturation(std::vector<CheckLine>& lines, const Results& results, const SoftmaxChecks& softmax) {
  const RowSaturation& s = softmax.saturation;
  if (s.rows == 0) return;
  const std::string weights = id_of(results, softmax.weights);
  lines.push_back({.name = kLargest,
                   .value = write(s.largest_weight, {4, false}) + ", gap " + write(s.gap, {2, false}),
                   .culprit = Spot{weights, s.where},
                   .explanation = "Of all rows with two keys or more; the gap is from the best score to the "
                                  "second. Click to go there.",
                   .of_weights = true});
  if (s.collapsed > 0)
    lines.push_back({.name = "collapsed rows",
                     .value = std::to_string(s.collapsed) + " of " + std::to_string(s.rows),
                     .culprit = Spot{weights, s.first_collapsed},
                     .explanation = "Less than a hundredth of the entropy that their keys allow: one key has "
                                    "nearly everything. Click to go to the first.",
                     .of_weights = true});
  const Axis& keys = results.graph.stages[softmax.weights].columns;
  for (const AttentionSink& sink : softmax.sinks)
    lines.push_back(
        {.name = "sink, head " + std::to_string(sink.head),
         .value = "“" + axis_label(keys, sink.key) + "” " + write(sink.share * 100, {0, false}) + " %",
         .culprit = Spot{weights, sink.where},
         .explanation = "This key takes more than half of all weight of the head. Click to go to "
                        "its largest.",
         .of_weights = true});
}

CheckLine entropy_line(std::string name, const Entropy& entropy) {
  return {
      .name = std::move(name),
      .value = write(entropy.nats, {3, false}) + " of " + write(entropy.maximum, {3, false}) + " nats",
      .verdict = CheckLine::plain,
      .culprit = {},
      .explanation = "0: all weight on one key. The largest, ln of the keys left: the same weight on each.",
      .of_weights = true};
}

}  // namespace attn::inspector
