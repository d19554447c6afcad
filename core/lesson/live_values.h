// The values of lessons' expressions: what an expression parser does with numbers that are read from results.
// For core/lesson alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/live_numbers.h"
#include "core/text/expression_parts.h"

namespace attn {

struct LiveValues {
  using Value = LessonNumbers;
  using Slices = std::vector<expression::Slice<LessonNumbers>>;
  static constexpr bool kConditions = true;

  const LiveNumbers& live;
  std::string error = {};
  std::vector<LessonCells> read = {};  // in order
  std::size_t numbers_read = 0;

  LessonNumbers number(double x) const { return {.shape = {1, 1, 1}, .values = {x}}; }
  LessonNumbers sign(LessonNumbers x) const;
  LessonNumbers root(LessonNumbers x) const;
  LessonNumbers operate(expression::Operator what, LessonNumbers a, LessonNumbers b);
  std::optional<LessonNumbers> named(std::string_view name);
  LessonNumbers call(const std::string& name, std::vector<LessonNumbers> arguments);
  LessonNumbers cells(std::string_view name, Slices slices);

 private:
  LessonNumbers fail(std::string message);
  LessonNumbers stage(const Results& results, std::string_view name, const Slices& slices);
};

// A number of the document by its key ("layer.temperature"); none: there is none.
std::optional<double> document_number(const Document& document, std::string_view key);

}  // namespace attn
