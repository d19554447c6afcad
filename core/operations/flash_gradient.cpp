// The way back through flash attention: shapes, and how its numbers are explained.
#include "core/operations/flash_gradient.h"

#include <algorithm>
#include <cmath>

#include "core/operations/family.h"
#include "core/operations/flash_gradient_row.h"
#include "core/operations/shared_heads.h"
#include "core/system/error.h"

namespace attn {
namespace {

// Of a pair, besides products: scaling, exp and the difference before it, the mean and the product with it,
// and scaling.
constexpr double kPairOperations = 6;

Explanation explained_query(const FlashGradient& op, Inputs inputs, Cell cell) {
  const FlashBack<float> back(op, inputs, cell.head, cell.row);
  const std::size_t matrix = shared_matrix(cell.head, inputs[1].stack(), inputs[0].stack());
  std::vector<Term> terms;
  for (std::size_t j = 0; j < inputs[1].rows(); ++j) {
    if (back.hides(j)) continue;
    const double to_score = op.forward.scale * back(j).to_score();
    const Operand key = operand(inputs, 1, {matrix, j, cell.column});
    terms.push_back(
        {.operands = {constant(to_score, "gradient of the product"), key}, .value = to_score * key.value});
  }
  if (terms.empty()) return {.rule = "no key left: 0"};
  return sum_of("Σ gradient of query · key × key over the keys that are left", std::move(terms));
}

Explanation explained_key(const FlashGradient& op, Inputs inputs, Cell cell) {
  const std::size_t d = inputs[0].columns();
  const bool of_value = cell.column >= d;
  const std::size_t gradient = FlashGradientInputs(op).gradient;
  std::vector<Term> terms;
  for (const FlashBack<float>& back : rows_of_keys<float>(op, inputs, cell.head)) {
    if (back.hides(cell.row)) continue;
    const FlashPair pair = back(cell.row);
    const auto [head, row, column] = back.row();
    const double factor = of_value ? pair.weight : op.forward.scale * pair.to_score();
    const Operand other = operand(inputs, of_value ? static_cast<int>(gradient) : 0,
                                  {head, row, of_value ? cell.column - d : cell.column});
    terms.push_back({.operands = {constant(factor, of_value ? "weight" : "gradient of the product"), other},
                     .value = factor * other.value});
  }
  if (terms.empty()) return {.rule = "no query sees it: 0"};
  return sum_of(of_value ? "Σ weight × gradient of the output over the queries that see it"
                         : "Σ gradient of query · key × query over the queries that see it",
                std::move(terms));
}

Regions reach_queries(const FlashGradientInputs& at, Shapes inputs, std::size_t input, Cell cell) {
  const SharedHeads heads(inputs, input, cell.head);
  const bool of_all = input == 1 || input == 2 || (at.offsets && input == at.offsets);
  return {{heads.first, of_all ? 0 : cell.row, 0},
          {heads.last, of_all ? inputs[0].rows : cell.row + 1, inputs[0].columns}};
}

// What passes to values does not depend on the outputs nor on the values; of the gradient of the outputs just
// on the column.
Regions reach_keys(const FlashGradientInputs& at, Shapes inputs, std::size_t input, Cell cell) {
  const SharedHeads heads(inputs, input, cell.head);
  const std::size_t d = inputs[0].columns, c = inputs[2].columns;
  const bool of_pair = input > 0 && (input == at.bias || input == at.mask);
  const bool of_key = input == 1 || input == 2 || of_pair;
  const std::size_t row = of_pair ? cell.column : cell.row;
  const bool to_keys_alone = input == 2 || input == at.gradient || (input == at.result && cell.column < c);
  Regions all({heads.first_keys, of_key ? row : 0, 0},
              {heads.last_keys, of_key ? row + 1 : inputs[1].rows, to_keys_alone ? d : d + c});
  if (input == at.gradient)
    all.push_back(
        {{heads.first_keys, 0, d + cell.column}, {heads.last_keys, inputs[1].rows, d + cell.column + 1}});
  return all;
}

}  // namespace

Shape result_shape(const FlashGradient& op, Shapes inputs) {
  const FlashGradientInputs at(op);
  const Shape forward = Family<FlashAttention>::result_shape(op.forward, inputs.first(at.result));
  const Shape outputs{forward.stack, forward.rows, inputs[2].columns};
  if (inputs[at.result] != forward || inputs[at.gradient] != outputs)
    throw Error("a result of " + to_string(inputs[at.result]) + " and a gradient of " +
                to_string(inputs[at.gradient]) + " do not fit outputs of " + to_string(outputs));
  if (op.of == FlashSide::queries) return inputs[0];
  return {inputs[1].stack, inputs[1].rows, inputs[1].columns + inputs[2].columns};
}

Explanation explain(const FlashGradient& op, Inputs inputs, Cell cell) {
  return op.of == FlashSide::queries ? explained_query(op, inputs, cell) : explained_key(op, inputs, cell);
}

Regions reach(const FlashGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  const FlashGradientInputs at(op);
  if (input == at.result && cell.column > inputs[2].columns) return {};  // weights, which are not read
  return op.of == FlashSide::queries ? reach_queries(at, inputs, input, cell)
                                     : reach_keys(at, inputs, input, cell);
}

// Of a pair two products, of the query with the key and of dO with the value, and then one for each number
// that it passes something to. Counted without the keys that the rules leave out.
Traits traits(const FlashGradient& op, Shapes inputs, const Shape& result) {
  const double width = static_cast<double>(inputs[0].columns + inputs[2].columns),
               passed = static_cast<double>(result.columns);
  const double heads = static_cast<double>(inputs[0].stack);
  const KeptPairs kept = kept_of(op.forward, inputs);
  return {.multiply_adds = (width + passed + kPairOperations) * times(inputs[0].rows, inputs[1].rows) * heads,
          .counted = (2 * (width + passed) + kPairOperations) * kept.count * heads,
          .widened = listed_bytes(kept),
          .long_rows = true};
}

// As large as what passes to a score of weight 1 can be, times what is multiplied with it.
double size_of_terms(const FlashGradient& op, Inputs inputs) {
  const auto largest = [&](std::size_t input, bool rows) {
    const Tensor& x = inputs[input];
    double most = 0;
    for (std::size_t first = 0, width = rows ? x.columns() : 1; first < x.values().size(); first += width) {
      double squares = 0;
      for (const float value : x.values().subspan(first, width))
        squares += static_cast<double>(value) * static_cast<double>(value);
      most = std::max(most, squares);
    }
    return std::sqrt(most);
  };
  const std::size_t gradient = FlashGradientInputs(op).gradient;
  const bool of_queries = op.of == FlashSide::queries;
  return std::abs(op.forward.scale) * largest(gradient, true) * largest(2, true) *
         largest(of_queries ? 1 : 0, false);
}

RowReads cut(FlashGradient&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const FlashGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<FlashGradient>;

}  // namespace attn
