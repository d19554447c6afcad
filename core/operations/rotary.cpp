// Rotation by position: the angles, as they are and stretched, and one turned number explained.
#include "core/operations/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/operations/family.h"
#include "core/system/error.h"

namespace attn {
namespace {

// How often a pair turns within the training length. With fewer turns than `slow` it is interpolated, with
// more than `fast` left alone; in between a share of it is.
struct TurnBounds {
  double slow, fast;
};
constexpr TurnBounds kYarn{1, 32};   // for models of the Llama family (section 3.2)
constexpr TurnBounds kLlama3{1, 4};  // low_freq_factor and high_freq_factor of its model files

double kept_by_turns(const Rotary& r, double frequency, TurnBounds bounds) {
  const double turns = static_cast<double>(r.trained) * frequency / (2 * std::numbers::pi);
  return std::clamp((turns - bounds.slow) / (bounds.fast - bounds.slow), 0.0, 1.0);
}

// The released program goes from kept to interpolated between two numbers of pairs, those that turn so often,
// rounded outwards and kept among the features.
double kept_by_number(const Rotary& r, double width, double pair) {
  const auto number = [&](double turns) {
    const double length = static_cast<double>(r.trained);
    return width * std::log(length / (turns * 2 * std::numbers::pi)) / (2 * std::log(r.base));
  };
  const double low = std::clamp(std::floor(number(kYarn.fast)), 0.0, width - 1);
  const double high = std::clamp(std::ceil(number(kYarn.slow)), 0.0, width - 1);
  const double between = high == low ? 0.001 : high - low;  // as there: no division by 0
  return 1 - std::clamp((pair - low) / between, 0.0, 1.0);
}

std::string even_near(std::size_t width) {
  return (width > 1 ? std::to_string(width - 1) + " or " : "") + std::to_string(width + 1);
}

}  // namespace

double rotary_frequency(const Rotary& r, std::size_t turned, std::size_t pair) {
  const double w = static_cast<double>(turned), i = static_cast<double>(pair);
  const bool widened = r.stretch == Stretch::ntk && turned > 2;  // a single pair turns by 1 with any base
  const double base = widened ? r.base * std::pow(r.factor, w / (w - 2)) : r.base;
  const double frequency = std::pow(base, -2 * i / w);
  const auto mixed = [&](double kept) { return (1 - kept) * frequency / r.factor + kept * frequency; };
  switch (r.stretch) {
    case Stretch::none:
    case Stretch::ntk:
      return frequency;
    case Stretch::interpolation:
      return frequency / r.factor;
    case Stretch::yarn:
      return mixed(kept_by_turns(r, frequency, kYarn));
    case Stretch::yarn_released:
      return mixed(kept_by_number(r, w, i));
    case Stretch::llama3:
      return mixed(kept_by_turns(r, frequency, kLlama3));
  }
  return frequency;
}

double rotary_gain(const Rotary& r) {
  const bool yarn = r.stretch == Stretch::yarn || r.stretch == Stretch::yarn_released;
  return yarn ? 0.1 * std::log(r.factor) + 1 : 1;
}

RotaryPair rotary_pair(Pairing pairing, std::size_t turned, std::size_t column) {
  if (pairing == Pairing::neighbour) return {column / 2, column / 2 * 2, column / 2 * 2 + 1};
  const std::size_t half = turned / 2, pair = column % half;
  return {pair, pair, pair + half};
}

void check_rotary(const Rotary& r, std::size_t width) {
  if (!(r.base > 0) || !std::isfinite(r.base)) throw Error("RoPE needs a base above 0; 10000 is usual");
  if (!(r.factor >= 1) || !std::isfinite(r.factor))
    throw Error("RoPE is stretched to 1 times the training length or more: use 1 or a larger number");
  const bool any = width > 1;  // one feature alone has no part that could turn
  if (any && r.part > width)
    throw Error("RoPE cannot turn " + std::to_string(r.part) + " of " + std::to_string(width) +
                " features: use at most " + std::to_string(width - width % 2));
  if (any && r.part % 2 != 0)
    throw Error("RoPE turns pairs of features, and " + std::to_string(r.part) + " are no pairs: turn " +
                (r.part < width ? even_near(r.part) : std::to_string(r.part - 1)));
  if (any && r.turned(width) % 2 == 0) return;
  throw Error("RoPE turns pairs of features and needs an even width, but queries and keys are " +
              std::to_string(width) + " wide: use " + even_near(width) +
              (width > 1 ? ", or turn the first " + std::to_string(width - 1) + " alone" : ""));
}

double turn_of(const Rotate& op, std::size_t turned, std::size_t pair) {
  const std::size_t head = turned / op.heads;
  const double angle = rotary_frequency(op.rotary, head, op.heads == 1 ? pair : pair % (head / 2));
  return op.back ? -angle : angle;
}

Shape result_shape(const Rotate& op, Shapes inputs) {  // throws what check_rotary throws
  check_rotary(op.rotary, inputs[0].columns);
  const std::size_t turned = op.rotary.turned(inputs[0].columns);
  if (op.heads == 0 || turned % (2 * op.heads) != 0)
    throw Error(std::to_string(turned) + " features are not pairs of " + std::to_string(op.heads) + " heads");
  if (op.heads > 1 && op.rotary.pairing != Pairing::neighbour)
    throw Error("heads side by side are turned in pairs of neighbours");
  return inputs[0];
}

Explanation explain(const Rotate& op, Inputs inputs, Cell cell) {
  const std::size_t turned = op.rotary.turned(inputs[0].columns());
  if (cell.column >= turned) {
    const Operand x = operand(inputs, 0, cell);
    Explanation e = only("not turned: RoPE turns the first " + std::to_string(turned) + " features",
                         {.operands = {x}, .value = x.value});
    e.passages = {{words("not turned")}};
    return e;
  }
  const RotaryPair at = rotary_pair(op.rotary.pairing, turned, cell.column);
  const Cell x_cell{cell.head, cell.row, at.x}, y_cell{cell.head, cell.row, at.y};
  const Operand x = operand(inputs, 0, x_cell), y = operand(inputs, 0, y_cell);
  const double gain = rotary_gain(op.rotary);
  const double position = static_cast<double>(op.first + cell.row);
  const double angle = position * turn_of(op, turned, at.pair);
  const bool second = cell.column == at.y;
  const Operand c = constant(gain * std::cos(angle), "cos φ");
  const Operand s = constant((second ? gain : -gain) * std::sin(angle), second ? "sin φ" : "−sin φ");
  const Operand &from_x = second ? s : c, &from_y = second ? c : s;
  Explanation e =
      sum_of("pair " + std::to_string(at.pair) + (op.back ? " turned by φ = −p·θ" : " turned by φ = p·θ"),
             {{.operands = {x, from_x}, .value = x.value * from_x.value},
              {.operands = {y, from_y}, .value = y.value * from_y.value}});
  e.formula = {cell_of(0, x_cell), words(second ? " · sin φ + " : " · cos φ − "), cell_of(0, y_cell),
               words(second ? " · cos φ" : " · sin φ")};
  if (gain != 1) e.formula.insert(e.formula.end(), {words(", times "), number_of(gain)});
  e.passages = {{words("pair " + std::to_string(at.pair) + " turned by "), number_of(angle, " rad")}};
  e.turn = Turn{.angle = angle, .x = x.value, .y = y.value, .gain = gain, .second = second};
  return e;
}

Regions reach(const Rotate& op, Shapes inputs, std::size_t, Cell cell) {
  const std::size_t turned = op.rotary.turned(inputs[0].columns);
  if (cell.column >= turned) return region(cell);
  const RotaryPair at = rotary_pair(op.rotary.pairing, turned, cell.column);
  if (at.y == at.x + 1) return {{cell.head, cell.row, at.x}, {cell.head + 1, cell.row + 1, at.y + 1}};
  Regions both = region({cell.head, cell.row, at.x});
  both.push_back(region({cell.head, cell.row, at.y}));
  return both;
}

Traits traits(const Rotate&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}

RowReads cut(Rotate& op, Shapes inputs, const RowRange& rows) {
  op.first += rows.first;
  return same_rows(inputs);
}

Backward backward(const Rotate& op, Shapes, const Shape&) {
  Rotate other = op;
  other.back = !op.back;
  Backward back;
  back.flow(0, back.add(std::move(other), {kGradient}, "%g, turned back"));
  return back;
}

template struct Family<Rotate>;

}  // namespace attn
