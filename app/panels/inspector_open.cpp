// One number opened into its arithmetic.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/panels/inspector_model.h"
#include "core/checks.h"

namespace attn::inspector {
namespace {

bool holds(const Tensor& tensor, Cell c) {
  const Shape s = tensor.shape();
  return c.head < s.stack && c.row < s.rows && c.column < s.columns;
}

bool overrides(const Override& op, Cell cell) {
  return std::ranges::any_of(op.cells, [&](const CellValue& c) { return c.cell == cell; });
}

Figure figure_of(const Results& results, const Stage& stage, const Operand& operand) {
  Figure figure{.value = operand.value, .words = operand.text, .spot = {}};
  if (operand.input < 0) return figure;
  const StageIndex input = stage.inputs[static_cast<std::size_t>(operand.input)];
  figure.spot = Spot{results.graph.stages[input].id, operand.cell};
  return figure;
}

// Terms that stand for keys carry the key's token: sums over weights, row maximum, row sum. A bias among
// products and the sides of an addition carry their names.
std::string line_label(const Results& results, const Stage& stage, const Explanation& e, std::size_t term) {
  if (e.terms.size() < 2 || stage.inputs.empty()) return {};
  const std::vector<Operand>& operands = e.terms[term].operands;
  const bool bias = operands.size() == 1 && e.terms[0].operands.size() > 1;
  if (bias || std::holds_alternative<Add>(stage.operation))
    return results.graph.stages[stage.inputs[static_cast<std::size_t>(operands[0].input)]].title;
  const Stage& left = results.graph.stages[stage.inputs[0]];
  const bool over_keys = left.columns.name == "key";
  return over_keys && !std::holds_alternative<Mask>(stage.operation) ? label(left.columns, term)
                                                                     : std::string();
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

}  // namespace

std::vector<std::size_t> largest(const std::vector<double>& values, std::size_t most) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= most) return order;
  const auto size = [&](std::size_t i) {
    return std::isnan(values[i]) ? std::numeric_limits<double>::infinity() : std::abs(values[i]);
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  order.resize(most - 1);
  std::ranges::sort(order);
  return order;
}

bool exists(const Results& results, const Spot& spot) {
  const auto stage = results.graph.find(spot.stage);
  return stage && holds(results.outputs[*stage], spot.cell);
}

Opened open(const Results& results, const Spot& spot) {
  StageIndex index = *results.graph.find(spot.stage);
  Opened opened;
  opened.spot = spot;
  opened.title = title_of(results, spot);
  opened.sentence = sentence_of(results, spot);
  opened.number = results.outputs[index][spot.cell];
  if (const auto* op = std::get_if<Override>(&results.graph.stages[index].operation)) {
    const StageIndex computed = results.graph.stages[index].inputs[0];
    opened.overridden = overrides(*op, spot.cell);
    const float value = results.outputs[computed][spot.cell];
    if (opened.overridden)
      opened.computed = Figure{value, "", Spot{results.graph.stages[computed].id, spot.cell}};
    else
      index = computed;  // left alone: opened as computed
  }
  const Explanation e = explain(results, index, spot.cell);
  opened.combine = e.combine;
  opened.result = e.result;
  opened.formula = formula_of(results, index, spot.cell, e);
  add_lines(results, results.graph.stages[index], e, opened);
  return opened;
}

std::optional<OpenedSoftmax> open_softmax(const Results& results, const Spot& spot) {
  const auto& graph = results.graph;
  const auto behind = [&](const std::string& id) {
    const auto computed = graph.find(id + "_computed");
    return computed ? computed : graph.find(id);
  };
  const bool weight = spot.stage == "weights" || spot.stage == "weights_computed";
  const auto weights = behind("weights"), exponentials = behind("exp");
  if (!weight || !weights || !exponentials) return std::nullopt;
  if (spot.stage == "weights" && open(results, spot).overridden) return std::nullopt;
  const StageIndex exp = graph.stages[*weights].inputs[0], sum = graph.stages[*weights].inputs[1];
  const StageIndex scores = graph.stages[*exponentials].inputs[0];
  const StageIndex maximum = graph.stages[*exponentials].inputs[1];
  const auto read = [&](StageIndex stage, Cell c) {
    return Figure{results.outputs[stage][c], "", Spot{graph.stages[stage].id, c}};
  };
  const Cell row{spot.cell.head, spot.cell.row, 0};
  OpenedSoftmax softmax{.lines = {}, .maximum = read(maximum, row), .sum = read(sum, row)};
  std::vector<double> values;
  const auto cell = [&](std::size_t key) { return Cell{row.head, row.row, key}; };
  for (std::size_t key = 0; key < results.outputs[exp].columns(); ++key)
    values.push_back(results.outputs[exp][cell(key)]);
  std::vector<std::size_t> shown = largest(values);
  if (std::ranges::count(shown, spot.cell.column) == 0) shown.back() = spot.cell.column;
  std::ranges::sort(shown);
  for (const std::size_t key : shown) {
    SoftmaxLine line{.key = label(graph.stages[exp].columns, key),
                     .masked = is_masked(results, cell(key)),
                     .current = key == spot.cell.column,
                     .score = read(scores, cell(key)),
                     .exponential = read(exp, cell(key))};
    line.shifted = line.score.value - softmax.maximum.value;
    softmax.lines.push_back(std::move(line));
  }
  softmax.left_out = values.size() - shown.size();
  for (const double v : values) softmax.left_out_sum += v;
  for (const SoftmaxLine& line : softmax.lines) softmax.left_out_sum -= line.exponential.value;
  return softmax;
}

}  // namespace attn::inspector
