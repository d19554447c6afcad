// Cross-entropy and its gradient: which shapes fit, the arithmetic of one number in words, and where it goes.
#include "core/operations/cross_entropy.h"

#include "core/operations/cross_entropy_row.h"
#include "core/operations/family.h"
#include "core/system/error.h"

namespace attn {
namespace {

void check_answers(const Shape& z, const Shape& answers) {
  if (answers != Shape{z.stack, z.rows, 1})
    throw Error("right answers of " + to_string(answers) + " do not fit scores of " + to_string(z) +
                ": each row needs one, the number of a column or −1 where nothing is asked");
}

Shape loss_shape(bool mean, const Shape& z) {
  return mean ? Shape{1, 1, 1} : Shape{z.stack, z.rows, 1};
}

std::span<const float> scores_of(Inputs inputs, Cell row) {
  const Tensor& z = inputs[0];
  return z.values().subspan((row.head * z.rows() + row.row) * z.columns(), z.columns());
}

double answer_of(Inputs inputs, Cell row) {
  return inputs[1][{row.head, row.row, 0}];
}

// What is said of a row whose answer is no column's.
std::string without_column(Asked asked, double answer) {
  return asked == Asked::nothing ? "nothing is asked of this row: 0"
                                 : "there is no answer " + std::to_string(answer) + ": NaN";
}

Explanation not_asked(Inputs inputs, Cell row, Asked asked) {
  const Operand answer = operand(inputs, 1, {row.head, row.row, 0});
  return only(without_column(asked, answer.value),
              {.operands = {answer}, .value = asked == Asked::nothing ? 0 : kNan});
}

Explanation explain_row(Inputs inputs, Cell cell) {
  const auto z = scores_of(inputs, cell);
  const double answer = answer_of(inputs, cell), loss = loss_of_row(z, answer);
  const Asked asked = asked_of(answer, z.size());
  if (asked != Asked::column) return not_asked(inputs, cell, asked);
  const auto right = static_cast<std::size_t>(answer);
  const Operand score = operand(inputs, 0, {cell.head, cell.row, right});
  const Answered row = answered(z, right);
  const double log_sum = row.largest + std::log(row.others + row.right);
  Explanation e = sum_of("ln Σ exp(score) − score of the right answer",
                         {{.operands = {constant(log_sum, "ln Σ exp")}, .value = log_sum},
                          {.operands = {constant(-1, "−1"), score}, .value = -score.value}});
  e.result = loss;
  e.formula = {words("ln Σ exp "), part_of(0, in_brackets(cell.row)), words(" − "),
               cell_of(0, {cell.head, cell.row, right})};
  return e;
}

Explanation explain_mean(Inputs inputs) {
  const double asked = rows_asked(inputs[1]);
  const Operand share = constant(asked > 0 ? 1 / asked : 0, "1/" + std::to_string(static_cast<long>(asked)));
  std::vector<Term> terms;
  for (Cell row; row.head < inputs[0].stack(); ++row.head)
    for (row.row = 0; row.row < inputs[0].rows(); ++row.row) {
      if (answer_of(inputs, row) < 0) continue;
      const double loss = loss_of_row(scores_of(inputs, row), answer_of(inputs, row));
      terms.push_back({.operands = {constant(loss, "row " + std::to_string(row.row)), share},
                       .value = loss * share.value});
    }
  return sum_of("Σ of the rows’ ln Σ exp(score) − score of the right answer ÷ rows asked", std::move(terms));
}

}  // namespace

Shape result_shape(const CrossEntropy& op, Shapes inputs) {
  check_answers(inputs[0], inputs[1]);
  return loss_shape(op.mean, inputs[0]);
}
Shape result_shape(const CrossEntropyGradient& op, Shapes inputs) {
  check_answers(inputs[0], inputs[1]);
  if (inputs[2] != loss_shape(op.mean, inputs[0]))
    throw Error("a gradient of " + to_string(inputs[2]) + " is not that of a loss of " +
                to_string(loss_shape(op.mean, inputs[0])));
  return inputs[0];
}

Explanation explain(const CrossEntropy& op, Inputs inputs, Cell cell) {
  return op.mean ? explain_mean(inputs) : explain_row(inputs, cell);
}

Explanation explain(const CrossEntropyGradient& op, Inputs inputs, Cell cell) {
  const auto z = scores_of(inputs, cell);
  const double answer = answer_of(inputs, cell);
  const Asked asked = asked_of(answer, z.size());
  if (asked != Asked::column) return not_asked(inputs, cell, asked);
  const auto right = static_cast<std::size_t>(answer);
  const double flow = flow_to_score(answered(z, right), z, right, cell.column);
  Operand score = operand(inputs, 0, cell);
  score.value = flow, score.text = cell.column == right ? "softmax − 1" : "softmax";
  const Operand g = operand(inputs, 2, op.mean ? Cell{} : Cell{cell.head, cell.row, 0});
  const double rows = op.mean ? rows_asked(inputs[1]) : 1;
  std::vector<Operand> factors{score, g};
  if (op.mean) factors.push_back(constant(1 / rows, "1/" + std::to_string(static_cast<long>(rows))));
  return only(std::string(cell.column == right ? "(softmax − 1)" : "softmax") + " × what flows in" +
                  (op.mean ? " ÷ rows asked" : ""),
              {.operands = std::move(factors), .value = flow * g.value / rows});
}

// The mean is of every row; answers also count which are asked.
Regions reach(const CrossEntropy& op, Shapes, std::size_t, Cell cell) {
  return op.mean ? region({0, 0, 0}) : region({cell.head, cell.row, 0});
}
Regions reach(const CrossEntropyGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape& z = inputs[0];
  if (op.mean && input > 0) return {{0, 0, 0}, {z.stack, z.rows, z.columns}};
  return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, z.columns}};
}

// As a softmax counts: maximum, subtraction, exponential, sum; and division.
Traits traits(const CrossEntropy&, Shapes inputs, const Shape&) {
  return {.multiply_adds = 12 * size_of(inputs[0]), .counted = 4 * size_of(inputs[0])};
}
Traits traits(const CrossEntropyGradient&, Shapes inputs, const Shape&) {
  return {.multiply_adds = 22 * size_of(inputs[0]), .counted = 6 * size_of(inputs[0])};
}

RowReads cut(CrossEntropy& op, Shapes inputs, const RowRange&) {
  return op.mean ? std::nullopt : same_rows(inputs);
}
// Rows of the mean's would count the rows asked among themselves.
RowReads cut(CrossEntropyGradient& op, Shapes inputs, const RowRange&) {
  return op.mean ? std::nullopt : same_rows(inputs);
}

Backward backward(const CrossEntropy& op, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(CrossEntropyGradient{op.mean}, {input_of(0), input_of(1), kGradient},
                        "%g · (softmax of %0 − 1 at the answer)"));
  return back;
}
Backward backward(const CrossEntropyGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<CrossEntropy>;
template struct Family<CrossEntropyGradient>;

}  // namespace attn
