// What the families' explanations are put together from.
#include "core/operations/explain.h"

namespace attn {

Operand operand(Inputs inputs, int input, Cell cell) {
  return {.value = inputs[static_cast<std::size_t>(input)][cell], .input = input, .cell = cell, .text = {}};
}

Operand constant(double value, std::string text) {
  return {.value = value, .input = -1, .cell = {}, .text = std::move(text)};
}

Region region(Cell cell) {
  return {cell, {cell.head + 1, cell.row + 1, cell.column + 1}};
}

Explanation only(std::string rule, Term term) {
  const double result = term.value;
  return {.rule = std::move(rule), .terms = {std::move(term)}, .result = result};
}

Explanation sum_of(std::string rule, std::vector<Term> terms) {
  Explanation e{.rule = std::move(rule), .aggregate = Aggregate::sum, .terms = std::move(terms)};
  for (const Term& term : e.terms) e.result += term.value;
  return e;
}

FormulaPiece words(std::string text) {
  return {.words = std::move(text)};
}

FormulaPiece part_of(int input, std::string text) {
  return {.kind = FormulaPiece::part, .words = std::move(text), .input = input};
}

FormulaPiece cell_of(int input, Cell cell) {
  return {.kind = FormulaPiece::cell, .input = input, .place = cell};
}

FormulaPiece number_of(double value, std::string text) {
  return {.kind = FormulaPiece::number, .words = std::move(text), .value = value};
}

FormulaPiece columns_of(int input) {
  return {.kind = FormulaPiece::columns, .input = input};
}

std::string in_brackets(std::size_t index) {
  return "[" + std::to_string(index) + "]";
}

}  // namespace attn
