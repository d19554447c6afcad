// Numbers to fill a block with, each from its place alone.
#include "core/edits/edit_fill.h"

#include <optional>

#include "core/tensor/random.h"

namespace attn {
namespace {

constexpr std::uint64_t kWidest = 1 << 20;  // columns, and rows: no two cells of such matrices share a place

std::uint64_t place_of(Cell c) {
  return ((c.head * kWidest) + c.row) * kWidest + c.column;
}

float fill_value(FillKind kind, std::uint64_t seed, const Region& block, Cell c) {
  switch (kind) {
    case FillKind::zeros:
      return 0;
    case FillKind::identity:
      return c.row == c.column ? 1.0f : 0.0f;
    case FillKind::normal:
      return random_normal(seed, place_of(c));
    case FillKind::uniform:
      return random_uniform(seed, place_of(c));
    case FillKind::one_hot: {
      const std::size_t width = block.end.column - block.begin.column;
      const std::uint64_t bits = random_bits(seed, place_of({c.head, c.row, 0}));
      return c.column == block.begin.column + bits % width ? 1.0f : 0.0f;
    }
  }
  return 0;
}

template <class Visit>
void for_each_cell(const Region& block, const Visit& visit) {
  for (std::size_t head = block.begin.head; head < block.end.head; ++head)
    for (std::size_t row = block.begin.row; row < block.end.row; ++row)
      for (std::size_t column = block.begin.column; column < block.end.column; ++column)
        if (!visit(Cell{head, row, column})) return;
}

}  // namespace

std::vector<CellValue> fill_cells(FillKind kind, std::uint64_t seed, const Region& block) {
  std::vector<CellValue> cells;
  for_each_cell(block, [&](Cell c) {
    cells.push_back({c, fill_value(kind, seed, block, c)});
    return true;
  });
  return cells;
}

std::variant<std::vector<CellValue>, TextError> formula_cells(std::string_view formula, const Region& block) {
  std::vector<CellValue> cells;
  std::optional<TextError> error;
  for_each_cell(block, [&](Cell c) {
    const auto number = parse_float_expression(
        formula, {{"i", static_cast<double>(c.row)}, {"j", static_cast<double>(c.column)}});
    if (const TextError* e = std::get_if<TextError>(&number))
      error = *e;
    else
      cells.push_back({c, std::get<float>(number)});
    return !error;
  });
  if (error) return *error;
  return cells;
}

}  // namespace attn
