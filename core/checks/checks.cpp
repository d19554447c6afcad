// The checks of all weights, and the numbers that are not finite.
#include "core/checks/checks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "core/checks/checks_parts.h"
#include "core/checks/checks_sums.h"
#include "core/checks/overflow.h"
#include "core/graph/rounding.h"
#include "core/graph/softmax_stages.h"
#include "core/text/special.h"

namespace attn {
namespace {

using namespace checking;

// What the checks of one stage of weights read; null where it is missing.
struct Softmax {
  const Tensor* weights = nullptr;
  const Tensor* input = nullptr;  // none: every key is left
  const Tensor* mask = nullptr;
  EmptyRow empty_row = EmptyRow::zeros;
  RowTotal promised = RowTotal::any;
  double rounding = 0;  // what a format explains of how far sums are off
  bool gaps = false;    // a row of NaN says that it has no weights
};

// All of it, or what there is of a row.
const Tensor* output(const Results& results, std::optional<StageIndex> stage,
                     std::optional<std::size_t> row) {
  if (!stage) return nullptr;
  const StageResult& result = results.outputs[*stage];
  return row ? result.with_row(*row) : result.here() ? &result.whole() : nullptr;
}

Softmax tensors_at(const Results& results, StageIndex weights, std::optional<std::size_t> row = {}) {
  const Stage& stage = results.graph.stages[weights];
  const auto softmax = softmax_at(results.graph, weights);
  return {.weights = output(results, weights, row),
          .input = output(results, stage.scores, row),
          .mask = stage.scores ? output(results, stage.mask, row) : nullptr,
          .empty_row = softmax ? softmax->empty_row : EmptyRow::zeros,
          .promised = stage.row_total,
          .rounding = rounding_of_sums(results.graph, weights),
          .gaps = stage.gaps};
}

std::span<const float> row_of(const Tensor* tensor, std::size_t matrix, std::size_t row) {
  if (!tensor) return {};
  return tensor->values().subspan(tensor->index({matrix, row, 0}), tensor->columns());
}

WeightRow row_of(const Softmax& s, std::size_t head, std::size_t query) {
  const std::size_t mask = s.mask ? shared_matrix(head, s.mask->stack(), s.weights->stack()) : 0;
  return {row_of(s.weights, head, query), row_of(s.input, head, query), row_of(s.mask, mask, query), head,
          query};
}

std::size_t count_left(const WeightRow& row) {
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

// How far a sum is from what was promised.
double deviation(double total, RowTotal promised, bool zeros) {
  switch (promised) {
    case RowTotal::one:
      return std::abs(total - (zeros ? 0 : 1));
    case RowTotal::below_one:
      return std::isnan(total) ? total : std::max({0.0, total - 1, -total});
    case RowTotal::any:
      break;
  }
  return std::isnan(total) ? total : 0;
}

void check_sum(const WeightRow& row, const Softmax& s, std::size_t left, RowSums& sums) {
  const double total = sum(row.weights);
  const bool zeros = left == 0 && s.empty_row == EmptyRow::zeros && total == 0;
  if (left > 0) {
    const bool first = sums.least > sums.most;
    sums.least = first ? total : std::min(sums.least, total);
    sums.most = first ? total : std::max(sums.most, total);
  }
  if (left == 0 && sums.rows_without_key++ == 0) sums.first_without_key = {row.head, row.query, 0};
  // NaN compares with nothing: as ∞ it is the worst there is.
  double off = deviation(total, sums.promised, zeros);
  off = std::isnan(off) ? kInfinity : std::max(0.0, off - s.rounding);
  if (off <= sums.largest_deviation) return;
  sums.largest_deviation = off;
  sums.sum = total;
  sums.where = {row.head, row.query, 0};
}

void check_masked(const WeightRow& row, MaskedWeight& weight) {
  for (std::size_t key = 0; key < row.mask.size(); ++key) {
    const double w = row.weights[key];
    if (w == 0 || !row.masked(key)) continue;
    weight.total += std::abs(w), ++weight.cells;
    const double size = std::isnan(w) ? kInfinity : std::abs(w);
    if (size <= weight.largest) continue;
    weight.largest = size;
    weight.where = {row.head, row.query, key};
  }
}

void include(MaskedWeight& all, const MaskedWeight& head) {
  all.total += head.total, all.cells += head.cells;
  if (head.largest > all.largest) all.largest = head.largest, all.where = head.where;
}

// Nothing when it was told to give up.
std::optional<SoftmaxChecks> check_softmax(const Softmax& s, StageIndex weights,
                                           const std::function<bool()>& give_up) {
  SoftmaxChecks checks{.weights = weights};
  RowSums& sums = checks.row_sums;
  sums.promised = s.promised, sums.least = kInfinity, sums.most = -kInfinity;
  const std::size_t rows = s.weights->rows();
  for (std::size_t head = 0; head < s.weights->stack(); ++head) {
    Entropy mean;
    Columns columns(s.weights->columns());
    MaskedWeight& masked = checks.masked_in_heads.emplace_back();
    for (std::size_t query = 0; query < rows; ++query) {
      if (give_up && give_up()) return std::nullopt;
      const WeightRow row = row_of(s, head, query);
      if (s.gaps && std::isnan(row.weights[0])) {
        if (checks.row_sums.rows_without_key++ == 0) checks.row_sums.first_without_key = {head, query, 0};
        continue;
      }
      const std::size_t left = count_left(row);
      const Entropy e = entropy(row.weights, left);
      mean.nats += e.nats / static_cast<double>(rows);
      mean.maximum += e.maximum / static_cast<double>(rows);
      check_sum(row, s, left, checks.row_sums);
      check_masked(row, masked);
      if (s.promised == RowTotal::one) check_saturation(row, left, e, checks.saturation);
      columns.add(row);
    }
    if (s.promised == RowTotal::one) checks.heads.push_back(mean);
    include(checks.masked_weight, masked);
    columns.find_sink(head, checks.sinks);
  }
  if (sums.least > sums.most) sums.least = sums.most = 0;  // no row has a key
  return checks;
}

// Whether an infinity stands for "masked": asked only for cells that hold one. It does where a mask, a bias
// or a person who typed it over a score made it; other stages pass on what their inputs meant.
class Masked {
 public:
  explicit Masked(const Results& results) : results_(results), inputs_(results.outputs.size()) {}

  bool operator()(StageIndex index, Cell cell) {
    const Stage& stage = results_.graph.stages[index];
    const bool above = results_.outputs[index][cell] > 0;
    if (stage.given()) return stage.role == Role::bias && !above;
    if (!can_explain(results_, index, cell)) return true;  // by what bands let go: it cannot be told
    const MaskOrigin mask_origin = attn::mask_origin(stage.operation, inputs_of(index), cell);
    if (above && !mask_origin.any_sign) return false;
    if (mask_origin.here && (!stage.computed_from || stage.role == Role::score)) return true;
    const auto hidden = [&](const auto& of) {
      const auto& [input, at] = of;
      return inputs_of(index)[input][at] == -std::numeric_limits<float>::infinity() &&
             (*this)(stage.inputs[input], at);
    };
    return mask_origin.all ? std::ranges::all_of(mask_origin.of, hidden)
                           : std::ranges::any_of(mask_origin.of, hidden);
  }

 private:
  Inputs inputs_of(StageIndex index) {
    std::vector<Tensor>& inputs = inputs_[index];
    if (inputs.empty())
      for (const StageIndex input : results_.graph.stages[index].inputs)
        inputs.push_back(results_.outputs[input].whole());
    return inputs;
  }

  const Results& results_;
  std::vector<std::vector<Tensor>> inputs_;  // of the stages that were asked for
};

// Whether the exponent bits of some of them are all ones: NaN or ∞. Without a branch, so that it is fast.
bool some_not_finite(std::span<const float> values) {
  std::uint32_t found = 0;
  for (const float v : values)
    found |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(v) & 0x7F800000u) == 0x7F800000u);
  return found != 0;
}

StageFaults faults_of(const Results& results, StageIndex index) {
  Masked stands_for_masked(results);
  StageFaults faults;
  faults.stage = index;
  const Tensor& values = results.outputs[index].whole();
  for (std::size_t head = 0; head < values.stack(); ++head)
    for (std::size_t i = 0; i < values.rows(); ++i) {
      const std::span<const float> row = row_of(&values, head, i);
      if (!some_not_finite(row)) continue;
      for (std::size_t column = 0; column < row.size(); ++column) {
        if (std::isfinite(row[column])) continue;
        const Cell cell{head, i, column};
        const bool nan = std::isnan(row[column]);
        if (nan && results.graph.stages[index].gaps) continue;
        if (!nan && stands_for_masked(index, cell)) continue;
        if (faults.nan + faults.infinite == 0) faults.first = cell;
        ++(nan ? faults.nan : faults.infinite);
      }
    }
  return faults;
}

}  // namespace

std::optional<Checks> check(const Results& results, const std::function<bool()>& give_up) {
  Checks checks;
  for (StageIndex i = 0; i < results.graph.stages.size(); ++i) {
    const Stage& stage = results.graph.stages[i];
    const bool promises = stage.row_total != RowTotal::any || stage.scores;
    const bool checked = stage.traced && stage.role == Role::weights && promises;
    const Softmax s = checked ? tensors_at(results, i) : Softmax();
    if (!s.weights) continue;
    auto found = check_softmax(s, i, give_up);
    if (!found) return std::nullopt;
    checks.softmaxes.push_back(std::move(*found));
  }
  for (StageIndex stage = 0; stage < results.outputs.size(); ++stage) {
    if (give_up && give_up()) return std::nullopt;
    if (results.summaries[stage].finite || !results.outputs[stage].here()) continue;
    if (rounded_from(results.graph, stage) != stage) continue;  // told of where it is rounded
    StageFaults faults = faults_of(results, stage);
    if (faults.nan + faults.infinite == 0) continue;
    if (results.graph.stages[stage].traits.rounds_to) {
      const Tensor& before = results.outputs[results.graph.stages[stage].inputs[0]].whole();
      const auto overflow =
          first_overflow(results.graph, stage, {&before, 1}, results.outputs[stage].whole());
      if (overflow) faults.first = overflow->cell;
    }
    checks.faults.push_back(faults);
  }
  auto masks = check_masks(results, give_up);
  if (!masks) return std::nullopt;
  checks.masks = std::move(*masks);
  return checks;
}

Checks check(const Results& results) {
  return *check(results, {});
}

std::size_t keys_left(const Results& results, StageIndex weights, std::size_t head, std::size_t query) {
  const Softmax s = tensors_at(results, weights, query);
  return s.weights ? count_left(row_of(s, head, query)) : 0;
}

double row_sum(const Results& results, StageIndex weights, std::size_t head, std::size_t query) {
  return sum(row_of(output(results, weights, query), head, query));
}

Entropy row_entropy(const Results& results, StageIndex weights, std::size_t head, std::size_t query) {
  const Softmax s = tensors_at(results, weights, query);
  if (!s.weights) return {};
  const WeightRow row = row_of(s, head, query);
  return entropy(row.weights, count_left(row));
}

bool is_masked(const Results& results, StageIndex weights, Cell cell) {
  const Softmax s = tensors_at(results, weights, cell.row);
  return s.weights && row_of(s, cell.head, cell.row).masked(cell.column);
}

}  // namespace attn
