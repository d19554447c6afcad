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
  if (scope == Scope::comparison)
    cases.push_back({"rows 4 to 8 of 11",
                     Dropout{.p = 0.3, .seed = 7, .first = 4, .rows = 11},
                     {numbers({3, 5, 6}, Kind::ordinary, 1)}});
  return cases;
}

// Where the reference dropped a number the device must have: 0 exactly. Kept ones are scaled, as Scale does.
double dropout_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  if (!dropout_keeps(std::get<Dropout>(c.operation), c.inputs[0].shape(), cell)) return 0;
  return (0.5 + 0x1p-20) * spacing(reference, arithmetic) + spacing(0, arithmetic);
}

}  // namespace

Declaration declared(Of<Dropout>) {
  return {Dropout::kName, dropout_cases, dropout_tolerance};
}

template Declaration declaration<Dropout>();

}  // namespace attn::opencl
