// What the inspector says about one number, before anything is drawn: title, words, formula, terms, where the
// number goes. Pure functions of Results, so that tests compare them with explain().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/frame/view.h"
#include "core/evaluate/results.h"

namespace attn::inspector {

// A piece of a formula, in the colour of a role.
struct ColouredText {
  std::string text;
  Role role = Role::plain;
};

// A number that was read: from a cell, or a constant with words of its own.
struct Figure {
  double value = 0;
  std::string words = {};         // "1/√4"; empty: the value is written
  std::optional<Spot> spot = {};  // where it stands
  Role role = Role::plain;        // of the stage there
  bool share = false;             // it is written as one: 0.4857
};
Figure figure_at(const Results& results, StageIndex stage, Cell cell);

// One line of arithmetic: operands and what they make.
struct Line {
  std::string label;  // the token or index that it belongs to; may be empty
  std::vector<Figure> operands;
  double value = 0;
};

struct Opened {
  Spot spot;
  std::string title;     // "scores[3, 0] · head 0"
  std::string sentence;  // "how much “on” looks at “the”, before scaling"
  std::vector<ColouredText> formula;
  Aggregate aggregate = Aggregate::none;
  Writing writing;
  std::vector<Line> lines;  // of a long sum the largest, in their order
  std::size_t left_out = 0;
  double left_out_sum = 0;
  double result = 0;   // as explain() recomputes it in double
  float number = 0;    // as the stage holds it
  bool share = false;  // it is written as one
  bool overridden = false;
  std::optional<Figure> computed;  // of an overridden number: what was computed
  std::optional<Turn> turn;        // the rotation that it comes from
};

// At most this many lines of a long sum are shown.
inline constexpr std::size_t kMostLines = 12;

// The positions of those to show of many: the largest magnitudes, NaN first, in their order.
std::vector<std::size_t> largest(const std::vector<double>& values, std::size_t most = kMostLines);

// Whether the stage exists, was computed and has the cell.
bool exists(const Results& results, const Spot& spot);

// Opens a number that exists. A number that an override left alone is opened as computed.
Opened open(const Results& results, const Spot& spot);

// A weight opened through all steps of the softmax; the keys as `lines` are chosen above.
struct SoftmaxLine {
  std::string key;
  bool masked = false, current = false;
  Figure score, exponential;  // the softmax's input and exp(score − maximum)
  double shifted = 0;         // score − maximum
};
struct OpenedSoftmax {
  std::string input;  // the title of what the softmax reads: "masked"
  std::vector<SoftmaxLine> lines;
  std::size_t left_out = 0;
  double left_out_sum = 0;
  Figure maximum, sum;
};
// None unless `spot` is a weight that a softmax computed.
std::optional<OpenedSoftmax> open_softmax(const Results& results, const Spot& spot);

// One leg of a number's way on: either one number, or all the cells that read it.
struct PathStep {
  std::string what;   // "÷ √4 ÷ 6", "kept by the mask"
  std::string title;  // "scaled", "Q[3, 0…3]"
  Figure figure;      // the number there, or the first cell of many; without a place where none reads it
  bool many = false;  // its value is not shown
  std::vector<double> adds = {};  // of a gradient: what it adds to each number there
};
std::vector<PathStep> where_it_goes(const Results& results, const Spot& spot);

// The row (or column) of weights that the number belongs to.
struct Attention {
  std::string title;       // "Row 3 · “on” attends to"
  StageIndex weights = 0;  // the number's own stage, or those that make its part's output
  std::size_t head = 0;
  std::optional<std::size_t> query = {}, key = {};  // exactly one: a row of weights, or a column
};
std::optional<Attention> attention_of(const Results& results, const Spot& spot, std::size_t shown_head);

// Words for rows, columns and cells, shared by all of the above.
std::string label(const Axis& axis, std::size_t index);          // the token, else the index
std::string quoted(const Axis& axis, std::size_t index);         // “on”, else "query 3"
std::string title_of(const Results& results, const Spot& spot);  // "scores[3, 0] · head 0"
std::string sentence_of(const Results& results, const Spot& spot);
std::string cell_text(const Stage& stage, Cell cell);  // "scores[3, 0]"
// A formula of the stage's inputs, written with their titles.
std::vector<ColouredText> written(const Graph& graph, StageIndex stage, const Formula& formula);
std::string to_string(const std::vector<ColouredText>& pieces);

}  // namespace attn::inspector
