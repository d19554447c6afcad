// Local attention: centres between keys, on them and at the edge of the reach, away from them all, and none.
#include <array>
#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/operations/local_slopes.h"

namespace attn::opencl {
namespace {

// Around the keys: whole numbers, halves, what lies just off them, and numbers between; in other kinds as
// they come.
Tensor centres_for(Shape shape, Kind kind, std::uint64_t seed) {
  const Tensor random = numbers({shape.stack, shape.rows, 1}, kind, seed + 3000);
  if (kind != Kind::ordinary) return random;
  std::vector<float> centres;
  for (const float x : random.values()) {
    const float place = (x + 10) / 20 * (static_cast<float>(shape.columns) + 4) - 2;
    const std::array choices{std::round(place), std::round(2 * place) / 2, place,
                             std::nextafter(std::round(place), 1e9f),
                             std::nextafter(std::round(place), -1e9f)};
    centres.push_back(choices[centres.size() % choices.size()]);
  }
  return {random.shape(), std::move(centres)};
}

std::vector<Case> centre_cases(Scope scope) {
  std::vector<Case> cases;
  for (const std::size_t keys : {4096, 1, 7}) {
    append(cases, over_shapes(scope, LocalCentre{keys}));
    if (scope == Scope::benchmark) break;
  }
  return cases;
}

// The exponential is right to 3 units, the quotient to 2.5 (OpenCL 1.2, section 7.4), each at most 2 relative
// roundings; product and sum are rounded. An exponential below the normal numbers loses digits, which the
// keys multiply.
double centre_tolerance(const Case& c, Cell, double reference, const Arithmetic& arithmetic) {
  const auto keys = static_cast<double>(std::get<LocalCentre>(c.operation).keys);
  return 20 * kUnit * std::abs(reference) + (1 + keys) * spacing(0, arithmetic);
}

std::vector<Case> local_mask_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 400;
  for (const std::size_t reach : {500, 1, 3}) {
    for (const Shape& shape : shapes(scope))
      for (const Kind kind : kinds(scope, shape)) {
        const LocalMask op{reach, shape.columns};
        const std::string name_of = to_string(shape) + " " + name(kind) + " within " + std::to_string(reach);
        const Tensor centres = centres_for(shape, kind, ++seed);
        cases.push_back({name_of, op, {centres}, kind == Kind::subnormal});
        const std::size_t shared = shape.stack % 2 == 0 ? shape.stack / 2 : shape.stack;
        const Tensor mask = zeros_and_ones({shared, shape.rows, shape.columns}, seed, reach == 3);
        cases.push_back({name_of + " and a mask", op, {centres, mask}, kind == Kind::subnormal});
      }
    if (scope == Scope::benchmark) break;
  }
  return cases;
}

// Weights are finite or NaN: ∞ times a factor that is 0 in float, and not in double, is no question.
std::vector<float> weights_for(Shape shape, Kind kind, std::uint64_t seed) {
  const Tensor x = numbers(shape, kind, seed);
  std::vector<float> weights(x.values().begin(), x.values().end());
  for (float& weight : weights)
    if (std::isinf(weight)) weight = 1;
  return weights;
}

std::vector<Case> decay_cases(Scope scope) {
  std::vector<Case> cases;
  for (const std::size_t reach : {100, 1, 4}) {
    append(cases, over_shapes(scope, LocalDecay{reach}, [](Shape shape, Kind kind, std::uint64_t seed) {
             return std::vector<Tensor>{Tensor(shape, weights_for(shape, kind, seed)),
                                        centres_for(shape, kind, seed)};
           }));
    if (scope == Scope::benchmark) break;
  }
  return cases;
}

// The distance is rounded before it is squared, and so are the square, the falloff and their product: 5
// roundings of the exponent. The exponential is right to 3 units, at most 6 relative roundings, and the
// product is rounded; below the normal numbers it loses digits, which the weight multiplies.
double decay_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const LocalDecay& op = std::get<LocalDecay>(c.operation);
  const double weight = c.inputs[0][cell], centre = c.inputs[1][{cell.head, cell.row, 0}];
  const double apart = (static_cast<double>(cell.column) - centre) / static_cast<double>(op.reach);
  const double exponent = 2 * apart * apart;
  const double lost = reference == 0 ? 0 : 1.01 * (7 + 5 * exponent) * kUnit * std::abs(reference);
  return lost + (1 + std::abs(weight)) * spacing(0, arithmetic);
}

// Centres as they come, and what flows in.
std::vector<Case> centre_gradient_cases(Scope scope) {
  std::vector<Case> cases;
  for (const std::size_t keys : {4096, 1, 7}) {
    append(cases,
           over_shapes(scope, CentreGradient{keys}, [keys](Shape shape, Kind kind, std::uint64_t seed) {
             const Tensor given = numbers(shape, kind, seed);
             std::vector<float> centres;
             for (const float x : given.values())
               centres.push_back(static_cast<float>(local_centre({keys}, x)));
             return std::vector<Tensor>{Tensor(shape, std::move(centres)), numbers(shape, kind, seed + 1000)};
           }));
    if (scope == Scope::benchmark) break;
  }
  return cases;
}

// The quotient is right to 2.5 units, 5 roundings; three more are made.
double centre_gradient_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const double flows = std::abs(static_cast<double>(c.inputs[1][cell]));
  return 8.1 * kUnit * std::abs(reference) + (1 + flows) * spacing(0, arithmetic);
}

// A third of the weights is 0, and anything may flow into these.
std::vector<Case> decay_gradient_cases(Scope scope) {
  std::vector<Case> cases;
  for (const std::size_t reach : {100, 1, 4}) {
    const auto make = [reach](Shape shape, Kind kind, std::uint64_t seed) {
      const Tensor centres = centres_for(shape, kind, seed), hidden = zeros_and_ones(shape, seed, false);
      std::vector<float> weights = weights_for(shape, kind, seed);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const Cell at = cell_at(shape, i);
        const double factor = local_factor({reach}, centres[{at.head, at.row, 0}], at.column);
        weights[i] = hidden.values()[i] != 0 ? 0 : static_cast<float>(weights[i] * factor);
      }
      return std::vector<Tensor>{Tensor(shape, std::move(weights)), centres,
                                 numbers(shape, kind, seed + 1000)};
    };
    append(cases, over_shapes(scope, DecayGradient{reach}, make));
    if (scope == Scope::benchmark) break;
  }
  return cases;
}

// Of a term the distance, the scale, and two products with these are rounded; one below the normal numbers
// loses digits, which the weight multiplies.
double decay_gradient_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const double scale = decay_scale(std::get<DecayGradient>(c.operation));
  const double centre = c.inputs[1][cell], smallest = spacing(0, arithmetic);
  double magnitude = 0, off = 0;
  for (Cell at = cell; at.column < c.inputs[0].columns(); ++at.column) {
    const double weight = c.inputs[0][at], flows = std::abs(static_cast<double>(c.inputs[2][at]));
    if (weight == 0) continue;
    const double size = flows * scale * std::abs(decay_slope(weight, centre, at.column));
    if (std::abs(weight) < smallest) off += size;  // a device that has no such numbers takes it for 0
    magnitude += size, off += 4.1 * kUnit * size + std::abs(weight) * (1 + flows) * smallest;
  }
  return 0.5 * spacing(reference, arithmetic) + off +
         sum_error(static_cast<double>(c.inputs[0].columns()), magnitude, arithmetic);
}

}  // namespace

Declaration declared(Of<LocalCentre>) {
  return {LocalCentre::kName, centre_cases, centre_tolerance};
}
Declaration declared(Of<LocalMask>) {
  return {LocalMask::kName, local_mask_cases, exact};
}
Declaration declared(Of<LocalDecay>) {
  return {LocalDecay::kName, decay_cases, decay_tolerance};
}
Declaration declared(Of<CentreGradient>) {
  return {CentreGradient::kName, centre_gradient_cases, centre_gradient_tolerance};
}
Declaration declared(Of<DecayGradient>) {
  return {DecayGradient::kName, decay_gradient_cases, decay_gradient_tolerance};
}

template Declaration declaration<LocalCentre>();
template Declaration declaration<LocalMask>();
template Declaration declaration<LocalDecay>();
template Declaration declaration<CentreGradient>();
template Declaration declaration<DecayGradient>();

}  // namespace attn::opencl
