// Flash attention: shapes, what it costs, and how its numbers are explained.
#include "core/operations/flash.h"

#include <algorithm>
#include <limits>

#include "core/operations/family.h"
#include "core/operations/flash_row.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kScoreOperations = 6;  // scaling, and the softmax: maximum, subtraction, exp, sum, division

void check_shared(const char* what, const Shape& shape, const Shape& wanted) {
  if (shape.rows != wanted.rows || shape.columns != wanted.columns || shape.stack == 0 ||
      wanted.stack % shape.stack != 0)
    throw Error(std::string(what) + " of " + to_string(shape) + " does not fit " + to_string(wanted));
}

Explanation explained_weight(const FlashRow<float>& row, std::size_t key) {
  const bool hidden = row.hidden[key];
  if (row.log_sum == -std::numeric_limits<double>::infinity())
    return {.rule = hidden ? "no key left: 0" : "no key left: all keys alike", .result = row.weight(key)};
  if (hidden) return {.rule = "masked: 0"};
  return {.rule = "exp(score − ln Σ exp(score)) over the keys that are left", .result = row.weight(key)};
}

}  // namespace

std::string too_wide_for_flash(std::size_t width) {
  if (width <= FlashAttention::kMostWidth) return {};
  return "heads are " + std::to_string(width) + " wide; it takes at most " +
         std::to_string(FlashAttention::kMostWidth);
}

FlashInputs::FlashInputs(const FlashAttention& op) {
  if (op.offsets) offsets = count++;
  if (op.bias) bias = count++;
  if (op.masked) mask = count++;
}

Shape result_shape(const FlashAttention& op, Shapes inputs) {
  const Shape q = inputs[0], k = inputs[1], v = inputs[2];
  if (q.columns != k.columns || k.rows != v.rows || k.stack != v.stack || k.stack == 0 ||
      q.stack % k.stack != 0)
    throw Error("Q of " + to_string(q) + ", K of " + to_string(k) + " and V of " + to_string(v) +
                " do not fit each other");
  if (const std::string why = too_wide_for_flash(std::max(q.columns, v.columns)); !why.empty())
    throw Error("flash attention: " + why);
  const FlashInputs at(op);
  if (op.offsets)
    check_shared("a table by offset", inputs[at.offsets], {q.stack, 1, index_count(*op.offsets)});
  if (op.bias) check_shared("a bias", inputs[at.bias], {q.stack, q.rows, k.rows});
  if (op.masked) check_shared("a mask", inputs[at.mask], {q.stack, q.rows, k.rows});
  return {q.stack, q.rows, v.columns + 1 + (op.weights ? k.rows : 0)};
}

Explanation explain(const FlashAttention& op, Inputs inputs, Cell cell) {
  const FlashRow<float> row(op, inputs, cell.head, cell.row);
  const Tensor& v = inputs[2];
  if (cell.column == v.columns())
    return {.rule = "ln Σ exp(score) over the keys that are left", .result = row.log_sum};
  if (cell.column > v.columns()) return explained_weight(row, cell.column - v.columns() - 1);
  const std::size_t matrix = shared_matrix(cell.head, v.stack(), inputs[0].stack());
  std::vector<Term> terms;
  for (std::size_t j = 0; j < row.weights.size(); ++j) {
    if (row.hidden[j]) continue;
    const Operand value = operand(inputs, 2, {matrix, j, cell.column});
    terms.push_back(
        {.operands = {constant(row.weights[j], "weight"), value}, .value = row.weights[j] * value.value});
  }
  if (terms.empty()) return {.rule = "no key left: 0"};
  if (row.log_sum == -std::numeric_limits<double>::infinity())
    return sum_of("no key left: all keys alike", std::move(terms));
  return sum_of("Σ weight × value over the keys that are left", std::move(terms));
}

Regions reach(const FlashAttention& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape result = result_shape(op, inputs);
  const std::size_t group = result.stack / inputs[input].stack, head = cell.head * group;
  if (input == 1) return {{head, 0, 0}, {head + group, result.rows, result.columns}};
  if (input == 2) return {{head, 0, cell.column}, {head + group, result.rows, cell.column + 1}};
  if (input == FlashInputs(op).offsets) return {{head, 0, 0}, {head + group, result.rows, result.columns}};
  return {{head, cell.row, 0}, {head + group, cell.row + 1, result.columns}};
}

KeptPairs kept_of(const FlashAttention& op, Shapes inputs) {
  return kept_pairs(op.masks, inputs[0].rows, inputs[1].rows, op.first);
}

// Counted as the stages that it stands for, without the keys that its own rules leave out.
Traits traits(const FlashAttention& op, Shapes inputs, const Shape&) {
  const Shape q = inputs[0];
  const double width = static_cast<double>(q.columns + inputs[2].columns),
               heads = static_cast<double>(q.stack);
  const KeptPairs kept = kept_of(op, inputs);
  return {.multiply_adds = (width + kScoreOperations) * heads * times(q.rows, inputs[1].rows),
          .counted = (2 * width + kScoreOperations) * kept.count * heads,
          .widened = listed_bytes(kept),
          .long_rows = true};
}

// Outputs are means of the values.
double size_of_terms(const FlashAttention&, Inputs inputs) {
  double largest = 0;
  for (const float v : inputs[2].values()) largest = std::max(largest, std::abs(static_cast<double>(v)));
  return largest;
}

// Where no key is left the sum is 0, and its logarithm −∞.
MaskOrigin mask_origin(const FlashAttention&, Inputs inputs, Cell cell) {
  return {.here = cell.column == inputs[2].columns()};
}

RowReads cut(FlashAttention& op, Shapes inputs, const RowRange& rows) {
  if (!cut_masks(op.masks, inputs[0].rows, inputs[1].rows, rows)) return std::nullopt;
  op.first += static_cast<std::ptrdiff_t>(rows.first);
  RowReads reads = same_rows(inputs, {1, 2});
  if (const std::size_t offsets = FlashInputs(op).offsets) reads->at(offsets) = RowsRead::all;
  return reads;
}

Backward backward(const FlashAttention& op, Shapes inputs, const Shape&) {
  if (op.bias || op.offsets)
    return no_way_back("what passes to biases needs the scores: compute the layer by stages");
  if (op.weights)
    return no_way_back("what passes from weights needs the scores: compute the layer by stages");
  const std::size_t d = inputs[1].columns, c = inputs[2].columns;
  Backward back;
  const BackwardValue outputs = back.add(TakeColumns{0, c}, {kGradient}, "%g of the outputs");
  const auto of = [&](FlashSide side, const char* words) {
    FlashGradient op_back{op, side};
    std::vector<BackwardValue> reads;
    for (std::size_t i = 0; i < inputs.size(); ++i) reads.push_back(input_of(i));
    reads.insert(reads.end(), {kResult, outputs});
    back.lines.push_back({std::move(op_back), std::move(reads), words});
    return BackwardValue{BackwardValue::line, back.lines.size() - 1};
  };
  back.flow(0, of(FlashSide::queries, "scale · dS·%1, by tiles"));
  const BackwardValue keys = of(FlashSide::keys, "scale · dSᵀ·%0 and Pᵀ·%g, by tiles");
  back.flow(1, back.add(TakeColumns{0, d}, {keys}, "scale · dSᵀ·%0, by tiles"));
  back.flow(2, back.add(TakeColumns{d, c}, {keys}, "Pᵀ·%g, by tiles"));
  return back;
}

template struct Family<FlashAttention>;

}  // namespace attn
