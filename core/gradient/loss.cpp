// The stages of a loss.
#include "core/gradient/loss.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/operations/backward.h"
#include "core/system/error.h"

namespace attn {
namespace {

void check_given(const Loss& loss, const Shape& output) {
  if (loss.given.shape() != output)
    throw Error("the loss is given a " + to_string(loss.given.shape()) + " matrix and the output is " +
                to_string(output) + ": give a number for each of the output’s");
}

Tensor one_hot(const Loss& loss, const Shape& shape) {
  if (loss.row >= shape.rows || loss.column >= shape.columns)
    throw Error("the output has no cell [" + std::to_string(loss.row) + ", " + std::to_string(loss.column) +
                "]: it is " + to_string(shape) + ", counted from 0");
  std::vector<float> values(shape.size(), 0);
  values[loss.row * shape.columns + loss.column] = 1;
  return {shape, std::move(values)};
}

Tensor labels_of(const Loss& loss, const Shape& shape) {
  if (loss.labels.size() != shape.rows)
    throw Error("cross-entropy has " + std::to_string(loss.labels.size()) + " labels and the output " +
                std::to_string(shape.rows) + " rows: give each row one, −1 where nothing is asked");
  std::vector<float> values;
  for (const long label : loss.labels) {
    if (label >= static_cast<long>(shape.columns))
      throw Error("label " + std::to_string(label) + " is no column of the output: use 0 … " +
                  std::to_string(shape.columns - 1) + ", or −1 where nothing is asked");
    values.push_back(static_cast<float>(label));
  }
  return {{1, shape.rows, 1}, std::move(values)};
}

struct Words {
  std::string id, title, formula, sentence;
  bool gaps = false;  // NaN: not asked
};

StageIndex add_given(Graph& graph, StageIndex output, Words words, Tensor tensor) {
  const Stage& of = graph.stages[output];
  return graph.add({.id = std::move(words.id),
                    .title = std::move(words.title),
                    .formula = std::move(words.formula),
                    .operation = Source{std::move(tensor)},
                    .rows = of.rows,
                    .columns = of.columns,
                    .traced = false,
                    .role = Role::loss,
                    .drawn = Drawn::never,
                    .sentence = std::move(words.sentence),
                    .gaps = words.gaps});
}

StageIndex add_loss(Graph& graph, std::string formula, Operation operation, std::vector<StageIndex> inputs) {
  return graph.add({.id = "loss",
                    .title = "L",
                    .formula = std::move(formula),
                    .operation = std::move(operation),
                    .inputs = std::move(inputs),
                    .role = Role::loss,
                    .sentence = "the loss: what every gradient is of"});
}

StageIndex add_weighted(Graph& graph, StageIndex output, StageIndex upstream, std::string formula) {
  return add_loss(graph, std::move(formula), SumProduct{SumProduct::all}, {upstream, output});
}

// What is typed over dO is typed over none that a loss chooses.
StageIndex add_chosen(Graph& graph, StageIndex output, Tensor weights, std::string formula) {
  const StageIndex upstream =
      add_given(graph, output,
                {"chosen", "dO as chosen", "given", "how much the loss asks of feature %j of the new %r"},
                std::move(weights));
  graph.stages[upstream].read_only = "the loss chooses it: choose “typed” to type dO";
  return add_weighted(graph, output, upstream, std::move(formula));
}

// Of a given matrix, with what is typed over it: the numbers that are asked.
template <class IsAsked>
long count_asked(const Graph& graph, StageIndex given, IsAsked is_asked) {
  const Stage& stage = graph.stages[given];
  const Tensor& numbers = *given_tensor(graph.stages[stage.computed_from.value_or(given)].operation);
  auto count = std::ranges::count_if(numbers.values(), is_asked);
  std::map<Cell, float> typed;
  for (const StageOverride& o : graph.overrides)
    if (is_over(o, stage.id)) typed[o.value.cell] = o.value.value;
  for (const auto& [cell, number] : typed) count += is_asked(number) - is_asked(numbers[cell]);
  return count;
}

// What is typed over labels is a column as well: the nearest; below 0, and where it is no number, none.
float column_near(float typed, std::size_t columns) {
  if (!(typed >= 0)) return -1;
  return std::min(std::round(typed), static_cast<float>(columns - 1));
}

}  // namespace

StageIndex append_asked(Graph& graph, StageIndex output, const Loss& loss) {
  const Shape shape = graph.stages.at(output).shape;
  if (loss.kind == LossKind::cross_entropy) {
    const std::string id = "labels";
    for (StageOverride& typed : graph.overrides)
      if (is_over(typed, graph.parts.back().prefix + id))
        typed.value.value = column_near(typed.value.value, shape.columns);
    const StageIndex labels =
        add_given(graph, output, {id, "labels", "given", "the right column of the new %r; −1: not asked"},
                  labels_of(loss, shape));
    graph.stages[labels].columns = {};
    return labels;
  }
  check_given(loss, shape);
  if (loss.kind == LossKind::mean_square)
    return add_given(graph, output,
                     {"target", "target", "given", "what feature %j of the new %r should be", true},
                     loss.given);
  return add_given(graph, output,
                   {"upstream", "dO as given", "given", "how much the loss asks of feature %j of the new %r"},
                   loss.given);
}

StageIndex append_loss(Graph& graph, StageIndex output, const Loss& loss) {
  const Shape shape = graph.stages.at(output).shape;
  switch (loss.kind) {
    case LossKind::ones:
      return add_chosen(graph, output, ones_of(shape), "Σ O");
    case LossKind::one_hot:
      return add_chosen(graph, output, one_hot(loss, shape),
                        "O[" + std::to_string(loss.row) + ", " + std::to_string(loss.column) + "]");
    case LossKind::typed:
      return add_weighted(graph, output, append_asked(graph, output, loss), "Σ dO ⊙ O");
    case LossKind::mean_square: {
      const StageIndex target = append_asked(graph, output, loss);
      const auto asked = count_asked(graph, target, [](float t) { return !std::isnan(t); });
      return add_loss(graph, "Σ (output − target)² ÷ " + std::to_string(asked) + " numbers", MeanSquare{},
                      {output, target});
    }
    case LossKind::cross_entropy: {
      const StageIndex labels = append_asked(graph, output, loss);
      const auto asked = count_asked(graph, labels, [](float label) { return label >= 0; });
      return add_loss(graph,
                      "mean of −ln softmax(output) at the label, over " + std::to_string(asked) + " rows",
                      CrossEntropy{.mean = true}, {output, labels});
    }
  }
  return output;
}

}  // namespace attn
