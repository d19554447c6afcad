// Titles and plain words: one sentence for each kind of stage, with its tokens.
#include <algorithm>
#include <array>

#include "app/panels/inspector_model.h"

namespace attn::inspector {
namespace {

// %r and %c: the row's and the column's token in quotes; %i and %j: their numbers; %h: the head.
struct Sentence {
  std::string_view stage, text;
};
constexpr std::array kSentences{
    Sentence{"x", "feature %j of %r, as given"},
    Sentence{"encoding", "what position %i adds to feature %j"},
    Sentence{"position", "feature %j of %r, with its position added"},
    Sentence{"memory", "feature %j of %r in the memory"},
    Sentence{"w_q", "how much input feature %i counts in query column %j"},
    Sentence{"w_k", "how much input feature %i counts in key column %j"},
    Sentence{"w_v", "how much input feature %i counts in value column %j"},
    Sentence{"w_o", "how much column %i of the heads counts in output feature %j"},
    Sentence{"b_q", "added to query column %j of every token"},
    Sentence{"b_k", "added to key column %j of every token"},
    Sentence{"b_v", "added to value column %j of every token"},
    Sentence{"b_o", "added to output feature %j of every token"},
    Sentence{"q", "what %r is looking for: feature %j of its query"},
    Sentence{"k", "how %r can be found: feature %j of its key"},
    Sentence{"v", "what %r hands over: feature %j of its value"},
    Sentence{"scores", "how much %r looks at %c, before scaling"},
    Sentence{"scaled", "how much %r looks at %c, after scaling"},
    Sentence{"bias", "what is added when %r looks at %c"},
    Sentence{"biased", "how much %r looks at %c, with the bias"},
    Sentence{"user_mask", "whether you painted %c away from %r: 1 = masked"},
    Sentence{"mask", "whether %c is hidden from %r: 1 = masked"},
    Sentence{"masked", "how much %r looks at %c, as far as the mask allows"},
    Sentence{"row_max", "the largest score of %r: subtracted so that exp stays small"},
    Sentence{"exp", "the share of %c for %r, before the row is divided by its sum"},
    Sentence{"row_sum", "all shares of %r together: what each is divided by"},
    Sentence{"weights", "how much of %c goes into %r"},
    Sentence{"dropped", "how much of %c goes into %r, after dropout"},
    Sentence{"head_output", "feature %j of what %r collected in head %h"},
    Sentence{"concat", "column %j of what all heads collected for %r"},
    Sentence{"output", "feature %j of the new %r"},
};

constexpr std::string_view kComputed = "_computed";  // a stage before its overrides

std::string_view base_of(std::string_view id) {
  return id.ends_with(kComputed) ? id.substr(0, id.size() - kComputed.size()) : id;
}

// Stages with a matrix for each head, which say so even when there is only one.
bool has_heads(std::string_view id) {
  constexpr std::array<std::string_view, 10> kIds{"q",       "k",   "v",       "scores",  "scaled",
                                                  "row_max", "exp", "row_sum", "weights", "head_output"};
  return std::ranges::count(kIds, base_of(id)) > 0 || id == "biased" || id == "masked" || id == "dropped";
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

std::string cell_text(const Stage& stage, Cell cell) {
  const std::string row = std::to_string(cell.row), column = std::to_string(cell.column);
  if (stage.shape.columns == 1 && stage.columns.name.empty()) return stage.title + "[" + row + "]";
  if (stage.id.starts_with("b_")) return stage.title + "[" + column + "]";
  return stage.title + "[" + row + ", " + column + "]";
}

std::string title_of(const Results& results, const Spot& spot) {
  const Stage& stage = results.graph.stages[*results.graph.find(spot.stage)];
  const std::string title = cell_text(stage, spot.cell);
  const bool head = stage.shape.stack > 1 || has_heads(stage.id);
  return head ? title + " · head " + std::to_string(spot.cell.head) : title;
}

std::string sentence_of(const Results& results, const Spot& spot) {
  const Stage& stage = results.graph.stages[*results.graph.find(spot.stage)];
  const std::string_view base = base_of(stage.id);
  const auto found = std::ranges::find(kSentences, base, &Sentence::stage);
  if (found == kSentences.end()) return stage.formula;
  std::string text;
  for (std::size_t i = 0; i < found->text.size(); ++i) {
    const char c = found->text[i];
    if (c != '%') {
      text += c;
      continue;
    }
    switch (found->text[++i]) {
      case 'r':
        text += quoted(stage.rows, spot.cell.row);
        break;
      case 'c':
        text += quoted(stage.columns, spot.cell.column);
        break;
      case 'i':
        text += std::to_string(spot.cell.row);
        break;
      case 'j':
        text += std::to_string(spot.cell.column);
        break;
      default:
        text += std::to_string(spot.cell.head);
    }
  }
  return base == stage.id ? text : text + ", as computed before your number";
}

}  // namespace attn::inspector
