// A model's forward pass over some rows, and what is read of it.
#include "core/learning/moment.h"

#include <algorithm>
#include <cmath>

#include "core/operations/sequence_row.h"
#include "core/system/error.h"

namespace attn {
namespace {

StageIndex add_symbols(Graph& graph, const char* id, std::size_t count) {
  return graph.add({.id = id,
                    .title = id,
                    .formula = {},
                    .operation = Source{Tensor({1, count, 1}, std::vector<float>(count))}});
}

Tensor column_of(const std::vector<TaskRow>& rows, std::vector<std::int32_t> TaskRow::*side) {
  std::vector<float> symbols;
  for (const TaskRow& row : rows)
    for (const std::int32_t symbol : row.*side) symbols.push_back(static_cast<float>(symbol));
  const std::size_t count = symbols.size();
  return {{1, count, 1}, std::move(symbols)};
}

// What is said in the rows of logits from `first` on.
MomentRow said(const TaskRow& row, const Tensor& logits, std::size_t first) {
  MomentRow found{.input = row.input, .target = row.target, .says = {}, .probability = {}};
  for (std::size_t i = 0; i < row.target.size(); ++i) {
    const auto z = logits.values().subspan((first + i) * logits.columns(), logits.columns());
    const auto largest = std::ranges::max_element(z);
    found.says.push_back(static_cast<std::int32_t>(largest - z.begin()));
    double sum = 0, probability = 0;
    for (const float x : z) sum += std::exp(static_cast<double>(x) - static_cast<double>(*largest));
    if (row.target[i] >= 0) {
      const float right = z[static_cast<std::size_t>(row.target[i])];
      probability = std::exp(static_cast<double>(right) - static_cast<double>(*largest)) / sum;
      ++found.asked, found.right += found.says.back() == row.target[i];
    }
    found.probability.push_back(probability);
  }
  return found;
}

}  // namespace

Tensor MomentAttention::map(std::size_t row) const {
  std::vector<Shape> shapes;
  for (const Tensor& projection : projections) shapes.push_back(projection.shape());
  const SequenceSides sides(operation, shapes);
  const Shape shape{operation.heads, sides.queries, sides.keys};
  std::vector<float> weights(shape.size());
  for (std::size_t head = 0; head < operation.heads; ++head)
    for (std::size_t i = 0; i < sides.queries; ++i) {
      const SequenceRow<float> of(operation, projections, row * sides.queries + i, head * sides.head);
      for (std::size_t j = 0; j < of.weights.size(); ++j)
        weights[index_of(shape, {head, i, j})] = static_cast<float>(of.weights[j]);
    }
  return {shape, std::move(weights)};
}

MomentMaker::MomentMaker(Backend& backend, const TrainingSpec& spec, std::size_t rows)
    : spec_(spec), rows_(rows) {
  const std::size_t places = rows * length_of(spec.task);
  graph_.begin_part({});
  input_ = add_symbols(graph_, "input", places), target_ = add_symbols(graph_, "target", places);
  const auto first = initial_parameters(parameters_of(spec.model, spec.task), spec.seed);
  model_ = append_model(graph_, spec.model, spec.task, rows, input_, target_, first);
  std::vector<StageIndex> kept{model_.logits};
  for (const ModelAttention& attention : model_.attentions) {
    kept.push_back(attention.from);
    if (attention.memory) kept.push_back(*attention.memory);
    const auto& projections = graph_.stages[attention.mixed].inputs;
    kept.insert(kept.end(), projections.begin(), projections.end());
  }
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  program_ = backend.compile(graph_, kept);
}

TrainingMoment MomentMaker::at(const std::vector<Tensor>& parameters, const std::vector<TaskRow>& rows) {
  if (rows.size() != rows_)
    throw Error("a moment of " + std::to_string(rows_) + " rows was asked for " +
                std::to_string(rows.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i)
    program_->set(model_.parameters[i], Source{parameters[i]});
  program_->set(input_, Source{column_of(rows, &TaskRow::input)});
  for (StageIndex i = 0; i <= model_.logits; ++i)
    if (!graph_.stages[i].given()) program_->run(i);
  TrainingMoment moment;
  for (const ModelAttention& of : model_.attentions) {
    const Stage& mixed = graph_.stages[of.mixed];
    MomentAttention attention{.name = of.name,
                              .layer = of.layer,
                              .decoder = of.decoder,
                              .cross = of.cross,
                              .operation = of.operation,
                              .projections = {},
                              .x = program_->read(of.from),
                              .memory = of.memory ? program_->read(*of.memory) : Tensor()};
    for (const StageIndex projection : mixed.inputs)
      attention.projections.push_back(program_->read(projection));
    moment.attentions.push_back(std::move(attention));
  }
  moment.logits = program_->read(model_.logits);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    moment.rows.push_back(said(rows[i], moment.logits, i * length_of(spec_.task)));
    const MomentRow& row = moment.rows.back();
    moment.asked += row.asked, moment.right += row.right;
    for (const double probability : row.probability) moment.mean_probability += probability;
  }
  if (moment.asked > 0) moment.mean_probability /= static_cast<double>(moment.asked);
  return moment;
}

std::vector<TaskRow> held_out_rows(const TrainingSpec& spec, std::size_t count) {
  const TaskRows drawn = rows_of(spec.task, spec.seed, count, TaskRows::input);
  const Tensor table = table_of(spec.task, spec.seed);
  const auto numbers = table.empty() ? std::span<const float>() : table.values();
  std::vector<TaskRow> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(task_row(drawn, TaskRows::kHeldOut, i, numbers));
  return rows;
}

}  // namespace attn
