// Position encodings, biases by distance, and tables of learned numbers, which are written out.
#include "core/operations/position.h"

#include <numbers>

#include "core/code/family.h"
#include "core/code/position.h"

namespace attn::code {
namespace {

// Which number of a row each pair of a query and a key takes.
std::vector<std::size_t> indices_of(const OffsetRule& rule, std::size_t queries, std::size_t keys,
                                    std::ptrdiff_t first) {
  std::vector<std::size_t> listed;
  for (std::size_t i = 0; i < queries; ++i)
    for (std::size_t j = 0; j < keys; ++j)
      listed.push_back(
          index_of(rule, static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i) - first));
  return listed;
}

// Of each column of turned features: where its partner stands, and what angle, sign and gain it has.
struct Turning {
  std::vector<std::size_t> partner;
  std::vector<double> angle, sign, gain;
};

Turning turning_of(const Rotate& op, std::size_t width) {
  const std::size_t turned = op.rotary.turned(width), head = turned / op.heads;
  Turning t;
  for (std::size_t column = 0; column < width; ++column) {
    if (column >= turned) {
      t.partner.push_back(column), t.angle.push_back(0), t.sign.push_back(1), t.gain.push_back(1);
      continue;
    }
    const std::size_t start = column / head * head;
    const RotaryPair pair = rotary_pair(op.rotary.pairing, head, column - start);
    const bool is_x = start + pair.x == column;
    t.partner.push_back(start + (is_x ? pair.y : pair.x));
    t.angle.push_back(turn_of(op, turned, start / 2 + pair.pair));
    t.sign.push_back(is_x ? -1 : 1);
    t.gain.push_back(rotary_gain(op.rotary));
  }
  return t;
}

}  // namespace

Formula taken_by_offset(Formula x, const OffsetRule& rule, std::size_t queries, std::size_t keys,
                        std::ptrdiff_t first) {
  const Shape shape{x->shape.stack, queries, keys};
  return by_index(std::move(x), shape, indices_of(rule, queries, keys, first));
}

Formula distance_bias(std::size_t heads, std::size_t queries, std::size_t keys, std::ptrdiff_t first) {
  std::vector<double> slopes;
  for (std::size_t head = 0; head < heads; ++head) slopes.push_back(alibi_slope(head, heads));
  const Formula distance = of_each(Fn::size, places(queries, first) - columns_counted(keys));
  return -1 * constant("slopes", {heads, 1, 1}, slopes) * distance;
}

Formula formula(const SinusoidalEncoding& op, const Given&) {
  std::vector<double> frequency, phase;
  for (std::size_t column = 0; column < op.columns; ++column) {
    frequency.push_back(op.frequency(column));
    phase.push_back(column % 2 == 0 ? 0 : std::numbers::pi / 2);  // a cosine is a sine a quarter on
  }
  const Shape row{1, 1, op.columns};
  const Formula angle =
      places(op.rows, static_cast<std::ptrdiff_t>(op.first)) * constant("frequencies", row, frequency);
  return of_each(Fn::sine, angle + constant("phases", row, phase));
}

Formula formula(const LearnedTable& op, const Given&) {
  const Shape shape{op.stack, op.rows, op.columns};
  std::vector<double> numbers(shape.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = learned_value(op, cell_at(shape, i));
  return constant("numbers", shape, numbers);
}

Formula formula(const Rotate& op, const Given& in) {
  const std::size_t width = in[0]->shape.columns;
  const Turning t = turning_of(op, width);
  const Shape row{1, 1, width};
  const Formula x = in[0];
  const Formula angle =
      places(in[0]->shape.rows, static_cast<std::ptrdiff_t>(op.first)) * constant("turns", row, t.angle);
  const Formula turned = x * of_each(Fn::cosine, angle) +
                         picked(x, t.partner) * (constant("signs", row, t.sign) * of_each(Fn::sine, angle));
  return rotary_gain(op.rotary) == 1 ? turned : turned * constant("gains", row, t.gain);
}

Formula formula(const DistanceBias& op, const Given&) {
  return distance_bias(op.heads, op.rows, op.columns, op.first);
}

Formula formula(const ByOffset& op, const Given& in) {
  return taken_by_offset(in[0], op.rule, op.queries, op.keys, op.first);
}

// By a matrix for each query that says which of its keys belong to which number.
Formula formula(const SumByOffset& op, const Given& in) {
  const Shape& x = in[0]->shape;
  const std::vector<std::size_t> listed = indices_of(op.rule, x.rows, x.columns, op.first);
  const Formula index = constant("indices", {x.rows, x.columns, 1}, {listed.begin(), listed.end()});
  const Formula belongs = where(binary(Fn::equal, index, columns_counted(index_count(op.rule))), 1, 0);
  return exchanged(product(exchanged(in[0]), belongs));
}

template struct CodeOf<SinusoidalEncoding>;
template struct CodeOf<LearnedTable>;
template struct CodeOf<Rotate>;
template struct CodeOf<DistanceBias>;
template struct CodeOf<ByOffset>;
template struct CodeOf<SumByOffset>;

}  // namespace attn::code
