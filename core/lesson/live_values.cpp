// What is done with numbers of results in lessons' expressions.
#include "core/lesson/live_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/document/document_fields.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

// From `first` to `last`, not included.
struct Span {
  std::size_t first = 0, last = 0;
  std::size_t count() const { return last - first; }
};

// A list of all arguments' numbers.
std::vector<double> joined(const std::vector<LessonNumbers>& arguments) {
  std::vector<double> all;
  for (const LessonNumbers& one : arguments) all.insert(all.end(), one.values.begin(), one.values.end());
  return all;
}

// Of several numbers one; NaN where any is none and the largest or least is asked for.
std::optional<double> summed(std::string_view name, const std::vector<double>& x) {
  const double sum = std::accumulate(x.begin(), x.end(), 0.0);
  if (name == "sum") return sum;
  if (name == "mean") return sum / static_cast<double>(x.size());
  if (name == "size") return static_cast<double>(x.size());
  if (name == "count")
    return static_cast<double>(x.size() - static_cast<std::size_t>(std::ranges::count(x, 0.0)));
  const auto less = [](double a, double b) { return std::isnan(a) ? false : std::isnan(b) || a < b; };
  if (name == "max") return *std::ranges::max_element(x, less);
  if (name == "argmax") return static_cast<double>(std::ranges::max_element(x, less) - x.begin());
  const bool none = std::ranges::any_of(x, [](double value) { return std::isnan(value); });
  if (name == "min") return none ? kNan : *std::ranges::min_element(x);
  return std::nullopt;
}

}  // namespace

LessonNumbers LiveValues::fail(std::string message) {
  if (error.empty()) error = std::move(message);
  return {};
}

LessonNumbers LiveValues::sign(LessonNumbers x) const {
  for (double& value : x.values) value = -value;
  return x;
}

LessonNumbers LiveValues::root(LessonNumbers x) const {
  for (double& value : x.values) value = std::sqrt(value);
  return x;
}

LessonNumbers LiveValues::operate(expression::Operator what, LessonNumbers a, LessonNumbers b) {
  const std::size_t count = std::max(a.values.size(), b.values.size());
  if (a.values.size() != b.values.size() && a.values.size() != 1 && b.values.size() != 1)
    return fail(std::to_string(a.values.size()) + " numbers meet " + std::to_string(b.values.size()));
  LessonNumbers result{.shape = a.values.size() == count ? a.shape : b.shape,
                       .values = std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i)
    result.values[i] = expression::single_operation(what, a.values[a.values.size() == 1 ? 0 : i],
                                                    b.values[b.values.size() == 1 ? 0 : i]);
  return result;
}

std::optional<LessonNumbers> LiveValues::named(std::string_view name) {
  if (name != "it") return std::nullopt;
  if (!live.it) return fail("“it” is the cell that is clicked, and none is");
  return number(*live.it);
}

LessonNumbers LiveValues::call(const std::string& name, std::vector<LessonNumbers> arguments) {
  const LessonNumbers& first = arguments.front();
  if (arguments.size() == 1) {
    if (name == "rows") return number(static_cast<double>(first.shape.rows));
    if (name == "columns") return number(static_cast<double>(first.shape.columns));
    if (expression::single_function(name, 0)) {
      LessonNumbers result = first;
      for (double& value : result.values) value = *expression::single_function(name, value);
      return result;
    }
  }
  if (const auto one = summed(name, joined(arguments))) return number(*one);
  return fail("no function " + in_quotes(name) + " of " + std::to_string(arguments.size()) +
              (arguments.size() == 1 ? " value" : " values"));
}

LessonNumbers LiveValues::cells(std::string_view name, Slices slices) {
  constexpr std::string_view kBefore = "before.";
  const bool before = name.starts_with(kBefore);
  const Results* results = before ? live.before : live.now;
  const std::string_view id = before ? name.substr(kBefore.size()) : name;
  if (!results)
    return fail(before ? in_quotes(name) + " is known while an answer is shown, and none is"
                       : in_quotes(name) + " has no numbers here");
  if (results->graph.find(id)) return stage(*results, id, slices);
  if (const auto value = slices.empty() ? document_number(results->document, id) : std::nullopt)
    return number(*value);
  std::vector<std::string> names;
  for (const Stage& one : results->graph.stages) names.push_back(one.id);
  const std::string near = nearest_word(id, names);
  return fail("no stage " + in_quotes(id) + (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
}

LessonNumbers LiveValues::stage(const Results& results, std::string_view name, const Slices& slices) {
  const StageResult result = results.result(name);
  const Shape shape = result.shape();
  const std::array<std::size_t, 3> sides{shape.stack, shape.rows, shape.columns};
  constexpr std::array<const char*, 3> kSides{"heads", "rows", "columns"};
  if (slices.size() > sides.size()) return fail(in_quotes(name) + " takes a head, a row and a column");
  std::array<Span, 3> spans{};
  LessonCells cells{.stage = std::string(name)};
  const std::array<std::optional<std::size_t>*, 3> said{&cells.head, &cells.row, &cells.column};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    spans[i] = {0, sides[i]};
    if (i >= slices.size()) continue;
    const auto place = [&](const std::optional<LessonNumbers>& at,
                           std::size_t otherwise) -> std::optional<std::size_t> {
      if (!at) return otherwise;
      const double value = at->values.size() == 1 ? at->values[0] : -1;
      if (!(value >= 0 && value <= static_cast<double>(sides[i])) || value != std::floor(value))
        return std::nullopt;
      return static_cast<std::size_t>(value);
    };
    const auto first = place(slices[i].first, 0);
    const auto last = slices[i].range ? place(slices[i].end, sides[i])
                      : first         ? std::optional(*first + 1)
                                      : first;
    if (!first || !last || *first >= *last || *last > sides[i])
      return fail(in_quotes(name) + " is " + to_string(shape) + ": " + kSides[i] + " are 0 to " +
                  std::to_string(sides[i] - 1));
    spans[i] = {*first, *last};
    if (!slices[i].range) *said[i] = *first;
  }
  LessonNumbers numbers{.shape = {spans[0].count(), spans[1].count(), spans[2].count()}, .values = {}};
  if ((numbers_read += numbers.shape.size()) > kMostRead)
    return fail("more than " + std::to_string(kMostRead) + " numbers are read");
  for (std::size_t h = spans[0].first; h < spans[0].last; ++h)
    for (std::size_t r = spans[1].first; r < spans[1].last; ++r)
      for (std::size_t c = spans[2].first; c < spans[2].last; ++c) {
        if (!result.holds({h, r, c})) return fail(in_quotes(name) + " is not computed here");
        numbers.values.push_back(result[{h, r, c}]);
      }
  read.push_back(std::move(cells));
  return numbers;
}

std::optional<double> document_number(const Document& document, std::string_view key) {
  std::optional<double> found;
  visit_all(document, [&](std::string_view part, const auto& fields) {
    visit_fields(of<std::remove_cvref_t<decltype(fields)>>, [&](const auto& field, auto member) {
      using Value = std::remove_cvref_t<decltype(fields.*member)>;
      if constexpr (std::is_arithmetic_v<Value>) {
        if (key == std::string(part) + "." + std::string(text_of(field).key))
          found = static_cast<double>(fields.*member);
      }
    });
  });
  return found;
}

}  // namespace attn
