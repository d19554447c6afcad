// Titles and plain words: one sentence for each kind of stage, with its tokens.
#include "app/inspector/inspector_model.h"
#include "app/inspector/step_facts.h"
#include "app/language/speech.h"

namespace attn::inspector {
namespace {

// The sentence of a stage with the tokens and indices of one cell in place of %r, %c, %i, %j and %h.
std::string filled(const Stage& stage, Cell cell) {
  std::string text;
  for (std::size_t i = 0; i < stage.sentence.size(); ++i) {
    const char c = stage.sentence[i];
    if (c != '%') {
      text += c;
      continue;
    }
    switch (stage.sentence[++i]) {
      case 'r':
        text += quoted(stage.rows, cell.row);
        break;
      case 'c':
        text += quoted(stage.columns, cell.column);
        break;
      case 'i':
        text += std::to_string(cell.row);
        break;
      case 'j':
        text += std::to_string(cell.column);
        break;
      default:
        text += std::to_string(cell.head);
    }
  }
  return text;
}

}  // namespace

std::string label(const Axis& axis, std::size_t index) {
  const bool named = axis.labels && index < axis.labels->size() && !(*axis.labels)[index].empty();
  return named ? (*axis.labels)[index] : std::to_string(index);
}

std::string quoted(const Axis& axis, std::size_t index) {
  const std::string text = label(axis, index);
  return text == std::to_string(index) ? std::string(axis.name) + " " + text : "“" + text + "”";
}

// Without an index for an axis that has just one place.
std::string cell_text(const Stage& stage, Cell cell) {
  const std::string row = std::to_string(cell.row), column = std::to_string(cell.column);
  if (stage.shape.columns == 1 && stage.columns.name.empty()) return stage.title + "[" + row + "]";
  if (stage.shape.rows == 1 && stage.rows.name.empty()) return stage.title + "[" + column + "]";
  return stage.title + "[" + row + ", " + column + "]";
}

std::string title_of(const Results& results, const Spot& spot) {
  const Stage& stage = results.graph.stages[*results.graph.find(spot.stage)];
  std::string title = cell_text(stage, spot.cell);
  const bool head = stage.shape.stack > 1 || stage.stack == Stack::heads;
  if (head) title += " · head " + std::to_string(spot.cell.head);
  const std::string& part = results.graph.parts[stage.part].title;
  return part.empty() ? title : title + " · " + part;
}

std::string sentence_of(const Results& results, const Spot& spot) {
  const Stage& stage = results.graph.stages[*results.graph.find(spot.stage)];
  return stage.sentence.empty() ? stage.formula : filled(stage, spot.cell);
}

std::vector<ColouredText> filled(const std::vector<std::string>& sentences, const Facts& facts) {
  for (const std::string& english : sentences) {
    const std::string sentence = spoken(english);
    std::vector<ColouredText> pieces;
    bool whole = true;
    for (std::size_t at = 0; at < sentence.size() && whole;) {
      const std::size_t open = std::min(sentence.find('{', at), sentence.size());
      if (open > at) pieces.push_back({sentence.substr(at, open - at)});
      if (open == sentence.size()) break;
      const std::size_t close = sentence.find('}', open);
      const auto fact = facts.find(std::string_view(sentence).substr(open + 1, close - open - 1));
      whole = close != std::string::npos && fact != facts.end();
      if (whole) pieces.push_back(fact->second);
      at = close + 1;
    }
    if (whole) return pieces;
  }
  return {};
}

}  // namespace attn::inspector
