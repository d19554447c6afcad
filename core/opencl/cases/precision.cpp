// Rounding to formats: ties, subnormal numbers and the edge of the range; sums of every length.
#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

constexpr NumberFormat kFormats[] = {NumberFormat::float32, NumberFormat::float16, NumberFormat::bfloat16};

Tensor rounded_to(NumberFormat format, const Tensor& x) {
  std::vector<float> values;
  for (const float v : x.values()) values.push_back(static_cast<float>(rounded(format, v)));
  return {x.shape(), std::move(values)};
}

// Around every place where float16 or bfloat16 rounds otherwise than a step before.
Tensor format_edges() {
  std::vector<float> values{0,          -0.0f,     65504,    65519.996f,  65520,       -65520,
                            65536,      1e30f,     0x1p-14f, 0x1p-24f,    0x1p-25f,    0x1.8p-24f,
                            0x1.8p-25f, 0x1p-26f,  3e38f,    0x1.fep127f, 0x1.ffp127f, 0x1.fefffep127f,
                            INFINITY,   -INFINITY, NAN,      11.09375f};
  for (int i = 0; i < 64; ++i) {
    const float tie = 1 + (static_cast<float>(i) + 0.5f) * 0x1p-10f;
    for (const float x : {tie, std::nextafter(tie, 0.0f), std::nextafter(tie, 2.0f)})
      for (const int exponent : {0, -14, -15, -20, 15})
        values.push_back((i % 2 == 0 ? 1.0f : -1.0f) * std::ldexp(x, exponent));
  }
  const std::size_t count = values.size();
  return {{1, 1, count}, std::move(values)};
}

std::vector<Case> round_cases(Scope scope) {
  std::vector<Case> cases;
  for (const NumberFormat format : kFormats) {
    append(cases, over_shapes(scope, Round{format}));
    if (scope == Scope::benchmark) break;
    cases.push_back({std::string("edges of ") + name(format), Round{format}, {format_edges()}});
  }
  return cases;
}

// Positive numbers, besides those of all kinds, whose sums run out of range soon.
std::vector<Case> format_sum_cases(Scope scope) {
  std::vector<Case> cases;
  for (const NumberFormat format : kFormats)
    for (const SumOrder order : {SumOrder::in_order, SumOrder::pairs}) {
      append(cases,
             over_shapes(scope, FormatSum{format, order}, [&](Shape shape, Kind kind, std::uint64_t seed) {
               return std::vector<Tensor>{rounded_to(format, numbers(shape, kind, seed))};
             }));
      if (scope == Scope::benchmark) return cases;
    }
  return cases;
}

// A device without subnormal numbers may lose each.
double sum_tolerance(const Case& c, Cell, double, const Arithmetic& arithmetic) {
  return arithmetic.subnormals ? 0 : static_cast<double>(c.inputs[0].columns()) * 0x1p-126;
}

}  // namespace

Declaration declared(Of<Round>) {
  return {Round::kName, round_cases, exact};
}
Declaration declared(Of<FormatSum>) {
  return {FormatSum::kName, format_sum_cases, sum_tolerance};
}

template Declaration declaration<Round>();
template Declaration declaration<FormatSum>();

}  // namespace attn::opencl
