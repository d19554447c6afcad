// Number by number: scaled, added, replaced, dropped, compared, and sums of such products.
#include "core/code/family.h"

namespace attn::code {
namespace {

Formula total(Formula x) {
  return stack_sum(column_sum(row_sum(x)));
}

// How many of a target are asked for, at least one: nothing is asked where it is NaN.
Formula asked(Formula target) {
  return binary(Fn::equal, target, target);
}

}  // namespace

// A matrix that is given has no formula: a program begins with it.
Formula formula(const Source&, const Given&) {
  throw Error("a given matrix is no formula");
}

Formula formula(const Scale& op, const Given& in) {
  const Formula x = in[0];
  return op.factor == 1 ? x : x * op.factor;
}

Formula formula(const Add&, const Given& in) {
  return in[0] + shared_by(in[1], in[0]->shape.stack);
}

Formula formula(const Multiply&, const Given& in) {
  return times_or_zero(in[0], shared_by(in[1], in[0]->shape.stack));
}

Formula formula(const Override& op, const Given& in) {
  const Shape& shape = in[0]->shape;
  std::vector<double> typed(shape.size()), values(shape.size());
  for (const CellValue& cell : op.cells) {
    if (!holds(shape, cell.cell)) continue;
    typed[index_of(shape, cell.cell)] = 1;
    values[index_of(shape, cell.cell)] = cell.value;
  }
  return where(binary(Fn::differs, constant("typed", shape, typed), 0), constant("values", shape, values),
               in[0]);
}

Formula formula(const Tanh& op, const Given& in) {
  const Formula x = in[0];
  return op.cap == 1 ? of_each(Fn::tanh, x) : op.cap * of_each(Fn::tanh, x / op.cap);
}

Formula formula(const Dropout& op, const Given& in) {
  const Shape& shape = in[0]->shape;
  std::vector<double> kept(shape.size());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = dropout_keeps(op, shape, cell_at(shape, i)) ? 1 : 0;
  return where(binary(Fn::differs, constant("kept", shape, kept), 0), in[0] * op.factor(), 0);
}

Formula formula(const SumProduct& op, const Given& in) {
  const Formula products = times_or_zero(in[0], in[1]);
  return op.over == SumProduct::row ? row_sum(products) : total(products);
}

Formula formula(const MeanSquare&, const Given& in) {
  const Formula difference = in[0] - in[1];
  const Formula count = total(where(asked(in[1]), 1, 0));
  return total(where(asked(in[1]), difference * difference, 0)) / binary(Fn::larger, count, 1);
}

Formula formula(const MeanSquareGradient&, const Given& in) {
  const Formula count = total(where(asked(in[1]), 1, 0));
  return where(asked(in[1]), 2 * (in[0] - in[1]) * in[2] / count, 0);
}

// Equal infinities and two NaN differ by 0, too.
Formula formula(const Compared& op, const Given& in) {
  const Formula &a = in[0], &b = in[1];
  const Formula both_nan = binary(Fn::both, binary(Fn::differs, a, a), binary(Fn::differs, b, b));
  const Formula same = binary(Fn::either, binary(Fn::equal, a, b), both_nan);
  switch (op.figure) {
    case Compared::difference:
      return where(same, 0, b - a);
    case Compared::ratio:
      return where(same, 1, b / a);
    case Compared::distance:
      break;
  }
  return where(same, 0, of_each(Fn::size, b - a));
}

template struct CodeOf<Source>;
template struct CodeOf<Scale>;
template struct CodeOf<Add>;
template struct CodeOf<Multiply>;
template struct CodeOf<Override>;
template struct CodeOf<Tanh>;
template struct CodeOf<Dropout>;
template struct CodeOf<Compared>;
template struct CodeOf<SumProduct>;
template struct CodeOf<MeanSquare>;
template struct CodeOf<MeanSquareGradient>;

}  // namespace attn::code
