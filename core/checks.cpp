#include "core/checks.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The stages that the checks of weights read; found once.
struct Softmax {
  const Tensor* weights = nullptr;
  const Tensor* input = nullptr;  // what row_max and exp read
  const Tensor* mask = nullptr;   // null without one
  EmptyRow empty_row = EmptyRow::zeros;
};

const Tensor* output(const Results& results, std::string_view id) {
  const auto stage = results.graph.find(id);
  return stage && !results.outputs[*stage].empty() ? &results.outputs[*stage] : nullptr;
}

// The stage that computes `id`, behind an override of its cells.
std::optional<StageIndex> computing(const Graph& graph, const std::string& id) {
  const auto computed = graph.find(id + "_computed");
  return computed ? computed : graph.find(id);
}

Softmax softmax_of(const Results& results) {
  Softmax s;
  s.weights = output(results, "weights");
  s.mask = output(results, "mask");
  if (const auto exp = computing(results.graph, "exp")) {
    const Stage& stage = results.graph.stages[*exp];
    if (const auto* op = std::get_if<Exponential>(&stage.operation)) s.empty_row = op->empty_row;
    if (const Tensor& input = results.outputs[stage.inputs[0]]; !input.empty()) s.input = &input;
  }
  return s;
}

// One row of weights and what belongs to it; spans of what is missing are empty.
struct Row {
  std::span<const float> weights, input, mask;
  std::size_t head = 0, query = 0;

  bool masked(std::size_t key) const { return !mask.empty() && mask[key] != 0; }
};

std::span<const float> row_of(const Tensor* tensor, std::size_t matrix, std::size_t row) {
  if (!tensor) return {};
  return tensor->values().subspan((matrix * tensor->rows() + row) * tensor->columns(), tensor->columns());
}

Row row_of(const Softmax& s, std::size_t head, std::size_t query) {
  const std::size_t mask = s.mask ? shared_matrix(head, s.mask->stack(), s.weights->stack()) : 0;
  return {row_of(s.weights, head, query), row_of(s.input, head, query), row_of(s.mask, mask, query), head,
          query};
}

std::size_t count_left(const Row& row) {
  std::size_t left = 0;
  for (std::size_t key = 0; key < row.weights.size(); ++key)
    left += !row.masked(key) && (row.input.empty() || row.input[key] != -kInfinity);
  return left;
}

double sum(std::span<const float> values) {
  double total = 0;
  for (const float v : values) total += static_cast<double>(v);
  return total;
}

Entropy entropy(std::span<const float> weights, std::size_t left) {
  Entropy e{.nats = 0, .maximum = left > 1 ? std::log(static_cast<double>(left)) : 0};
  for (const float a : weights)
    if (a != 0) e.nats -= static_cast<double>(a) * std::log(static_cast<double>(a));
  return e;
}

void check_sum(const Row& row, EmptyRow empty_row, std::size_t left, RowSums& sums) {
  const double total = sum(row.weights);
  const bool zeros = left == 0 && empty_row == EmptyRow::zeros && total == 0;
  sums.rows_without_key += left == 0;
  double deviation = std::abs(total - (zeros ? 0 : 1));
  if (std::isnan(deviation)) deviation = kInfinity;
  if (deviation <= sums.largest_deviation) return;
  sums.largest_deviation = deviation;
  sums.sum = total;
  sums.where = {row.head, row.query, 0};
}

void check_masked(const Row& row, MaskedWeight& weight) {
  for (std::size_t key = 0; key < row.mask.size(); ++key) {
    const double w = row.weights[key];
    if (w == 0 || !row.masked(key)) continue;
    weight.total += std::abs(w);
    const double size = std::isnan(w) ? kInfinity : std::abs(w);
    if (size <= weight.largest) continue;
    weight.largest = size;
    weight.where = {row.head, row.query, key};
  }
}

// False when it was told to give up.
bool check_weights(const Softmax& s, Checks& checks, const std::function<bool()>& give_up) {
  RowSums sums;
  MaskedWeight weight;
  const std::size_t rows = s.weights->rows();
  for (std::size_t head = 0; head < s.weights->stack(); ++head) {
    Entropy mean;
    for (std::size_t query = 0; query < rows; ++query) {
      if (give_up && give_up()) return false;
      const Row row = row_of(s, head, query);
      const std::size_t left = count_left(row);
      const Entropy e = entropy(row.weights, left);
      mean.nats += e.nats / static_cast<double>(rows);
      mean.maximum += e.maximum / static_cast<double>(rows);
      check_sum(row, s.empty_row, left, sums);
      check_masked(row, weight);
    }
    checks.heads.push_back(mean);
  }
  checks.row_sums = sums;
  checks.masked_weight = weight;
  return true;
}

// Whether a −∞ stands for "masked": asked only for cells that hold one.
bool stands_for_masked(const Results& results, StageIndex index, Cell cell) {
  const Stage& stage = results.graph.stages[index];
  const auto value = [&](std::size_t input, Cell c) { return results.outputs[stage.inputs[input]][c]; };
  const auto below = [&](std::size_t input, Cell c) {
    return value(input, c) == -std::numeric_limits<float>::infinity() &&
           stands_for_masked(results, stage.inputs[input], c);
  };
  const auto shared = [&](std::size_t input) {
    const Shape from = results.outputs[stage.inputs[input]].shape();
    return Cell{shared_matrix(cell.head, from.stack, results.outputs[index].stack()), cell.row, cell.column};
  };
  if (std::holds_alternative<Source>(stage.operation)) return stage.id == "bias";
  if (std::holds_alternative<Add>(stage.operation)) return below(0, cell) || below(1, shared(1));
  if (std::holds_alternative<Override>(stage.operation)) return below(0, cell);
  if (std::holds_alternative<MaskFill>(stage.operation)) return value(1, shared(1)) != 0 || below(0, cell);
  if (!std::holds_alternative<RowMaximum>(stage.operation)) return false;
  for (std::size_t key = 0; key < results.outputs[stage.inputs[0]].columns(); ++key)
    if (!below(0, {cell.head, cell.row, key})) return false;
  return true;
}

// Whether the exponent bits of some of them are all ones: NaN or ∞. Without a branch, so that it is fast.
bool some_not_finite(std::span<const float> values) {
  std::uint32_t found = 0;
  for (const float v : values)
    found |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(v) & 0x7F800000u) == 0x7F800000u);
  return found != 0;
}

StageFaults faults_of(const Results& results, StageIndex index) {
  StageFaults faults;
  faults.stage = index;
  const Tensor& values = results.outputs[index];
  for (std::size_t head = 0; head < values.stack(); ++head)
    for (std::size_t i = 0; i < values.rows(); ++i) {
      const std::span<const float> row = row_of(&values, head, i);
      if (!some_not_finite(row)) continue;
      for (std::size_t column = 0; column < row.size(); ++column) {
        if (std::isfinite(row[column])) continue;
        const Cell cell{head, i, column};
        const bool nan = std::isnan(row[column]);
        if (!nan && row[column] < 0 && stands_for_masked(results, index, cell)) continue;
        if (faults.nan + faults.infinite == 0) faults.first = cell;
        ++(nan ? faults.nan : faults.infinite);
      }
    }
  return faults;
}

}  // namespace

std::optional<Checks> check(const Results& results, const std::function<bool()>& give_up) {
  Checks checks;
  const Softmax s = softmax_of(results);
  if (s.weights && !check_weights(s, checks, give_up)) return std::nullopt;
  for (StageIndex stage = 0; stage < results.outputs.size(); ++stage) {
    if (give_up && give_up()) return std::nullopt;
    if (const StageFaults faults = faults_of(results, stage); faults.nan + faults.infinite > 0)
      checks.faults.push_back(faults);
  }
  return checks;
}

Checks check(const Results& results) {
  return *check(results, {});
}

std::size_t keys_left(const Results& results, std::size_t head, std::size_t query) {
  const Softmax s = softmax_of(results);
  return s.weights ? count_left(row_of(s, head, query)) : 0;
}

double row_sum(const Results& results, std::size_t head, std::size_t query) {
  return sum(row_of(output(results, "weights"), head, query));
}

Entropy row_entropy(const Results& results, std::size_t head, std::size_t query) {
  const Softmax s = softmax_of(results);
  if (!s.weights) return {};
  const Row row = row_of(s, head, query);
  return entropy(row.weights, count_left(row));
}

bool is_masked(const Results& results, Cell cell) {
  const Softmax s = softmax_of(results);
  return s.weights && row_of(s, cell.head, cell.row).masked(cell.column);
}

}  // namespace attn
