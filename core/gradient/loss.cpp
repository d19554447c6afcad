// The stages of a loss.
#include "core/gradient/loss.h"

#include <algorithm>
#include <cmath>
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
                    .sentence = std::move(words.sentence)});
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

StageIndex add_weighted(Graph& graph, StageIndex output, Tensor weights, std::string formula) {
  const StageIndex upstream =
      add_given(graph, output,
                {"upstream", "dO as given", "given", "how much the loss asks of feature %j of the new %r"},
                std::move(weights));
  return add_loss(graph, std::move(formula), SumProduct{SumProduct::all}, {upstream, output});
}

StageIndex add_mean_square(Graph& graph, StageIndex output, const Tensor& target) {
  const auto asked = std::ranges::count_if(target.values(), [](float t) { return !std::isnan(t); });
  const StageIndex given = add_given(
      graph, output, {"target", "target", "given", "what feature %j of the new %r should be"}, target);
  return add_loss(graph, "Σ (output − target)² ÷ " + std::to_string(asked) + " numbers", MeanSquare{},
                  {output, given});
}

StageIndex add_cross_entropy(Graph& graph, StageIndex output, Tensor labels) {
  const auto asked = std::ranges::count_if(labels.values(), [](float label) { return label >= 0; });
  const StageIndex given =
      add_given(graph, output, {"labels", "labels", "given", "the right column of the new %r; −1: not asked"},
                std::move(labels));
  graph.stages[given].columns = {};
  return add_loss(graph, "mean of −ln softmax(output) at the label, over " + std::to_string(asked) + " rows",
                  CrossEntropy{.mean = true}, {output, given});
}

}  // namespace

StageIndex append_loss(Graph& graph, StageIndex output, const Loss& loss) {
  const Shape shape = graph.stages.at(output).shape;
  switch (loss.kind) {
    case LossKind::ones:
      return add_weighted(graph, output, ones_of(shape), "Σ O");
    case LossKind::one_hot:
      return add_weighted(graph, output, one_hot(loss, shape),
                          "O[" + std::to_string(loss.row) + ", " + std::to_string(loss.column) + "]");
    case LossKind::typed:
      check_given(loss, shape);
      return add_weighted(graph, output, loss.given, "Σ dO ⊙ O");
    case LossKind::mean_square:
      check_given(loss, shape);
      return add_mean_square(graph, output, loss.given);
    case LossKind::cross_entropy:
      return add_cross_entropy(graph, output, labels_of(loss, shape));
  }
  return output;
}

}  // namespace attn
