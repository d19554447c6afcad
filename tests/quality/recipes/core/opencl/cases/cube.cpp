// Cubes: difficult numbers, and what two roundings explain.
#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> cube_cases(Scope scope) {
  return over_shapes(scope, Cube{});
}

// The square is off by 2^−24 of itself at most, which is less than a unit of the cube; the cube by half one.
// A square that underflows has a cube far below every float.
double cube_tolerance(const Case&, Cell, double reference, const Arithmetic& arithmetic) {
  return (1.5 + 0x1p-20) * spacing(reference, arithmetic);
}

}  // namespace

Declaration declared(Of<Cube>) {
  return {Cube::kName, cube_cases, cube_tolerance};
}

template Declaration declaration<Cube>();

}  // namespace attn::opencl
