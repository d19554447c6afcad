// Two layers' numbers compared, stage by stage and in all.
#include "core/compare/figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checks/array_difference.h"
#include "core/checks/comparison.h"
#include "core/checks/stage_pairs.h"
#include "core/io/stages_npz.h"

namespace attn {
namespace {

std::span<const float> row_of(const Tensor& weights, std::size_t row) {
  return weights.values().subspan(row * weights.columns(), weights.columns());
}

// −Σ a·ln a, a mean over the rows.
double mean_entropy(const Tensor& weights) {
  double sum = 0;
  for (const float value : weights.values()) {
    const auto a = static_cast<double>(value);
    if (a > 0) sum -= a * std::log(a);
  }
  return sum / static_cast<double>(weights.stack() * weights.rows());
}

// As `trace` writes it: a matrix that heads share is there for each.
std::vector<float> written(const Results& results, StageIndex stage, std::vector<std::size_t>& shape) {
  const StageArray array = stage_array(results.graph, stage, results.outputs[stage].whole());
  shape = array.shape;
  std::vector<float> numbers;
  for (const auto& piece : array.pieces) numbers.insert(numbers.end(), piece.begin(), piece.end());
  return numbers;
}

std::optional<ArrayDifference> difference_of(const Results& results, const ComparedStage& row) {
  if (row.difference)
    return difference(results.outputs[*row.a].whole().values(), results.outputs[*row.b].whole().values());
  if (!row.a || !row.b || !results.outputs[*row.a].here() || !results.outputs[*row.b].here())
    return std::nullopt;
  std::vector<std::size_t> shape_a, shape_b;
  const std::vector<float> a = written(results, *row.a, shape_a), b = written(results, *row.b, shape_b);
  return shape_a == shape_b ? std::optional(difference(a, b)) : std::nullopt;
}

CellCounts counts_of(const Tensor& a, const Tensor& b) {
  CellCounts counts{.cells = a.values().size(), .rows = a.stack() * a.rows()};
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < counts.rows && !a.values().empty(); ++i) {
    const std::span<const float> in_a = row_of(a, i), in_b = row_of(b, i);
    counts.changed_rows += difference(in_a, in_b).beyond > 0;
    for (std::size_t j = 0; j < in_a.size(); ++j) {
      const bool nan = std::isnan(in_a[j]) != std::isnan(in_b[j]);
      counts.nan += nan;
      counts.hidden += !nan && in_b[j] == kHidden && in_a[j] != kHidden;
      counts.freed += !nan && in_a[j] == kHidden && in_b[j] != kHidden;
    }
  }
  return counts;
}

void compare_weights(CompareFigures& figures, const Tensor& a, const Tensor& b) {
  figures.entropy_a = mean_entropy(a), figures.entropy_b = mean_entropy(b);
  figures.rows = a.stack() * a.rows();
  const auto strongest = [](std::span<const float> row) {
    return std::ranges::max_element(row) - row.begin();
  };
  figures.head_largest.resize(a.stack());
  for (std::size_t i = 0; i < figures.rows; ++i) {
    const std::span<const float> in_a = row_of(a, i), in_b = row_of(b, i);
    figures.same_strongest += strongest(in_a) == strongest(in_b);
    double sum = 0;
    for (std::size_t j = 0; j < in_a.size(); ++j) {
      const double off = distance(in_a[j], in_b[j]);
      sum += off;
      double& largest = figures.head_largest[i / a.rows()];
      largest = std::max(largest, off);
    }
    figures.moved.push_back(sum / 2);
  }
}

}  // namespace

CompareFigures compare_figures(const Results& results) {
  CompareFigures figures{.stages = results.places.as<ComparePlaces>()->stages};
  const auto numbers = [&](StageIndex stage) -> const Tensor& { return results.outputs[stage].whole(); };
  for (std::size_t i = 0; i < figures.stages.size(); ++i) {
    const ComparedStage& row = figures.stages[i];
    figures.differences.push_back(difference_of(results, row));
    figures.counts.push_back(row.difference ? counts_of(numbers(*row.a), numbers(*row.b)) : CellCounts());
    if (row.difference) {
      const Role role = results.graph.stages[*row.a].role;
      const bool own = row.a == results.graph.weights_of(*row.a);
      if (role == Role::weights && (own || !figures.weights)) figures.weights = i;
      if (role == Role::output) figures.output = i;
    }
  }
  figures.first = first_that_differs(figures.differences);
  if (figures.weights && !numbers(*figures.stages[*figures.weights].a).empty())
    compare_weights(figures, numbers(*figures.stages[*figures.weights].a),
                    numbers(*figures.stages[*figures.weights].b));
  if (figures.output) {
    const Tensor &a = numbers(*figures.stages[*figures.output].a),
                 &b = numbers(*figures.stages[*figures.output].b);
    figures.output_distance =
        difference(a.values(), b.values()).largest == 0 ? 0 : relative_distance(b.values(), a.values());
  }
  return figures;
}

}  // namespace attn
