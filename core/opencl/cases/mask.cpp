// Masks of every rule and fill.
#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

// Lists of rules for masks of this shape: every kind alone and negated, and kinds joined.
std::vector<std::vector<MaskTerm>> lists(std::size_t n, std::size_t m) {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < n; ++i) lengths.push_back(i * 5 % (m + 1));
  const std::size_t most = std::max(n, m);
  std::vector<MaskTerm> kinds{{CausalRule{CausalAlign::lower_right}},
                              {CausalRule{CausalAlign::top_left, 2}},
                              {PaddingRule{{m / 2}}},
                              {WindowRule{most / 5}},
                              {StridedRule{3}},
                              {RandomRule{m / 3, 0x123456789abcdef}},
                              {PrefixRule{m / 3}},
                              {BlocksRule{{most / 4, most / 3}}}};
  if (n > 0) kinds.push_back({PaddingRule{lengths}});
  std::vector<std::vector<MaskTerm>> all{{}};
  for (const MaskTerm& kind : kinds) {
    all.push_back({kind});
    all.push_back({{kind.rule, true}});
    all.push_back({{WindowRule{1}}, {kind.rule, false, Join::all}, {PaddingRule{{m - m / 4}}}});
  }
  if (most > 0)
    all.push_back({{WindowRule{1}},
                   {GlobalRule{{most / 2}}},
                   {RandomRule{1, 5}, false, Join::all},
                   {CausalRule{}},
                   {StridedRule{2}, true}});
  return all;
}

// Every list of rules for masks of this shape.
std::vector<Mask> masks(const Shape& shape) {
  std::vector<Mask> all;
  for (auto& rules : lists(shape.rows, shape.columns))
    all.push_back({.queries = shape.rows, .keys = shape.columns, .rules = std::move(rules)});
  return all;
}

std::string names(const Mask& mask) {
  std::string text;
  for (const MaskTerm& term : mask.rules)
    text +=
        std::string(term.join == Join::all ? " and" : "") + (term.negated ? " not " : " ") + name(term.rule);
  return text;
}

std::vector<Case> mask_cases(Scope scope) {
  std::vector<Case> cases;
  for (const Shape& shape : shapes(scope))
    for (const Mask& op : masks(shape)) {
      const std::string name = to_string(shape) + names(op);
      cases.push_back({name, op, {}});
      // A user's mask is read cell by cell, whatever the rules say: watched once for each shape.
      if (scope == Scope::shapes && !op.rules.empty()) continue;
      cases.push_back({name + " and a user's", op, {zeros_and_ones(shape, 21, false)}});
      if (scope == Scope::benchmark) return cases;
    }
  if (scope != Scope::comparison) return cases;
  for (const std::ptrdiff_t first : {-4, 7})
    for (Mask op : masks({1, 5, 11})) {
      op.first = first;
      cases.push_back({"first query at " + std::to_string(first) + names(op), op, {}});
    }
  for (Mask op : masks({1, 11, 9})) {
    op.made = {3, 5};
    cases.push_back({"rows 3 to 7" + names(op), op, {}});
  }
  // Anything but 0 masks, NaN too.
  cases.push_back({"special user's",
                   Mask{.queries = 9, .keys = 14, .rules = {}},
                   {numbers({2, 9, 14}, Kind::special, 22)}});
  return cases;
}

std::vector<Case> mask_fill_cases(Scope scope) {
  std::vector<Case> cases;
  std::vector<Fill> fills(kFills.begin(), kFills.end());
  fills.push_back(Fill::zero);
  for (const Fill fill : fills) {
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
