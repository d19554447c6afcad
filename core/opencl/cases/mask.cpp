// Masks of every rule and fill.
#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

// Every choice of rules for masks of this shape.
std::vector<Mask> masks(const Shape& shape) {
  const std::size_t n = shape.rows, m = shape.columns;
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < n; ++i) lengths.push_back(i * 5 % (m + 1));
  std::vector<std::vector<MaskRule>> paddings{{}, {PaddingRule{{m / 2}}}, {PaddingRule{{0}}}};
  if (n > 0) paddings.push_back({PaddingRule{lengths}, PaddingRule{{m - m / 3}}});
  std::vector<Mask> all;
  for (const auto& causal :
       {std::vector<MaskRule>{}, {CausalRule{CausalAlign::lower_right}}, {CausalRule{CausalAlign::top_left}}})
    for (const auto& padding : paddings) {
      all.push_back({.queries = n, .keys = m, .rules = causal});
      all.back().rules.insert(all.back().rules.end(), padding.begin(), padding.end());
    }
  return all;
}

std::string names(const Mask& mask) {
  std::string text;
  for (const MaskRule& rule : mask.rules) text += std::string(" ") + name(rule);
  return text;
}

std::vector<Case> mask_cases(Scope scope) {
  std::vector<Case> cases;
  for (const Shape& shape : shapes(scope))
    for (const Mask& op : masks(shape)) {
      const std::string name = to_string(shape) + names(op);
      cases.push_back({name, op, {}});
      cases.push_back({name + " and a user's", op, {zeros_and_ones(shape, 21, false)}});
      if (scope == Scope::benchmark) return cases;
    }
  // Anything but 0 masks, NaN too.
  if (scope == Scope::comparison)
    cases.push_back({"special user's",
                     Mask{.queries = 9, .keys = 14, .rules = {}},
                     {numbers({2, 9, 14}, Kind::special, 22)}});
  return cases;
}

std::vector<Case> mask_fill_cases(Scope scope) {
  std::vector<Case> cases;
  for (const Fill fill : {Fill::negative_infinity, Fill::minus_1e9, Fill::minus_1e6, Fill::add_minus_1e9}) {
    append(cases, over_shapes(scope, MaskFill{.fill = fill}, [](Shape shape, Kind kind, std::uint64_t seed) {
             const std::size_t shared = seed % 2 == 0 ? 1 : shape.stack;
             return std::vector<Tensor>{numbers(shape, kind, seed),
                                        zeros_and_ones({shared, shape.rows, shape.columns}, seed, true)};
           }));
    if (scope == Scope::benchmark) break;
  }
  return cases;
}

double mask_fill_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  return std::get<MaskFill>(c.operation).adds() ? rounded_once(c, cell, reference, arithmetic) : 0;
}

}  // namespace

Declaration declared(Of<Mask>) {
  return {Mask::kName, mask_cases, exact};
}
Declaration declared(Of<MaskFill>) {
  return {MaskFill::kName, mask_fill_cases, mask_fill_tolerance};
}

template Declaration declaration<Mask>();
template Declaration declaration<MaskFill>();

}  // namespace attn::opencl
