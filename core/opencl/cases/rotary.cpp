// Rotation in both pairings, of all features and of some, near and far, stretched in every way, and back.
#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> rotate_cases(Scope scope) {
  // Any number of columns: the odd one is not turned.
  const auto add = [&](std::vector<Case>& cases, Rotary rotary, std::size_t first, bool back) {
    for (const Shape& shape : shapes(scope)) {
      if (shape.columns < 2) continue;
      rotary.part = shape.columns - shape.columns % 2;
      for (const Kind kind : kinds(scope, shape)) {
        if (kind == Kind::masked) continue;  // −∞ turned is NaN nearly everywhere
        cases.push_back({to_string(shape) + " " + name(kind) + " from " + std::to_string(first),
                         Rotate{rotary, first, back},
                         {numbers(shape, kind, 31 + first)},
                         kind == Kind::subnormal});
      }
    }
  };
  std::vector<Case> cases;
  add(cases, {}, 0, false);
  if (scope == Scope::benchmark) return cases;
  add(cases, {.pairing = Pairing::half, .base = 100}, 100000, false);
  add(cases, {.base = 100, .stretch = Stretch::yarn, .factor = 4}, 700, true);
  if (scope != Scope::comparison) return cases;
  for (const Stretch stretch :
       {Stretch::interpolation, Stretch::ntk, Stretch::yarn, Stretch::yarn_released, Stretch::llama3})
    cases.push_back({"stretched",
                     Rotate{{.part = 6, .stretch = stretch, .factor = 8, .trained = 64}, 400},
                     {numbers({2, 33, 9}, Kind::ordinary, 32)}});
  for (const bool back : {false, true})
    cases.push_back({"heads side by side",
                     Rotate{{.base = 100, .part = 12}, 3, back, 3},
                     {numbers({2, 9, 17}, Kind::ordinary, 34)}});
  for (const double base : {1.0, 1e9, 1e-3})
    cases.push_back({"base " + std::to_string(base),
                     Rotate{{.base = base}, 70000},
                     {numbers({1, 65, 10}, Kind::ordinary, 33)}});
  return cases;
}

// Cosine and sine are rounded once, one product too, the sum once more: half a unit each of what they are
// part of. Both sides' angles come from the same double arithmetic.
double rotate_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<Rotate>(c.operation);
  const Tensor& x = c.inputs[0];
  const std::size_t turned = op.rotary.turned(x.columns());
  if (cell.column >= turned) return 0;
  const RotaryPair at = rotary_pair(op.rotary.pairing, turned, cell.column);
  const double size = std::hypot(static_cast<double>(x[{cell.head, cell.row, at.x}]),
                                 static_cast<double>(x[{cell.head, cell.row, at.y}])) *
                      rotary_gain(op.rotary);
  // The two products together are at most √2 of the pair's length; one of them is rounded twice.
  return size * 2.5 * 0x1p-24 + 0.5 * spacing(reference, arithmetic) + 4 * spacing(0, arithmetic);
}

}  // namespace

Declaration declared(Of<Rotate>) {
  return {Rotate::kName, rotate_cases, rotate_tolerance};
}

template Declaration declaration<Rotate>();

}  // namespace attn::opencl
