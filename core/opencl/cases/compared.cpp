// Numbers of two layers: of every kind, some of them equal.
#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

// Every third number is the same in both.
Tensor partly(const Tensor& like, const Tensor& other) {
  std::vector<float> values(other.values().begin(), other.values().end());
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = like.values()[i];
  return {other.shape(), std::move(values)};
}

std::vector<Case> compared_cases(Scope scope) {
  std::vector<Case> cases;
  for (const auto figure : {Compared::difference, Compared::distance})
    append(cases, over_shapes(scope, Compared{figure}, [](Shape shape, Kind kind, std::uint64_t seed) {
             const Tensor a = numbers(shape, kind, seed);
             return std::vector<Tensor>{a, partly(a, numbers(shape, kind, seed + 1000))};
           }));
  // Divided by numbers that no device takes for 0.
  append(cases, over_shapes(scope, Compared{Compared::ratio}, [](Shape shape, Kind kind, std::uint64_t seed) {
           const Tensor a = numbers(shape, kind == Kind::special ? kind : Kind::ordinary, seed);
           return std::vector<Tensor>{a, partly(a, numbers(shape, kind, seed + 1000))};
         }));
  return cases;
}

// A difference is rounded once; a quotient is within 2.5 units (OpenCL 1.2, section 7.4).
double compared_tolerance(const Case& c, Cell, double reference, const Arithmetic& arithmetic) {
  const bool ratio = std::get<Compared>(c.operation).figure == Compared::ratio;
  return (ratio ? 3 : 0.5) * spacing(reference, arithmetic);
}

}  // namespace

Declaration declared(Of<Compared>) {
  return {Compared::kName, compared_cases, compared_tolerance};
}

template Declaration declaration<Compared>();

}  // namespace attn::opencl
