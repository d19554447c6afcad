// The formula behind one number, with its own indices, in the colours of the stages it reads.
#include "app/panels/inspector_model.h"

namespace attn::inspector {
namespace {

using Pieces = std::vector<Piece>;

std::string index(std::size_t i) {
  return "[" + std::to_string(i) + "]";
}

std::string plural(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// "÷ √4 ÷ 6" for the factor "1/√4 ÷ 6".
std::string factor_words(const std::string& text) {
  return text.starts_with("1/") ? "÷ " + text.substr(2) : "× " + text;
}

struct Writer {
  const Results& results;
  const Stage& stage;
  Cell cell;
  const Explanation& explanation;

  const Stage& input(std::size_t i) const { return results.graph.stages[stage.inputs[i]]; }
  // A row or a cell of an input; which matrix of the stack, where it is not the cell's own.
  Piece of(std::size_t i, const std::string& text) const { return {input(i).title + text, input(i).id}; }
  Piece cell_of(std::size_t i, Cell c) const { return {cell_text(input(i), c), input(i).id}; }
  Cell shared(std::size_t i) const {
    const std::size_t stack = input(i).shape.stack;
    return {shared_matrix(cell.head, stack, std::max(stage.shape.stack, stack)), cell.row, cell.column};
  }
  std::string other_head(std::size_t i) const {
    const std::size_t head = shared(i).head;
    return head == cell.head || input(i).shape.stack == 1 ? "" : " of head " + std::to_string(head);
  }

  Pieces operator()(const Source&) const { return {{"given: a number of the document", ""}}; }
  Pieces operator()(const MatMul& op) const {
    const std::string right =
        op.transpose_right ? index(cell.column) : "[:, " + std::to_string(cell.column) + "]";
    const std::size_t count = input(0).shape.columns;
    const std::string over =
        op.transpose_right ? plural(count, "feature", "features") : plural(count, "key", "keys");
    return {of(0, index(cell.row)), {" · ", ""}, of(1, right + other_head(1)), {" = Σ over " + over, ""}};
  }
  Pieces operator()(const Project& op) const {
    const std::size_t column = cell.head * (input(1).shape.columns / op.heads) + cell.column;
    Pieces pieces{of(0, index(cell.row)),
                  {" · ", ""},
                  of(1, "[:, " + std::to_string(column) + "]"),
                  {" = Σ over " + plural(input(0).shape.columns, "feature", "features"), ""}};
    if (stage.inputs.size() > 2) pieces.insert(pieces.end() - 1, {{" + ", ""}, cell_of(2, {0, 0, column})});
    return pieces;
  }
  Pieces operator()(const Scale& op) const { return {cell_of(0, cell), {" " + factor_words(op.text), ""}}; }
  Pieces operator()(const Add&) const { return {cell_of(0, cell), {" + ", ""}, cell_of(1, shared(1))}; }
  Pieces operator()(const RowMaximum&) const {
    return {{"max of ", ""},
            of(0, index(cell.row)),
            {" over " + plural(input(0).shape.columns, "key", "keys"), ""}};
  }
  Pieces operator()(const Exponential&) const {
    if (explanation.combine != Combine::exponential) return {{explanation.rule, ""}};
    return {{"exp(", ""}, cell_of(0, cell), {" − ", ""}, of(1, index(cell.row)), {")", ""}};
  }
  Pieces operator()(const RowSum&) const {
    return {{"Σ of ", ""},
            of(0, index(cell.row)),
            {" over " + plural(input(0).shape.columns, "key", "keys"), ""}};
  }
  Pieces operator()(const Normalize&) const {
    if (explanation.combine != Combine::quotient) return {{explanation.rule, ""}};
    return {cell_of(0, cell), {" ÷ ", ""}, of(1, index(cell.row))};
  }
  Pieces operator()(const Concat& op) const {
    const std::size_t width = input(0).shape.columns, head = cell.column / width;
    if (op.mutes(head)) return {{"head " + std::to_string(head) + " is switched off: zeros", ""}};
    return {cell_of(0, {head, cell.row, cell.column % width}), {" of head " + std::to_string(head), ""}};
  }
  Pieces operator()(const Mask&) const { return {{"1 (masked) where any of these holds", ""}}; }
  // The rule says it all: masks, dropout, overrides, encodings.
  Pieces operator()(const auto&) const { return {{explanation.rule, ""}}; }
};

}  // namespace

std::vector<Piece> formula_of(const Results& results, StageIndex stage, Cell cell, const Explanation& e) {
  const Stage& s = results.graph.stages[stage];
  return std::visit(Writer{results, s, cell, e}, s.operation);
}

}  // namespace attn::inspector
