// Each kind of number from the bits of one generator, with no distribution of the standard library between.
#include "core/opencl/cases/numbers.h"

#include <cmath>
#include <limits>
#include <random>
#include <span>

namespace attn::opencl {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The standard's distributions differ between libraries; its generator doesn't.
class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(generator_() >> 11) * 0x1p-53;
  }
  std::uint64_t below(std::uint64_t count) { return generator_() % count; }

 private:
  std::mt19937_64 generator_;
};

float special(Random& random) {
  switch (random.below(12)) {
    case 0:
      return kInfinity;
    case 1:
      return -kInfinity;
    case 2:
      return std::numeric_limits<float>::quiet_NaN();
    case 3:
      return -0.0f;
    default:
      return static_cast<float>(random.uniform(-10, 10));
  }
}

float subnormal(Random& random) {
  if (random.below(4) == 0) return static_cast<float>(random.uniform(-2, 2));
  return static_cast<float>(random.uniform(-1, 1) * 0x1p-126);
}

float large(Random& random) {
  return static_cast<float>(random.uniform(-1, 1) * std::pow(10.0, random.uniform(-30, 30)));
}

// The value at flat index `i` of a matrix whose rows have `columns` numbers.
float number(Kind kind, Random& random, std::size_t i, std::size_t columns, float before) {
  const std::size_t row = i / columns;
  switch (kind) {
    case Kind::ordinary:
      break;
    case Kind::cancelling:
      // At most 2^-18 of a pair is left: a plain float sum has six right bits of that.
      if (i % columns % 2 == 1) return -before * (1 + static_cast<float>(random.uniform(-1, 1) * 0x1p-18));
      return static_cast<float>(random.uniform(5, 10));
    case Kind::large:
      return large(random);
    case Kind::subnormal:
      return subnormal(random);
    case Kind::special:
      return row % 3 == 0 ? special(random) : static_cast<float>(random.uniform(-10, 10));
    case Kind::masked:
      if (row % 4 == 1 || random.below(3) != 0) return -kInfinity;
      break;
  }
  return static_cast<float>(random.uniform(-10, 10));
}

}  // namespace

const char* name(Kind kind) {
  switch (kind) {
    case Kind::ordinary:
      return "ordinary";
    case Kind::cancelling:
      return "cancelling";
    case Kind::large:
      return "large";
    case Kind::subnormal:
      return "subnormal";
    case Kind::special:
      return "special";
    case Kind::masked:
      return "masked";
  }
  return "";
}

std::vector<Kind> kinds(Scope scope, const Shape& shape) {
  if (scope == Scope::self_test) return {Kind::ordinary, Kind::special};
  if (scope != Scope::comparison || shape.size() == 0) return {Kind::ordinary};
  return {Kind::ordinary, Kind::cancelling, Kind::large, Kind::subnormal, Kind::special, Kind::masked};
}

Tensor numbers(Shape shape, Kind kind, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = number(kind, random, i, shape.columns, i > 0 ? values[i - 1] : 0);
  return {shape, std::move(values)};
}

Tensor zeros_and_ones(Shape shape, std::uint64_t seed, bool full_row) {
  Random random(seed);
  std::vector<float> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = (full_row && i < shape.columns) || random.below(3) == 0 ? 1.0f : 0.0f;
  return {shape, std::move(values)};
}

Tensor absolute(const Tensor& x) {
  std::vector<float> values;
  for (const float v : x.values()) values.push_back(std::abs(v));
  return {x.shape(), std::move(values)};
}

Tensor with_zeros(const Tensor& x) {
  std::vector<float> values(x.values().begin(), x.values().end());
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = 0;
  return {x.shape(), std::move(values)};
}

Tensor weights_of(Shape shape, std::uint64_t seed) {
  const Tensor x = absolute(numbers(shape, Kind::ordinary, seed));
  std::vector<float> values(x.values().begin(), x.values().end());
  for (std::size_t row = 0; row < shape.stack * shape.rows; ++row) {
    const auto of_row = std::span(values).subspan(row * shape.columns, shape.columns);
    float sum = 0;
    for (const float v : of_row) sum += v;
    for (float& v : of_row) v /= 2 * sum;
    of_row[row * 31 % shape.columns] += 0.5f;
  }
  return {shape, std::move(values)};
}

Tensor values_of(Shape shape, bool opposite, std::uint64_t seed) {
  const Tensor x = numbers(shape, Kind::ordinary, seed);
  std::vector<float> values(x.values().begin(), x.values().end());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!opposite)
      values[i] += 1000;
    else if (i / shape.columns % 2 == 1)
      values[i] = -values[i - shape.columns];
  return {shape, std::move(values)};
}

}  // namespace attn::opencl
