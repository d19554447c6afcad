// Expressions of lessons: evaluated, said among words.
#include "core/lesson/live_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/lesson/live_values.h"
#include "core/system/error.h"
#include "core/text/expression_parser.h"
#include "core/text/text.h"

namespace attn {
namespace {

struct Evaluated {
  LessonNumbers numbers;
  std::vector<LessonCells> read;
};

Evaluated evaluated(const LessonFormula& formula, const LiveNumbers& live) {
  LiveValues values{live};
  const auto result = expression::Parser<LiveValues>(formula.text, values).parse();
  if (const TextError* error = std::get_if<TextError>(&result))
    throw Error("line " + std::to_string(formula.line) + ": “" + formula.text + "”: " + error->message);
  return {std::get<LessonNumbers>(result), std::move(values.read)};
}

std::string with_minus(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

// "32 768": narrow spaces between thousands, where there are ten of them or more.
std::string with_thousands(std::string text) {
  const std::size_t end = std::min(text.find('.'), text.size()), first = text.starts_with('-') ? 1 : 0;
  if (end - first < 5) return text;
  for (std::size_t at = end; at > first + 3;) text.insert(at -= 3, "\u202f");
  return text;
}

std::string said(double value, const LessonWord& word) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  if (word.percent) value *= 100;
  std::string text = shortest(static_cast<float>(value));
  if (word.digits || word.percent) {
    char fixed[64];
    std::snprintf(fixed, sizeof fixed, "%.*f", std::min(word.digits.value_or(0), 12), value);
    text = fixed;
    // What rounds to 0 has no sign.
    if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-')) text.erase(0, 1);
    text = with_thousands(std::move(text));
  }
  return with_minus(std::move(text)) + (word.percent ? "\u202f%" : "");
}

}  // namespace

LessonNumbers evaluate(const LessonFormula& formula, const LiveNumbers& live) {
  return evaluated(formula, live).numbers;
}

double number(const LessonFormula& formula, const LiveNumbers& live) {
  const LessonNumbers result = evaluate(formula, live);
  if (result.values.size() != 1)
    throw Error("line " + std::to_string(formula.line) + ": “" + formula.text + "” is " +
                std::to_string(result.values.size()) + " numbers, not one");
  return result.values[0];
}

bool holds(const LessonFormula& formula, const LiveNumbers& live) {
  const double value = number(formula, live);
  return value != 0 && !std::isnan(value);
}

std::vector<LessonCells> cells_of(const LessonFormula& formula, const LiveNumbers& live) {
  return evaluated(formula, live).read;
}

std::vector<SaidWord> say(const LessonText& text, const LiveNumbers& live) {
  std::vector<SaidWord> all;
  for (const LessonWord& word : text) {
    if (word.number.empty()) {
      all.push_back({.words = word.words});
      continue;
    }
    const Evaluated made = evaluated(word.number, live);
    SaidWord one{.words = {}, .number = true, .cells = made.read};
    for (const double value : made.numbers.values)
      one.words += (one.words.empty() ? "" : ", ") + said(value, word);
    all.push_back(std::move(one));
  }
  return all;
}

std::string plain(const std::vector<SaidWord>& said) {
  std::string text;
  for (const SaidWord& word : said) text += word.words;
  return text;
}

bool contains(const LessonCells& cells, std::string_view stage, Cell cell) {
  return cells.stage == stage && cells.head.value_or(cell.head) == cell.head &&
         cells.row.value_or(cell.row) == cell.row && cells.column.value_or(cell.column) == cell.column;
}

std::vector<Cell> cells_in(const LessonCells& cells, const Shape& shape) {
  std::vector<Cell> found;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (const Cell cell = cell_at(shape, i); contains(cells, cells.stage, cell)) found.push_back(cell);
  return found;
}

}  // namespace attn
