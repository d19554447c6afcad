// The stages of a dictionary, found by what they are, and its cards.
#include "core/checks/dictionary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/checks/checks.h"
#include "core/checks/checks_parts.h"

namespace attn {
namespace {

std::optional<Dictionary> mixed_in(const Graph& graph, std::size_t part) {
  const auto mixture = mixture_in(graph, part);
  if (!mixture) return std::nullopt;
  const std::vector<StageIndex>& mixed = graph.stages[*mixture].inputs;
  const auto scores = graph.stages[mixed[0]].scores;
  if (!scores) return std::nullopt;
  return Dictionary{.scores = *scores, .weights = mixed[0], .values = mixed[1]};
}

// NaN stands before all numbers: it is what is to be seen.
double order_of(double weight) {
  return std::isnan(weight) ? std::numeric_limits<double>::infinity() : weight;
}

void add_result(Dictionary& d, std::span<const float> weights, const Tensor& values) {
  d.result.assign(values.columns(), 0);
  for (std::size_t key = 0; key < weights.size(); ++key) {
    const auto weight = static_cast<double>(weights[key]);
    d.takers += weight != 0;
    const std::span<const float> value = checking::row_of(&values, d.value_head, key);
    for (std::size_t column = 0; column < value.size(); ++column)
      d.result[column] += weight * static_cast<double>(value[column]);
  }
}

// Those of the `most` largest weights first, ties in the order of keys.
std::vector<std::size_t> ordered_keys(std::span<const float> weights, std::size_t most) {
  std::vector<std::size_t> keys(weights.size());
  std::iota(keys.begin(), keys.end(), 0);
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(std::min(most, keys.size()));
  std::ranges::partial_sort(keys, end, [&](std::size_t a, std::size_t b) {
    const double x = order_of(static_cast<double>(weights[a])), y = order_of(static_cast<double>(weights[b]));
    return x != y ? x > y : a < b;
  });
  return keys;
}

}  // namespace

std::optional<StageIndex> mixing_weights(const Graph& graph, std::size_t part) {
  const auto mixture = mixture_in(graph, part);
  return mixture ? graph.stages[*mixture].inputs[0] : graph.find(Role::weights, part);
}

std::optional<Dictionary> dictionary_of(const Results& results, StageIndex stage, std::size_t head,
                                        std::size_t query, std::size_t most) {
  auto found = mixed_in(results.graph, results.graph.stages[stage].part);
  if (!found) return std::nullopt;
  Dictionary& d = *found;
  const StageResult &weights = results.outputs[d.weights], &scores = results.outputs[d.scores];
  if (!weights.holds({head, query, 0}) || !scores.holds({head, query, 0})) return std::nullopt;
  if (!results.outputs[d.values].here()) return std::nullopt;
  const Tensor& values = results.outputs[d.values].whole();
  d.head = head, d.query = query, d.value_head = shared_matrix(head, values.stack(), weights.stack());
  const std::span<const float> row = checking::row_of(weights.with_row(query), head, query);
  add_result(d, row, values);
  const std::vector<std::size_t> keys = ordered_keys(row, most);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t key = keys[i];
    const auto weight = static_cast<double>(row[key]);
    if (i >= most) {
      ++d.left_out, d.left_out_weight += weight;
      continue;
    }
    d.cards.push_back({.key = key,
                       .match = static_cast<double>(scores[{head, query, key}]),
                       .weight = weight,
                       .masked = is_masked(results, d.weights, {head, query, key}),
                       .value = checking::row_of(&values, d.value_head, key)});
  }
  return found;
}

}  // namespace attn
