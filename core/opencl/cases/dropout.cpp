// Dropout: which entries fall must agree bit for bit.
#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> dropout_cases(Scope scope) {
  std::vector<Case> cases;
  for (const double p : {0.3, 0.0, 1.0, 0.999999}) {
    append(cases, over_shapes(scope, Dropout{.p = p, .seed = 0xFEDCBA9876543210u}));
    if (scope == Scope::benchmark || scope == Scope::self_test) break;
  }
  return cases;
}

// Where the reference dropped a number the device must have: 0 exactly. Kept ones are scaled, as Scale does.
double dropout_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  if (!dropout_keeps(std::get<Dropout>(c.operation), c.inputs[0].index(cell))) return 0;
  return (0.5 + 0x1p-20) * spacing(reference, arithmetic) + spacing(0, arithmetic);
}

}  // namespace

Declaration declared(Of<Dropout>) {
  return {Dropout::kName, dropout_cases, dropout_tolerance};
}

template Declaration declaration<Dropout>();

}  // namespace attn::opencl
