// The checks of one stage of weights, row by row.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checks/checks_parts.h"
#include "core/checks/checks_sums.h"
#include "core/graph/softmax_stages.h"
#include "core/operations/matmul.h"
#include "core/text/special.h"

namespace attn {
namespace {

using namespace checking;

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

WeightRow weight_row(const Softmax& s, std::size_t head, std::size_t query) {
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
    weight.weight = row.weights[key];
  }
}

// The first key of a row that is seen only because this rule looks ahead.
std::optional<Cell> first_ahead(const WeightRow& row, const CausalRule& rule, std::size_t queries) {
  const MaskPlace place{.queries = queries, .keys = row.mask.size(), .query = row.query};
  CausalRule right = rule;
  right.ahead = 0;
  const long end = std::min(last_key(rule, place) + 1, static_cast<long>(row.mask.size()));
  for (long key = std::max(last_key(right, place) + 1, 0L); key < end; ++key)
    if (const auto at = static_cast<std::size_t>(key); !row.masked(at)) return Cell{row.head, row.query, at};
  return std::nullopt;
}

void include(MaskedWeight& all, const MaskedWeight& head) {
  all.total += head.total, all.cells += head.cells;
  if (head.largest > all.largest)
    all.largest = head.largest, all.where = head.where, all.weight = head.weight;
}

}  // namespace

namespace checking {

std::span<const float> row_of(const Tensor* tensor, std::size_t matrix, std::size_t row) {
  if (!tensor) return {};
  return tensor->values().subspan(tensor->index({matrix, row, 0}), tensor->columns());
}

bool promises_sums(const Stage& stage) {
  const bool promises = stage.row_total != RowTotal::any || stage.scores;
  return stage.traced && stage.role == Role::weights && promises;
}

SoftmaxCheck::SoftmaxCheck(const Results& results, StageIndex weights)
    : shape_(results.graph.stages[weights].shape) {
  checks_.weights = weights;
  const Stage& stage = results.graph.stages[weights];
  RowSums& sums = checks_.row_sums;
  sums.promised = stage.row_total, sums.least = kInfinity, sums.most = -kInfinity;
  checks_.masked_in_heads.resize(shape_.stack);
  entropies_.resize(shape_.stack);
  columns_.assign(shape_.stack, Columns(shape_.columns));
  if (results.bands && results.bands->passing[weights]) strongest_.resize(shape_.stack);
  const Address of = results.graph.layer_of(stage);
  const Document& document = results.document;
  const auto* rule = find_rule<CausalRule>(document.layer(document.has(of) ? of : kLayerA));
  if (rule && rule->ahead > 0) rule_ = *rule;
}

bool SoftmaxCheck::add(const Results& results, StageIndex weights, std::size_t first,
                       const std::function<bool()>& give_up) {
  const Softmax s = tensors_at(results, weights);
  for (std::size_t head = 0; head < s.weights->stack(); ++head)
    for (std::size_t i = 0; i < s.weights->rows(); ++i) {
      if (give_up && give_up()) return false;
      WeightRow row = weight_row(s, head, i);
      row.query += first;
      add(s, row);
    }
  rows_ += s.weights->rows();
  return true;
}

void SoftmaxCheck::add(const Softmax& s, const WeightRow& row) {
  if (rule_ && s.mask && row.head == 0 && !checks_.ahead)
    if (const auto first = first_ahead(row, *rule_, shape_.rows)) checks_.ahead = {rule_->ahead, *first};
  RowSums& sums = checks_.row_sums;
  if (s.gaps && std::isnan(row.weights[0])) {
    if (sums.rows_without_key++ == 0) sums.first_without_key = {row.head, row.query, 0};
    return;
  }
  const std::size_t left = count_left(row);
  const Entropy e = entropy(row.weights, left);
  entropies_[row.head].nats += e.nats, entropies_[row.head].maximum += e.maximum;
  check_sum(row, s, left, sums);
  check_masked(row, checks_.masked_in_heads[row.head]);
  if (s.promised == RowTotal::one) check_saturation(row, left, e, checks_.saturation);
  columns_[row.head].add(row);
  if (!strongest_.empty()) strongest_[row.head].add(row.weights, row.query);
}

SoftmaxChecks SoftmaxCheck::seen() const {
  SoftmaxChecks seen = checks_;
  RowSums& sums = seen.row_sums;
  const auto rows = static_cast<double>(rows_);
  for (std::size_t head = 0; head < columns_.size(); ++head) {
    if (sums.promised == RowTotal::one)
      seen.heads.push_back({entropies_[head].nats / rows, entropies_[head].maximum / rows});
    include(seen.masked_weight, seen.masked_in_heads[head]);
    columns_[head].find_sink(head, seen.sinks);
    if (!strongest_.empty()) seen.strongest.push_back(strongest_[head].seen());
  }
  if (sums.least > sums.most) sums.least = sums.most = 0;  // no row has a key
  return seen;
}

}  // namespace checking

std::size_t keys_left(const Results& results, StageIndex weights, std::size_t head, std::size_t query) {
  const Softmax s = tensors_at(results, weights, query);
  return s.weights ? count_left(weight_row(s, head, query)) : 0;
}

double row_sum(const Results& results, StageIndex weights, std::size_t head, std::size_t query) {
  return sum(row_of(output(results, weights, query), head, query));
}

Entropy row_entropy(const Results& results, StageIndex weights, std::size_t head, std::size_t query) {
  const Softmax s = tensors_at(results, weights, query);
  if (!s.weights) return {};
  const WeightRow row = weight_row(s, head, query);
  return entropy(row.weights, count_left(row));
}

bool is_masked(const Results& results, StageIndex weights, Cell cell) {
  const Softmax s = tensors_at(results, weights, cell.row);
  return s.weights && weight_row(s, cell.head, cell.row).masked(cell.column);
}

}  // namespace attn
