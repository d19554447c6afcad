// Fills: exact ones cell by cell, random ones by their moments, within five standard errors; and that a
// number depends on its seed and its place, not on the block that was filled.
#include "core/edits/edit_fill.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace attn;

namespace {

const Region kBlock{{0, 0, 0}, {1, 40, 50}};

double mean_of(const std::vector<CellValue>& cells, double power) {
  double sum = 0;
  for (const CellValue& c : cells) sum += std::pow(c.value, power);
  return sum / static_cast<double>(cells.size());
}

}  // namespace

TEST_CASE("zeros, identity and one-hot are what they say") {
  for (const CellValue& c : fill_cells(FillKind::zeros, 1, kBlock)) CHECK(c.value == 0);
  for (const CellValue& c : fill_cells(FillKind::identity, 1, kBlock))
    CHECK(c.value == (c.cell.row == c.cell.column ? 1 : 0));
  std::vector<float> sums(40);
  for (const CellValue& c : fill_cells(FillKind::one_hot, 1, kBlock)) sums[c.cell.row] += c.value;
  CHECK(sums == std::vector<float>(40, 1));
}

TEST_CASE("random fills have their distribution, depend on the seed and on the place alone") {
  const auto normal = fill_cells(FillKind::normal, 1, kBlock),
             uniform = fill_cells(FillKind::uniform, 1, kBlock);
  // Of 2000 numbers, five standard errors: 5/√2000 for the mean, 5·√(2/2000) for the variance.
  CHECK(std::abs(mean_of(normal, 1)) < 5 / std::sqrt(2000.0));
  CHECK(std::abs(mean_of(normal, 2) - 1) < 5 * std::sqrt(2 / 2000.0));
  CHECK(std::abs(mean_of(uniform, 1) - 0.5) < 5 * std::sqrt(1 / 12.0 / 2000));
  for (const CellValue& c : uniform) CHECK((c.value >= 0 && c.value < 1));
  CHECK(fill_cells(FillKind::normal, 1, kBlock) == normal);
  CHECK(fill_cells(FillKind::normal, 2, kBlock) != normal);
  const auto part = fill_cells(FillKind::normal, 1, {{0, 3, 7}, {1, 4, 8}});
  CHECK(part.at(0) == normal[3 * 50 + 7]);
}

TEST_CASE("a formula of i and j fills each cell, or none when a cell has no number") {
  const auto cells = formula_cells("10*i + j", {{0, 1, 2}, {1, 3, 4}});
  REQUIRE(std::holds_alternative<std::vector<CellValue>>(cells));
  const auto& values = std::get<std::vector<CellValue>>(cells);
  REQUIRE(values.size() == 4);
  CHECK(values[0] == CellValue{{0, 1, 2}, 12});
  CHECK(values[3] == CellValue{{0, 2, 3}, 23});
  CHECK(std::get<TextError>(formula_cells("k", kBlock)).message == "\"k\" is no number");
  CHECK(std::get<TextError>(formula_cells("1e38*i*10", kBlock)).message ==
        "too large: the largest number is 3.4e38");
}
