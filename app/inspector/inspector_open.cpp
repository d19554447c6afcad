// explain()'s terms as lines with figures that lead on: of long sums the largest terms and what the others
// add up to; of overridden cells both numbers; of weights the whole softmax.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/inspector/inspector_model.h"
#include "core/checks/checks.h"
#include "core/graph/softmax_stages.h"

namespace attn::inspector {
namespace {

Figure figure_of(const Results& results, const Stage& stage, const Operand& operand) {
  if (operand.input < 0) return {.value = operand.value, .words = operand.text};
  Figure figure = figure_at(results, stage.inputs[static_cast<std::size_t>(operand.input)], operand.cell);
  figure.value = operand.value;
  return figure;
}

// Terms along the keys carry the key's token; some carry the name of the input that they come from.
std::string line_label(const Results& results, const Stage& stage, const Explanation& e, std::size_t term) {
  if (e.terms.size() < 2) return {};
  const auto input = [&](int i) -> const Stage& {
    return results.graph.stages[stage.inputs[static_cast<std::size_t>(i)]];
  };
  if (e.terms[term].named_by >= 0) return input(e.terms[term].named_by).title;
  if (e.over < 0 || input(e.over).columns.along != Axis::keys) return {};
  return label(input(e.over).columns, term);
}

void add_lines(const Results& results, const Stage& stage, const Explanation& e, Opened& opened) {
  std::vector<double> values;
  for (const Term& term : e.terms) values.push_back(term.value);
  const std::vector<std::size_t> shown = largest(values);
  for (const std::size_t t : shown) {
    Line line{.label = line_label(results, stage, e, t), .operands = {}, .value = e.terms[t].value};
    for (const Operand& operand : e.terms[t].operands)
      line.operands.push_back(figure_of(results, stage, operand));
    opened.lines.push_back(std::move(line));
  }
  opened.left_out = values.size() - shown.size();
  for (const double v : values) opened.left_out_sum += v;
  for (const Line& line : opened.lines) opened.left_out_sum -= line.value;
}

// The stage that an override left the number of alone; else the stage itself.
StageIndex as_computed(const Graph& graph, StageIndex index, Cell cell) {
  const Stage& stage = graph.stages[index];
  return is_typed(stage.operation, cell) ? index : stage.computed_from.value_or(index);
}

// A head's output among the others is the same number, and a rounded one nearly: the arithmetic is where it
// was made.
bool carries_on(const Graph& graph, StageIndex stage, const Explanation& e) {
  return !e.formula.empty() && graph.stages[stage].traits.passes_numbers;
}

// "head output[0, 0] of head 0 = weights[0] · V[0]".
void add_formula(const Graph& graph, StageIndex stage, const Explanation& e, Opened& opened) {
  if (!opened.formula.empty()) opened.formula.push_back({" = "});
  const std::vector<ColouredText> pieces =
      e.formula.empty() ? std::vector<ColouredText>{{e.rule}} : written(graph, stage, e.formula);
  opened.formula.insert(opened.formula.end(), pieces.begin(), pieces.end());
}

}  // namespace

std::vector<std::size_t> largest(const std::vector<double>& values, std::size_t most) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= most) return order;
  const auto size = [&](std::size_t i) {
    return std::isnan(values[i]) ? std::numeric_limits<double>::infinity() : std::abs(values[i]);
  };
  const auto kept = order.begin() + static_cast<std::ptrdiff_t>(most - 1);
  std::ranges::nth_element(order, kept, [&](std::size_t a, std::size_t b) {
    const double x = size(a), y = size(b);
    return x != y ? x > y : a < b;
  });
  order.erase(kept, order.end());
  std::ranges::sort(order);
  return order;
}

bool exists(const Results& results, const Spot& spot) {
  const auto stage = results.graph.find(spot.stage);
  return stage && is_known(results, *stage, spot.cell);
}

Figure figure_at(const Results& results, StageIndex index, Cell cell) {
  const Stage& stage = results.graph.stages[index];
  return {.value = results.outputs[index][cell],
          .spot = Spot{stage.id, cell},
          .role = stage.role,
          .share = stage.range == Range::unit || stage.range == Range::positive};
}

Opened open(const Results& results, const Spot& spot) {
  StageIndex index = *results.graph.find(spot.stage);
  Opened opened;
  opened.spot = spot;
  opened.title = title_of(results, spot);
  opened.sentence = sentence_of(results, spot);
  const Figure figure = figure_at(results, index, spot.cell);
  opened.number = static_cast<float>(figure.value);
  opened.share = figure.share;
  const Stage& stage = results.graph.stages[index];
  opened.overridden = is_typed(stage.operation, spot.cell);
  if (opened.overridden) opened.computed = figure_at(results, stage.inputs[0], spot.cell);
  Cell cell = spot.cell;
  index = as_computed(results.graph, index, cell);
  Explanation e = explain(results, index, cell);
  for (; carries_on(results.graph, index, e); e = explain(results, index, cell)) {
    add_formula(results.graph, index, e, opened);
    cell = e.terms[0].operands[0].cell;
    index = as_computed(results.graph, results.graph.stages[index].inputs[0], cell);
  }
  add_formula(results.graph, index, e, opened);
  opened.aggregate = e.aggregate;
  opened.writing = e.writing;
  opened.result = e.result;
  opened.turn = e.turn;
  add_lines(results, results.graph.stages[index], e, opened);
  return opened;
}

std::optional<OpenedSoftmax> open_softmax(const Results& results, const Spot& spot) {
  const Graph& graph = results.graph;
  const StageIndex weights = *graph.find(spot.stage);
  const auto stages = softmax_at(graph, weights);
  if (graph.stages[weights].role != Role::weights || !stages || open(results, spot).overridden)
    return std::nullopt;
  const Cell row{spot.cell.head, spot.cell.row, 0};
  const StageResult& exponentials = results.outputs[stages->exponentials];
  OpenedSoftmax softmax{.input = graph.stages[stages->input].title,
                        .lines = {},
                        .maximum = figure_at(results, stages->maximum, row),
                        .sum = figure_at(results, stages->sum, row)};
  std::vector<double> values;
  const auto cell = [&](std::size_t key) { return Cell{row.head, row.row, key}; };
  for (std::size_t key = 0; key < exponentials.columns(); ++key) values.push_back(exponentials[cell(key)]);
  std::vector<std::size_t> shown = largest(values);
  if (std::ranges::count(shown, spot.cell.column) == 0) shown.back() = spot.cell.column;
  std::ranges::sort(shown);
  for (const std::size_t key : shown) {
    SoftmaxLine line{.key = label(graph.stages[stages->exponentials].columns, key),
                     .masked = is_masked(results, weights, cell(key)),
                     .current = key == spot.cell.column,
                     .score = figure_at(results, stages->input, cell(key)),
                     .exponential = figure_at(results, stages->exponentials, cell(key))};
    line.shifted = line.score.value - softmax.maximum.value;
    softmax.lines.push_back(std::move(line));
  }
  softmax.left_out = values.size() - shown.size();
  for (const double v : values) softmax.left_out_sum += v;
  for (const SoftmaxLine& line : softmax.lines) softmax.left_out_sum -= line.exponential.value;
  return softmax;
}

}  // namespace attn::inspector
