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

std::span<const float> logits_of(const Tensor& logits, std::size_t row) {
  return logits.values().subspan(row * logits.columns(), logits.columns());
}

std::int32_t likeliest(std::span<const float> z) {
  return static_cast<std::int32_t>(std::ranges::max_element(z) - z.begin());
}

// What is said in the rows of logits from `first` on.
MomentRow said(const TaskRow& row, const Tensor& logits, std::size_t first) {
  MomentRow found{.input = row.input, .target = row.target, .says = {}, .written = {}, .probability = {}};
  for (std::size_t i = 0; i < row.target.size(); ++i) {
    const auto z = logits_of(logits, first + i);
    const auto largest = std::ranges::max_element(z);
    found.says.push_back(likeliest(z));
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
  graph_.begin_part({});
  input_ = add_symbols(graph_, "input", rows * length_of(spec.task));
  target_ = add_symbols(graph_, "target", rows * answers_of(spec.task));
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

void MomentMaker::run(const std::vector<TaskRow>& rows) {
  program_->set(input_, Source{column_of(rows, &TaskRow::input)});
  program_->set(target_, Source{column_of(rows, &TaskRow::target)});
  for (StageIndex i = 0; i <= model_.logits; ++i)
    if (!graph_.stages[i].given()) program_->run(i);
}

// Of a decoder that reads what has been written. Answers that nobody knows are said place by place: no place
// sees a later one, and so the first are as they will be. The rows with what stands in their place.
std::vector<TaskRow> MomentMaker::run_written(std::vector<TaskRow> rows) {
  const std::size_t count = answers_of(spec_.task);
  std::vector<std::size_t> unknown;  // numbers of answers, over all rows
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t place = 0; place < count; ++place)
      if (rows[i].target[place] < 0) rows[i].target[place] = 0, unknown.push_back(i * count + place);
  run(rows);
  for (std::size_t place = 0; !unknown.empty() && place + 1 < count; ++place) {
    const Tensor logits = program_->read(model_.logits);
    for (const std::size_t answer : unknown)
      if (answer % count == place) rows[answer / count].target[place] = likeliest(logits_of(logits, answer));
    run(rows);
  }
  return rows;
}

TrainingMoment MomentMaker::at(const std::vector<Tensor>& parameters, const std::vector<TaskRow>& rows) {
  if (rows.size() != rows_)
    throw Error("a moment of " + std::to_string(rows_) + " rows was asked for " +
                std::to_string(rows.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i)
    program_->set(model_.parameters[i], Source{parameters[i]});
  std::vector<TaskRow> written;
  if (reads_written(spec_.model))
    written = run_written(rows);
  else
    run(rows);
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
    MomentRow& row = moment.rows.emplace_back(said(rows[i], moment.logits, i * answers_of(spec_.task)));
    if (!written.empty()) row.written = written_before(spec_.task, written[i].target);
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
