// Merging and splitting heads, with and without muted ones; heads added up; rows of one; heads viewed as
// another shape and repeated; rows and columns exchanged.
#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> concat_cases(Scope scope) {
  std::vector<Case> cases;
  append(cases, over_shapes(scope, Concat{}));
  if (scope != Scope::benchmark) append(cases, over_shapes(scope, Concat{.muted = {0, 2}}));
  return cases;
}

// As many columns for each of three heads, or four.
std::vector<Case> split_cases(Scope scope) {
  std::vector<Case> cases;
  for (const std::size_t heads : {3, 4})
    append(cases, over_shapes(scope,
                              SplitHeads{heads, heads == 3 ? std::vector<std::size_t>{0, 2}
                                                           : std::vector<std::size_t>{}},
                              [heads](Shape shape, Kind kind, std::uint64_t seed) {
                                return std::vector<Tensor>{numbers(
                                    {1, shape.stack * shape.rows, heads * shape.columns}, kind, seed)};
                              }));
  return cases;
}

std::vector<Case> head_sum_cases(Scope scope) {
  std::vector<Case> cases;
  for (const std::size_t group : {1, 2, 5}) {
    if (scope == Scope::benchmark && group != 2) continue;
    append(cases, over_shapes(scope, HeadSum{group}, [group](Shape shape, Kind kind, std::uint64_t seed) {
             // Neighbours of a row cancel: those of heads do where they are a column of it.
             const Tensor x = numbers({1, shape.stack * shape.rows * shape.columns, group}, kind, seed);
             const std::size_t each = shape.rows * shape.columns;
             std::vector<float> values(x.values().size());
             for (std::size_t s = 0; s < shape.stack; ++s)
               for (std::size_t head = 0; head < group; ++head)
                 for (std::size_t i = 0; i < each; ++i)
                   values[(s * group + head) * each + i] = x.values()[(s * each + i) * group + head];
             return std::vector<Tensor>{
                 Tensor({shape.stack * group, shape.rows, shape.columns}, std::move(values))};
           }));
  }
  return cases;
}

double head_sum_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const std::size_t group = std::get<HeadSum>(c.operation).group;
  double magnitude = 0;
  for (std::size_t head = cell.head * group; head < (cell.head + 1) * group; ++head)
    magnitude += std::abs(static_cast<double>(c.inputs[0][{head, cell.row, cell.column}]));
  return sum_error(static_cast<double>(group), magnitude, arithmetic) + 0.5 * spacing(reference, arithmetic);
}

// The last row there is.
std::vector<Case> pick_row_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 50;
  for (const Shape& shape : shapes(scope)) {
    if (shape.rows == 0) continue;
    const PickRow last{shape.stack - 1, shape.rows - 1};
    for (const Kind kind : kinds(scope, shape))
      cases.push_back({to_string(shape) + " " + name(kind), last, {numbers(shape, kind, ++seed)}});
  }
  return cases;
}

// Rows of all matrices side by side, as code views them that forgets to transpose.
std::vector<Case> reshape_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 70;
  for (const Shape& shape : shapes(scope))
    for (const Kind kind : kinds(scope, shape))
      cases.push_back({to_string(shape) + " " + name(kind),
                       Reshape{{1, shape.rows, shape.stack * shape.columns}},
                       {numbers(shape, kind, ++seed)},
                       kind == Kind::subnormal});
  return cases;
}

std::vector<Case> tile_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 90;
  for (const std::size_t times : {1, 3})
    for (const Shape& shape : shapes(scope)) {
      if (scope == Scope::benchmark && times == 1) continue;
      for (const Kind kind : kinds(scope, shape))
        cases.push_back({to_string(shape) + " " + name(kind) + ", " + std::to_string(times) + " times",
                         TileHeads{times * shape.stack},
                         {numbers(shape, kind, ++seed)},
                         kind == Kind::subnormal});
    }
  return cases;
}

}  // namespace

Declaration declared(Of<Reshape>) {
  return {Reshape::kName, reshape_cases, exact};
}
Declaration declared(Of<TileHeads>) {
  return {TileHeads::kName, tile_cases, exact};
}
Declaration declared(Of<Transpose>) {
  return {Transpose::kName, [](Scope scope) { return over_shapes(scope, Transpose{}); }, exact};
}
Declaration declared(Of<PickRow>) {
  return {PickRow::kName, pick_row_cases, exact};
}
Declaration declared(Of<SplitHeads>) {
  return {SplitHeads::kName, split_cases, exact};
}
Declaration declared(Of<HeadSum>) {
  return {HeadSum::kName, head_sum_cases, head_sum_tolerance};
}
Declaration declared(Of<Concat>) {
  return {Concat::kName, concat_cases, exact};
}

template Declaration declaration<Concat>();
template Declaration declaration<SplitHeads>();
template Declaration declaration<HeadSum>();
template Declaration declaration<PickRow>();
template Declaration declaration<Reshape>();
template Declaration declaration<TileHeads>();
template Declaration declaration<Transpose>();

}  // namespace attn::opencl
