// Feature maps: which shapes fit, the arithmetic of one number in words, and where it goes.
#include "core/operations/features.h"

#include "core/operations/family.h"
#include "core/operations/features_row.h"
#include "core/operations/row_norm_row.h"
#include "core/operations/written.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kExponential = 10;  // multiply-adds of one

bool is_random(const FeatureMap& op) {
  return op.kind == FeatureKind::random;
}

// Of the gradient: where the features stand among its inputs, and what flows in behind them.
std::size_t features_input(const FeatureMapGradient& op) {
  return is_random(op.forward) ? 2 : 1;
}

// A number of X, multiplied by the scale.
Operand scaled_operand(const FeatureMap& op, Inputs inputs, Cell cell) {
  Operand x = operand(inputs, 0, cell);
  if (op.scale == 1) return x;
  x.value *= op.scale, x.text = "scaled";
  return x;
}

std::string divided_by_root(const Tensor& directions) {
  return " ÷ √" + std::to_string(directions.columns());
}

double root_of_count(const Tensor& directions) {
  return std::sqrt(static_cast<double>(directions.columns()));
}

Explanation explain_random(const FeatureMap& op, Inputs inputs, Cell cell) {
  const Tensor& directions = inputs[1];
  const RandomExponent exponent =
      random_exponent(op.scale, row_numbers(inputs[0], cell.head, cell.row), directions, cell.column);
  std::vector<Term> terms;
  for (std::size_t i = 0; i < inputs[0].columns(); ++i) {
    const Operand x = scaled_operand(op, inputs, {cell.head, cell.row, i}),
                  w = operand(inputs, 1, {0, i, cell.column});
    terms.push_back({.operands = {x, w}, .value = x.value * w.value});
  }
  terms.push_back({.operands = {constant(-exponent.half_square, "−‖x‖²/2")},
                   .value = -exponent.half_square,
                   .named_by = 0});
  const std::string root = divided_by_root(directions);
  Explanation e = sum_of("exp(w·x − ‖x‖²/2)" + root, std::move(terms));
  e.aggregate = Aggregate::applied;
  e.result = std::exp(exponent.value()) / root_of_count(directions);
  e.over = 0;
  e.formula = {words("exp("),
               part_of(1, " · "),
               part_of(0, in_brackets(cell.row)),
               words(" − ‖"),
               part_of(0, in_brackets(cell.row)),
               words("‖²/2)" + root + ", Σ over "),
               columns_of(0)};
  e.passages = {{words("one term of an exponent")}};
  return e;
}

Explanation explain_random_flow(const FeatureMap& op, Inputs inputs, Cell cell) {
  const Operand x = scaled_operand(op, inputs, cell);
  std::vector<Term> terms;
  for (std::size_t r = 0; r < inputs[1].columns(); ++r) {
    const Cell at{cell.head, cell.row, r};
    const Operand g = operand(inputs, 3, at), feature = operand(inputs, 2, at),
                  w = operand(inputs, 1, {0, cell.column, r});
    const double flow = random_flow(g.value, feature.value, w.value, x.value);
    const Operand away =
        constant(op.scale * (w.value - x.value), (op.scale == 1 ? "(" : written(op.scale) + "·(") +
                                                     written(w.value) + " − " + written(x.value) + ")");
    terms.push_back({.operands = {g, feature, away}, .value = op.scale * flow});
  }
  Explanation e = sum_of("Σ over directions of what flows in × feature × (direction − number)" +
                             std::string(op.scale == 1 ? "" : " × scale"),
                         std::move(terms));
  e.over = 2;
  e.passages = {{words("it says how far the directions are")},
                {words("one direction of a sum")},
                {words("one feature of a sum")}};
  return e;
}

}  // namespace

Shape result_shape(const FeatureMap& op, Shapes inputs) {
  if (!std::isfinite(op.scale)) throw Error("features need a finite scale");
  const Shape& x = inputs[0];
  if (!is_random(op)) return x;
  if (inputs.size() < 2) throw Error("random features need their directions");
  const Shape& directions = inputs[1];
  if (directions.stack != 1 || directions.rows != x.columns || directions.columns == 0)
    throw Error("directions of " + to_string(directions) + " do not fit rows of " +
                std::to_string(x.columns) + ": random features need " + std::to_string(x.columns) +
                "×R of them, R at least 1");
  return {x.stack, x.rows, directions.columns};
}
Shape result_shape(const FeatureMapGradient& op, Shapes inputs) {
  const std::size_t features = features_input(op);
  const Shape result = result_shape(op.forward, inputs.first(features));
  for (const Shape& given : inputs.subspan(features, 2))
    if (given != result)
      throw Error("features or their gradient of " + to_string(given) + " are not those of rows that make " +
                  to_string(result));
  return inputs[0];
}

Explanation explain(const FeatureMap& op, Inputs inputs, Cell cell) {
  if (is_random(op)) return explain_random(op, inputs, cell);
  const Operand x = scaled_operand(op, inputs, cell);
  const double value = feature_of(op.kind, x.value);
  const bool relu = op.kind == FeatureKind::relu;
  if (!relu && x.value > 0) {
    Explanation e = only("above 0: x + 1", {.operands = {x, constant(1, "1")}, .value = value});
    e.writing = {.between = "+"};
    e.formula = {cell_of(0, cell), words(" + 1")};
    e.passages = {{words("+ 1")}};
    return e;
  }
  const std::string function = relu ? "max(0, " : "exp(";
  Explanation e = only(relu ? "max(0, x)" : "not above 0: exp(x)", {.operands = {x}, .value = value});
  e.writing = {.before = function, .after = ")"};
  e.formula = {words(function), cell_of(0, cell), words(")")};
  e.passages = {e.formula};
  return e;
}

Explanation explain(const FeatureMapGradient& op, Inputs inputs, Cell cell) {
  if (is_random(op.forward)) return explain_random_flow(op.forward, inputs, cell);
  const FeatureKind kind = op.forward.kind;
  const Operand feature = operand(inputs, 1, cell), g = operand(inputs, 2, cell);
  const double slope = feature_slope(kind, feature.value);
  Operand grows = feature;
  grows.value = slope * op.forward.scale, grows.text = "slope";
  Explanation e = only(kind == FeatureKind::relu ? "what flows in, where the number is above 0"
                       : slope == 1              ? "what flows in: above 0 the feature grows as the number"
                                                 : "what flows in × exp(x), which is the feature",
                       product_term(g, grows));
  e.passages = {
      {words("it says how steep the feature is")}, {words("how steep it is")}, {words("× its slope")}};
  return e;
}

Regions reach(const FeatureMap& op, Shapes inputs, std::size_t input, Cell cell) {
  if (!is_random(op)) return region(cell);
  const Shape result = result_shape(op, inputs);
  if (input == 0) return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, result.columns}};
  return {{0, 0, cell.column}, {result.stack, result.rows, cell.column + 1}};
}
Regions reach(const FeatureMapGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  if (!is_random(op.forward)) return input == 0 ? Regions() : Regions(region(cell));
  const Shape& x = inputs[0];
  if (input == 0) return region(cell);
  if (input == 1) return {{0, 0, cell.row}, {x.stack, x.rows, cell.row + 1}};
  return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, x.columns}};
}

// Counted: of a random feature its products, exponential, difference and quotient, of a row its squares.
Traits traits(const FeatureMap& op, Shapes inputs, const Shape& result) {
  if (!is_random(op))
    return {.multiply_adds = (op.kind == FeatureKind::relu ? 1 : kExponential) * size_of(result),
            .bends = op.kind == FeatureKind::relu};
  const double width = static_cast<double>(inputs[0].columns);
  return {.multiply_adds = (2 * width + kExponential) * size_of(result),
          .counted = (2 * width + 3) * size_of(result) + 2 * size_of(inputs[0])};
}
Traits traits(const FeatureMapGradient& op, Shapes inputs, const Shape& result) {
  if (!is_random(op.forward)) return {.multiply_adds = size_of(result)};
  const double products = size_of(result) * static_cast<double>(inputs[1].columns);
  return {.multiply_adds = 2 * products, .counted = 4 * products};
}

RowReads cut(FeatureMap& op, Shapes inputs, const RowRange&) {
  return is_random(op) ? same_rows(inputs, {1}) : same_rows(inputs);
}
RowReads cut(FeatureMapGradient& op, Shapes inputs, const RowRange&) {
  return is_random(op.forward) ? same_rows(inputs, {1}) : same_rows(inputs);
}

Backward backward(const FeatureMap& op, Shapes, const Shape&) {
  Backward back;
  const BackwardValue flow =
      is_random(op)  // nobody learns the directions: they are drawn
          ? back.add(FeatureMapGradient{op}, {input_of(0), input_of(1), kResult, kGradient},
                     "Σ over %1 of %g ⊙ %y · (%1 − %0)")
          : back.add(FeatureMapGradient{op}, {input_of(0), kResult, kGradient},
                     op.kind == FeatureKind::relu ? "%g where %0 > 0" : "%g ⊙ min(1, %y)");
  back.flow(0, flow);
  if (op.scale == 0) return back;
  // What flows to scale·X is what flows to X ÷ scale.
  const BackwardValue with_scale =
      back.add(SumProduct{SumProduct::all}, {flow, input_of(0)}, "Σ what flows to %0 ⊙ %0");
  back.number = back.add(Scale{1 / op.scale, {}}, {with_scale}, "Σ what flows to %0 ⊙ %0 ÷ scale");
  return back;
}
Backward backward(const FeatureMapGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<FeatureMap>;
template struct Family<FeatureMapGradient>;

}  // namespace attn
