// Rows are chosen by chance, one in each of as many equal parts, the same ones at every run. A number that is
// farther from the reference than the comparison accepts is held against its operation's own tolerance, which
// knows how large the terms were that cancelled.
#include "core/opencl/watch.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/checks/comparison.h"
#include "core/checks/wrong_number.h"
#include "core/opencl/cases/cases.h"
#include "core/reference/row_parts.h"
#include "core/tensor/random.h"

namespace attn::opencl {
namespace {

// How many numbers are compared of a layer that is too large for all: less than a tenth of what a processor
// computes it in (bench trace).
constexpr double kMostNumbers = 2e6;
constexpr std::size_t kFewestRows = 8, kFewestOfPart = 3;  // the first, the last and one by chance
constexpr std::uint64_t kSeed = 20;

// The least that any device promises.
constexpr Arithmetic kPoorest{.double_sums = false, .subnormals = false};

const Declaration& declaration_of(const Operation& operation) {
  const auto all = declarations();
  return *std::ranges::find_if(
      all, [&](const Declaration& d) { return name(operation) == std::string(d.operation); });
}

// Of a number that is farther from the reference than is accepted.
bool is_wrong(const Operation& operation, Inputs inputs, Cell cell, float device) {
  const double exact = explain(operation, inputs, cell).result;
  const float rounded = static_cast<float>(exact);
  if (!std::isfinite(device) || !std::isfinite(rounded)) return distance(device, rounded) > 0;
  const Case here{"", operation, {inputs.begin(), inputs.end()}};
  return std::abs(static_cast<double>(device) - exact) >
         declaration_of(operation).tolerance(here, cell, exact, kPoorest);
}

}  // namespace

std::vector<std::size_t> spread_rows(std::size_t rows, std::size_t count, std::uint64_t seed) {
  count = std::min(rows, count);
  std::vector<std::size_t> chosen(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * rows / count, last = (i + 1) * rows / count;
    chosen[i] = first + random_bits(seed, i) % (last - first);
  }
  if (count > 1) chosen.front() = 0, chosen.back() = rows - 1;
  return chosen;
}

double look_at_rows(const std::string& device, const std::string& result, const Operation& operation,
                    Inputs inputs, const Tensor& output, const Looked& at) {
  const auto [first, right] = run_row_parts(operation, inputs, at.rows, at.columns);
  const std::size_t columns = right.columns();
  double largest = 0;
  for (std::size_t i = 0; i < at.rows.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t flat = at.rows[i] * output.columns() + first + j;
      const float ours = output.values()[flat], reference = right.values()[i * columns + j];
      if (ours == reference) continue;
      const double d = distance(ours, reference);
      if (d > accepted_distance(reference)) {
        const Cell cell = cell_at(output.shape(), flat);
        if (is_wrong(operation, inputs, cell, ours))
          throw_wrong_number(device, result, output.shape(), cell, ours, reference);
      }
      largest = std::max(largest, d);
    }
  return largest;
}

Watch::Watch(const Graph& graph) : graph_(&graph) {
  begin(1);
}

void Watch::go_on_with(const Graph& graph, double share, const std::string& place) {
  graph_ = &graph, place_ = place;
  begin(share);
}

void Watch::begin(double share) {
  double sum = 0;
  std::size_t computed = 0;
  for (StageIndex i = 0; i < graph_->stages.size(); ++i) {
    const double count = operation_count(*graph_, i);
    sum += count;
    computed += count > 0;
  }
  all_ = sum <= kMostComparedOperations * share;
  share_ = kMostNumbers * kNumber * share / static_cast<double>(std::max<std::size_t>(1, computed));
  fewest_ = share < 1 ? kFewestOfPart : kFewestRows;
}

std::vector<std::size_t> Watch::choose_rows(StageIndex stage) const {
  const Shape shape = graph_->stages[stage].shape;
  const std::size_t rows = shape.stack * shape.rows;
  const double each = operation_count(*graph_, stage) / static_cast<double>(rows) +
                      kNumber * static_cast<double>(shape.columns);
  const auto affordable = static_cast<std::size_t>(share_ / each);
  return spread_rows(rows, all_ ? rows : std::max(affordable, fewest_), kSeed);
}

void Watch::look(const std::string& device, StageIndex index, Inputs inputs, const Tensor& output) {
  const Stage& stage = graph_->stages[index];
  if (stage.shape.size() == 0) return;
  const std::vector<std::size_t> rows = choose_rows(index);
  const double d = look_at_rows(device, stage.id + place_, stage.operation, inputs, output, {rows});
  if (d > largest_) largest_ = d, largest_stage_ = stage.id;
  seen_ += rows.size();
  rows_ += stage.shape.stack * stage.shape.rows;
}

std::string Watch::summary() const {
  std::ostringstream text;
  text.precision(2);
  text << "compared with the reference: ";
  if (seen_ < rows_)
    text << seen_ << " of " << rows_ << " rows";
  else
    text << "all numbers";
  if (largest_ == 0) return text.str() + ", all equal";
  text << ", the farthest " << largest_ << " from it (" << largest_stage_ << ")";
  return text.str();
}

}  // namespace attn::opencl
