// Embeddings of ids that repeat, that name no row, and of none; sums over equal ids that cancel.
#include "core/operations/embedding.h"

#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

constexpr std::size_t kTableRows = 11;

// Rows in no order, with ids that no row has where they are `odd`.
Tensor ids_of(std::size_t tokens, bool odd) {
  constexpr float kNoRows[]{-1, 0.5f, static_cast<float>(kTableRows), NAN, INFINITY, 3e9f};
  std::vector<float> ids;
  for (std::size_t i = 0; i < tokens; ++i)
    ids.push_back(odd && i % 5 == 3 ? kNoRows[i / 5 % std::size(kNoRows)]
                                    : static_cast<float>((i * i * 7 + i * 3) % kTableRows));
  return {{1, tokens, 1}, std::move(ids)};
}

std::vector<Case> embedding_cases(Scope scope) {
  return over_shapes(scope, Embedding{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    return std::vector{numbers({1, kTableRows, shape.columns}, kind, seed),
                       ids_of(shape.stack * shape.rows, seed % 2 == 0)};
  });
}

std::vector<Case> embedding_gradient_cases(Scope scope) {
  const auto make = [](Shape shape, Kind kind, std::uint64_t seed) {
    const std::size_t tokens = shape.stack * shape.rows;
    return std::vector{numbers({1, tokens, shape.columns}, kind, seed), ids_of(tokens, seed % 2 == 0)};
  };
  std::vector<Case> cases = over_shapes(scope, EmbeddingGradient{.rows = kTableRows}, make);
  if (scope != Scope::comparison) return cases;
  append(cases, over_shapes(scope, EmbeddingGradient{.rows = 4, .first = 3}, make));
  // Of a row's tokens each is what the one before it was, but for the last digits, and the other sign.
  const Tensor cancelling = numbers({1, 1, 64}, Kind::cancelling, 9);
  cases.push_back({"one id",
                   EmbeddingGradient{.rows = 3},
                   {Tensor({1, 64, 1}, {cancelling.values().begin(), cancelling.values().end()}),
                    Tensor({1, 64, 1}, std::vector<float>(64, 1.0f))}});
  return cases;
}

double embedding_gradient_tolerance(const Case& c, Cell cell, double reference,
                                    const Arithmetic& arithmetic) {
  const std::size_t row = std::get<EmbeddingGradient>(c.operation).first + cell.row;
  double count = 0, magnitude = 0;
  for (std::size_t i = 0; i < c.inputs[1].rows(); ++i)
    if (static_cast<double>(c.inputs[1][{0, i, 0}]) == static_cast<double>(row))
      ++count, magnitude += std::abs(static_cast<double>(c.inputs[0][{0, i, cell.column}]));
  return sum_error(count, magnitude, arithmetic) + 0.5 * spacing(reference, arithmetic);
}

}  // namespace

Declaration declared(Of<Embedding>) {
  return {Embedding::kName, embedding_cases, exact};
}
Declaration declared(Of<EmbeddingGradient>) {
  return {EmbeddingGradient::kName, embedding_gradient_cases, embedding_gradient_tolerance};
}

template Declaration declaration<Embedding>();
template Declaration declaration<EmbeddingGradient>();

}  // namespace attn::opencl
