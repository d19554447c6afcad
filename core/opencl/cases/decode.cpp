// Decoding: rows at every edge of a cache, and beyond it; one query with few keys and many, shared out among
// more splits than there are keys, and none, at every kind of place.
#include "core/operations/decode.h"

#include <cmath>
#include <limits>

#include "core/opencl/cases/family.h"
#include "core/opencl/cases/flash.h"

namespace attn::opencl {
namespace {

Tensor place_of(double place) {
  return {{1, 1, 1}, {static_cast<float>(place)}};
}

// In its middle, before and at the last row, behind it, before the first, and none.
std::vector<double> places(std::size_t rows) {
  const auto m = static_cast<double>(rows);
  return {std::floor(m / 2), 0, m - 2, m - 1, m, -1, std::nan("")};
}

std::vector<Case> put_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 70;
  for (const Shape& shape : shapes(scope))
    for (const double place : places(shape.rows)) {
      if (scope == Scope::benchmark && !cases.empty()) break;
      const Shape rows{shape.stack, 1 + ++seed % 3, shape.columns};
      cases.push_back(
          {to_string(shape) + " with " + to_string(rows) + " at " + std::to_string(place),
           PutRows{},
           {numbers(shape, Kind::special, seed), numbers(rows, Kind::ordinary, seed + 1), place_of(place)}});
    }
  return cases;
}

// Around blocks of 64 keys and vectors of 2 to 16; nothing.
std::vector<FlashSize> cached_sizes(Scope scope) {
  switch (scope) {
    case Scope::self_test:
      return {{4, 2, 1, 67, 19, 21}};
    case Scope::comparison:
      return {{4, 2, 1, 67, 19, 21}, {1, 1, 1, 1, 1, 1},     {2, 1, 1, 3, 3, 3},      {6, 2, 1, 33, 33, 16},
              {1, 1, 1, 191, 16, 5}, {2, 2, 1, 385, 64, 64}, {8, 2, 1, 1000, 80, 80}, {1, 1, 1, 65, 256, 256},
              {1, 1, 1, 9, 0, 4},    {1, 1, 1, 9, 4, 0},     {1, 1, 1, 0, 4, 4}};
    case Scope::shapes:
      return {{2, 1, 1, 5, 3, 3}, {2, 1, 1, 70, 17, 5}};
    case Scope::long_grids:
      return {{70001, 70001, 1, 2, 1, 1}};
    case Scope::benchmark:
      return {{8, 8, 1, 4096, 64, 64}};
  }
  return {};
}

std::vector<CachedAttention> cached_variants(Scope scope, const FlashSize& s) {
  std::vector<CachedAttention> all{{.scale = 1 / std::sqrt(1 + static_cast<double>(s.d))}};
  if (scope == Scope::benchmark || scope == Scope::long_grids) return all;
  all.push_back({.scale = 3, .cap = 5, .with_one = true, .splits = 3});
  all.push_back(
      {.scale = 1, .alibi = true, .window = s.m / 3, .splits = scope == Scope::comparison ? 70u : 2u});
  all.push_back({.scale = 1, .window = 0, .splits = 1});
  return all;
}

// Keys and values behind the place are NaN: nothing reads them.
std::vector<Tensor> cached_inputs(const FlashSize& s, double place, Kind of_scores, Kind of_values,
                                  std::uint64_t seed) {
  const auto unwritten = [&](const Tensor& x) {
    std::vector<float> values(x.values().begin(), x.values().end());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!(static_cast<double>(i / x.columns() % x.rows()) <= place)) values[i] = std::nanf("");
    return Tensor(x.shape(), std::move(values));
  };
  return {up_to_one({s.heads, 1, s.d}, of_scores, seed),
          unwritten(up_to_one({s.shared, s.m, s.d}, of_scores, seed + 1)),
          unwritten(up_to_one({s.shared, s.m, s.c}, of_values, seed + 2)), place_of(place)};
}

std::vector<Case> cached_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 3000;
  for (const FlashSize& s : cached_sizes(scope))
    for (const CachedAttention& op : cached_variants(scope, s))
      for (const double place :
           scope == Scope::comparison ? places(s.m) : std::vector{static_cast<double>(s.m) - 2})
        cases.push_back(
            {to_text(s) + " at " + std::to_string(place) + ", " + std::to_string(op.splits) + " splits", op,
             cached_inputs(s, place, Kind::ordinary, Kind::ordinary, seed += 11)});
  if (scope != Scope::comparison && scope != Scope::self_test) return cases;
  const FlashSize s{4, 2, 1, 70, 5, 20};
  const CachedAttention op{.scale = 0.3, .splits = 3};
  cases.push_back({"special", op, cached_inputs(s, 68, Kind::special, Kind::ordinary, 3991)});
  cases.push_back({"values special", op, cached_inputs(s, 68, Kind::ordinary, Kind::special, 3995)});
  cases.push_back({"scores of thousands", CachedAttention{.scale = 8000},
                   cached_inputs(s, 68, Kind::ordinary, Kind::ordinary, 3999)});
  return cases;
}

// Shares of keys are joined as tiles are: what is accepted of flash attention.
std::vector<double> cached_row_tolerances(const Case& c, std::size_t head, std::size_t row,
                                          std::span<const double> reference, const Arithmetic& arithmetic) {
  const double place = c.inputs[kCachedPlace][{0, 0, 0}];
  const Case flash{c.name,
                   as_flash(std::get<CachedAttention>(c.operation), c.inputs[1].rows(), place),
                   {c.inputs.begin(), c.inputs.begin() + kCachedPlace}};
  return declaration<FlashAttention>().row_tolerances(flash, head, row, reference, arithmetic);
}

double cached_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  std::vector<double> row(c.inputs[2].columns() + 1);
  row[cell.column] = reference;
  return cached_row_tolerances(c, cell.head, cell.row, row, arithmetic)[cell.column];
}

}  // namespace

Declaration declared(Of<PutRows>) {
  return {PutRows::kName, put_cases, exact};
}
Declaration declared(Of<CachedAttention>) {
  return {CachedAttention::kName, cached_cases, cached_tolerance, cached_row_tolerances};
}

template Declaration declaration<PutRows>();
template Declaration declaration<CachedAttention>();

}  // namespace attn::opencl
