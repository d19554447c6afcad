// The words come from what a stage is multiplied by, from its formula where that begins with what it is made
// of, or from the formula of its layer.
#include "app/canvas/arrow_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/graph/rounding.h"

namespace attn {
namespace {

constexpr int kDigits = 4;  // of a factor

std::string number_text(double value) {
  char buffer[32];
  const char* end =
      std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::general, kDigits).ptr;
  return (value < 0 ? "−" : "") + std::string(static_cast<const char*>(buffer), end);
}

// "÷ 2" rather than "× 0.5".
std::string factor_words(double factor) {
  const std::string times = number_text(factor), over = number_text(1 / factor);
  const bool divides = factor != 0 && std::abs(factor) < 1 && over.size() <= times.size();
  return (divides ? "÷ " : "× ") + (divides ? over : times);
}

// "· W_Q" of "·W_Q"; empty: it begins with no sign.
std::string signed_words(std::string_view text) {
  const auto behind = [](std::string_view from) {
    return from.substr(std::min(from.find_first_not_of(' '), from.size()));
  };
  text = behind(text);
  for (const std::string_view sign : std::array<std::string_view, 5>{"·", "+", "÷", "×", "−"})
    if (text.starts_with(sign))
      return std::string(sign) + " " + std::string(behind(text.substr(sign.size())));
  return "";
}

std::vector<const FormulaSpan*> spans_of(const Graph& graph, StageIndex stage) {
  std::vector<const FormulaSpan*> spans;
  for (const FormulaSpan& span : graph.parts[graph.stages[stage].part].formula)
    if (std::ranges::count(span.stages, stage) > 0) spans.push_back(&span);
  return spans;
}

// What the layer's formula does there: "+ mask", or what it puts around all before it: "softmax" of
// "softmax(" and ")", other ends with dots between them. Within that there are no words for a part of it.
std::string span_words(const Graph& graph, StageIndex from, StageIndex stage) {
  const std::vector<const FormulaSpan*> spans = spans_of(graph, stage);
  if (spans.size() == 1) return signed_words(spans[0]->text);
  if (spans.size() != 2 || spans[0]->stages != spans[1]->stages) return "";
  if (std::ranges::count(spans[0]->stages, from) > 0) return "";
  const std::string &first = spans[0]->text, &last = spans[1]->text;
  return first.ends_with('(') && last == ")" ? first.substr(0, first.size() - 1) : first + "…" + last;
}

std::string without_sign(const std::string& text) {
  return text.substr(text.find(' ') + 1);
}

// "√d_k = √4" of "/ √d_k" and "÷ √4"; else how the stage says it itself.
std::string factor_reason(const Graph& graph, StageIndex stage) {
  const std::vector<const FormulaSpan*> spans = spans_of(graph, stage);
  const std::string& formula = graph.stages[stage].formula;
  if (spans.size() != 1 || !spans[0]->text.starts_with("/ ") || !formula.starts_with("÷ ")) return formula;
  return without_sign(spans[0]->text) + " = " + without_sign(formula);
}

}  // namespace

ArrowWords arrow_words(const Graph& graph, StageIndex from, StageIndex to, const std::string& step) {
  const std::string &title = graph.stages[from].title, &formula = graph.stages[to].formula;
  ArrowWords words{.above = {}, .beneath = formula};
  if (const auto factor = graph.stages[computing(graph, to)].traits.factor) {
    words = {factor_words(*factor), factor_reason(graph, to)};
    if (words.beneath == words.above) words.beneath.clear();
    return words;
  }
  if (formula.starts_with(title)) words.above = signed_words(formula.substr(title.size()));
  if (!words.above.empty()) return {words.above, ""};
  words.above = span_words(graph, from, to);
  if (words.above.empty()) words.above = step;
  return words;
}

std::vector<StageIndex> made_of(const Graph& graph, StageIndex stage, const std::vector<StageIndex>& shown) {
  std::vector<StageIndex> found, open{stage};
  std::vector<bool> seen(graph.stages.size());
  while (!open.empty()) {
    const Stage& computed = graph.stages[computing(graph, open.back())];
    open.pop_back();
    for (const StageIndex input : computed.inputs) {
      if (seen[input]) continue;
      seen[input] = true;
      (std::ranges::count(shown, input) > 0 ? found : open).push_back(input);
    }
  }
  return found;
}

}  // namespace attn
