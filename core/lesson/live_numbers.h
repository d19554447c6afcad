// The numbers of a lesson's text: expressions of what is computed now.
#pragma once

#include <string>
#include <vector>

#include "core/evaluate/results.h"
#include "core/lesson/lesson.h"

namespace attn {

// What an expression reads. Results outlive it.
struct LiveNumbers {
  const Results* now = nullptr;
  const Results* before =
      nullptr;  // "before.weights[0,0]": of the state before an answer was shown; may be null
  std::optional<double> it = {};  // the cell that was clicked
};

// Some numbers of an expression, in the shape that they were read in; true is 1 and false 0.
struct LessonNumbers {
  Shape shape = {1, 1, 1};
  std::vector<double> values = {0};
};

// NAME[HEAD,ROW,COLUMN] are numbers of a stage, counted from 0, as in --pin; what is left out at the end, or
// ":" in its place, stands for all, and A:B for some, B not included. KEY.FIELD is a number of the document
// ("layer.temperature"). Besides what core/text/expression.h has: sum, mean, min, max, size, rows, columns,
// argmax (counted from 0) and count of what holds; < <= > >= == !=, and, or, not. What has several numbers
// meets one number, or as many. There are no loops; what would read more than kMostRead numbers is refused.
inline constexpr std::size_t kMostRead = 65536;

// Throws Error with the line and the reason.
LessonNumbers evaluate(const LessonFormula& formula, const LiveNumbers& live);
// The same of one number: whether it is one and not 0 (nor NaN).
bool holds(const LessonFormula& formula, const LiveNumbers& live);
double number(const LessonFormula& formula, const LiveNumbers& live);

// The cells that an expression reads, for linking text with canvas.
std::vector<LessonCells> cells_of(const LessonFormula& formula, const LiveNumbers& live);

// A word of a text as it is said.
struct SaidWord {
  std::string words;
  bool number = false;
  std::vector<LessonCells> cells = {};  // that a number is made from
};
// Throws Error with the line and the reason.
std::vector<SaidWord> say(const LessonText& text, const LiveNumbers& live);
std::string plain(const std::vector<SaidWord>& said);

// Changes the document as a set says: of the plan's graph where it names cells, whose expressions may read
// `live`. Throws Error with the line and the reason; the document stays as it was.
void apply(const LessonSet& set, Document& document, const Plan& plan, const LiveNumbers& live = {});

// Whether the cell is one of these.
bool contains(const LessonCells& cells, std::string_view stage, Cell cell);
// These cells of a stage of that shape, row by row.
std::vector<Cell> cells_in(const LessonCells& cells, const Shape& shape);

}  // namespace attn
