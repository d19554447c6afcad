// Flash attention: shapes, the runs of keys that masks leave, and how its numbers are explained.
#include "core/operations/flash.h"

#include <algorithm>
#include <limits>
#include <numeric>

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

std::size_t key_count(std::ptrdiff_t count, std::size_t keys) {
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(count, 0, static_cast<std::ptrdiff_t>(keys)));
}

Explanation explained_weight(const FlashRow<float>& row, std::size_t key) {
  const bool hidden = row.hidden[key];
  if (row.log_sum == -std::numeric_limits<double>::infinity())
    return {.rule = hidden ? "no key left: 0" : "no key left: all keys alike", .result = row.weight(key)};
  if (hidden) return {.rule = "masked: 0"};
  return {.rule = "exp(score − ln Σ exp(score)) over the keys that are left", .result = row.weight(key)};
}

// The keys of the document that the query's place lies in.
KeyRange document_of(const BlocksRule& rule, const MaskPlace& place) {
  const std::size_t block = block_of(rule, place.place());
  const auto end = rule.lengths.begin() + static_cast<std::ptrdiff_t>(block);
  const std::size_t first = std::accumulate(rule.lengths.begin(), end, std::size_t{0});
  return {std::min(first, place.keys),
          end == rule.lengths.end() ? place.keys : std::min(first + *end, place.keys)};
}

struct RunOfRule {
  const MaskPlace& place;

  KeyRange up_to(std::ptrdiff_t count) const { return {0, key_count(count, place.keys)}; }

  KeyRange operator()(const CausalRule& rule) const { return up_to(last_key(rule, place) + 1); }
  KeyRange operator()(const PaddingRule& rule) const { return {0, valid_length(rule, place)}; }
  KeyRange operator()(const WindowRule& rule) const {
    const auto width = static_cast<std::ptrdiff_t>(rule.width);
    return {key_count(place.place() - width, place.keys), key_count(place.place() + width + 1, place.keys)};
  }
  KeyRange operator()(const PrefixRule& rule) const {
    return up_to(std::max(place.place() + 1, static_cast<std::ptrdiff_t>(rule.length)));
  }
  KeyRange operator()(const BlocksRule& rule) const { return document_of(rule, place); }
  KeyRange operator()(const auto&) const { return {0, place.keys}; }  // leaves no run
};

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

bool leaves_a_run(const std::vector<MaskTerm>& masks) {
  return std::ranges::all_of(masks, [&](const MaskTerm& term) {
    return !term.negated && (&term == &masks.front() || term.join == Join::any) &&
           !std::holds_alternative<StridedRule>(term.rule) &&
           !std::holds_alternative<GlobalRule>(term.rule) && !std::holds_alternative<RandomRule>(term.rule);
  });
}

KeyRange run_of(const std::vector<MaskTerm>& masks, const MaskPlace& place) {
  KeyRange run{0, place.keys};
  for (const MaskTerm& term : masks) {
    const KeyRange of_rule = std::visit(RunOfRule{place}, term.rule);
    run = {std::max(run.first, of_rule.first), std::min(run.last, of_rule.last)};
  }
  return {run.first, std::max(run.first, run.last)};
}

Shape result_shape(const FlashAttention& op, Shapes inputs) {
  const Shape q = inputs[0], k = inputs[1], v = inputs[2];
  if (q.columns != k.columns || k.rows != v.rows || k.stack != v.stack || k.stack == 0 ||
      q.stack % k.stack != 0)
    throw Error("Q of " + to_string(q) + ", K of " + to_string(k) + " and V of " + to_string(v) +
                " do not fit each other");
  if (const std::string why = too_wide_for_flash(std::max(q.columns, v.columns)); !why.empty())
    throw Error("flash attention: " + why);
  if (!leaves_a_run(op.masks))
    throw Error("flash attention takes this mask as a matrix: its rules leave a query keys apart");
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

double pairs_left(const FlashAttention& op, Shapes inputs) {
  const Shape q = inputs[0];
  double left = 0;
  for (std::size_t row = 0; row < q.rows; ++row) {
    const KeyRange run = run_of(op.masks, {q.rows, inputs[1].rows, row, 0, op.first});
    left += static_cast<double>(run.last - run.first);
  }
  return left * static_cast<double>(q.stack);
}

// Counted as the stages that it stands for, without the keys that its own rules leave out.
Traits traits(const FlashAttention& op, Shapes inputs, const Shape&) {
  const Shape q = inputs[0];
  const double width = static_cast<double>(q.columns + inputs[2].columns);
  return {.multiply_adds =
              (width + kScoreOperations) * static_cast<double>(q.stack) * times(q.rows, inputs[1].rows),
          .counted = (2 * width + kScoreOperations) * pairs_left(op, inputs),
          .long_rows = true};
}

// Outputs are means of the values.
double size_of_terms(const FlashAttention&, Inputs inputs) {
  double largest = 0;
  for (const float v : inputs[2].values()) largest = std::max(largest, std::abs(static_cast<double>(v)));
  return largest;
}

RowReads cut(FlashAttention&, Shapes, const RowRange&) {
  return std::nullopt;
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
