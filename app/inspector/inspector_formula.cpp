// Formulas written with the titles of the stages that they read.
#include "app/inspector/inspector_model.h"
#include "app/inspector/inspector_numbers.h"

namespace attn::inspector {
namespace {

std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

ColouredText write_piece(const Graph& graph, const Stage& stage, const FormulaPiece& piece) {
  if (piece.kind == FormulaPiece::text) return {piece.words};
  if (piece.kind == FormulaPiece::number) return {write(piece.value) + piece.words};
  const Stage& input = graph.stages[stage.inputs[static_cast<std::size_t>(piece.input)]];
  if (piece.kind == FormulaPiece::part) return {input.title + piece.words, input.role};
  if (piece.kind == FormulaPiece::cell) return {cell_text(input, piece.place), input.role};
  return {counted(input.shape.columns, input.columns.name)};
}

}  // namespace

std::vector<ColouredText> written(const Graph& graph, StageIndex stage, const Formula& formula) {
  std::vector<ColouredText> pieces;
  for (const FormulaPiece& piece : formula) pieces.push_back(write_piece(graph, graph.stages[stage], piece));
  return pieces;
}

std::string to_string(const std::vector<ColouredText>& pieces) {
  std::string text;
  for (const ColouredText& piece : pieces) text += piece.text;
  return text;
}

}  // namespace attn::inspector
