// The layer once more with one thing changed, and what that changed.
#include "core/pipeline/probes.h"

#include <algorithm>
#include <cmath>

#include "core/attention/layer_fields.h"
#include "core/attention/layer_positions.h"
#include "core/checks/comparison.h"
#include "core/edits/edit_sides.h"

namespace attn {
namespace {

Tensor of_equal_rows(const Tensor& tensor) {
  if (tensor.empty()) return tensor;
  const Shape shape = tensor.shape();
  std::vector<float> values(tensor.values().size());
  for (std::size_t m = 0; m < shape.stack; ++m)
    for (std::size_t column = 0; column < shape.columns; ++column) {
      double sum = 0;
      for (std::size_t row = 0; row < shape.rows; ++row) sum += static_cast<double>(tensor[{m, row, column}]);
      const auto mean = static_cast<float>(sum / static_cast<double>(shape.rows));
      for (std::size_t row = 0; row < shape.rows; ++row)
        values[(m * shape.rows + row) * shape.columns + column] = mean;
    }
  return {shape, std::move(values)};
}

bool has_equal_rows(const Tensor& tensor) {
  const Shape shape = tensor.shape();
  for (std::size_t m = 0; m < shape.stack; ++m)
    for (std::size_t row = 1; row < shape.rows; ++row)
      for (std::size_t column = 0; column < shape.columns; ++column)
        if (tensor[{m, row, column}] != tensor[{m, 0, column}]) return false;
  return true;
}

// What the weights read: matrices of one row for each token.
std::vector<Tensor LayerSpec::*> content_of(const LayerSpec& layer) {
  if (layer.direct) return {&LayerSpec::q, &LayerSpec::k};
  return {&LayerSpec::x, &LayerSpec::memory};
}

// The graph of the weights alone: stages behind them are not asked for.
Graph weights_graph(const Document& document) {
  Built built = build_layer(document);
  built.graph.stages.resize(built.places.as<LayerStages>()->weights + 1);
  return std::move(built.graph);
}

std::size_t output_width(const LayerSpec& layer) {
  const bool projects = !layer.direct && !layer.w_o.empty();
  return projects ? layer.w_o.columns() : head_count(layer) * value_width(layer);
}

void take(LargestDifference& found, double a, double b, Cell at) {
  const double size = distance(a, b);
  found.rounding = found.rounding && (size == 0 || size <= accepted_distance(b));
  found.finite = found.finite && std::isfinite(a) && std::isfinite(b);
  if (size > found.size) found.size = size, found.at = at;
}

std::size_t place_of(const std::vector<std::size_t>& order, std::size_t token) {
  return static_cast<std::size_t>(std::ranges::find(order, token) - order.begin());
}

}  // namespace

Document in_other_order(const Document& document) {
  Document changed = document;
  const LayerSpec& layer = document.layer();
  reorder_tokens(changed, second_order(query_count(layer)), TokenSide::query);
  if (has_own_keys(layer)) reorder_tokens(changed, second_order(key_count(layer)), TokenSide::key);
  return changed;
}

Document with_same_content(const Document& document) {
  Document changed = document;
  for (Tensor LayerSpec::*member : content_of(document.layer()))
    changed.layer().*member = of_equal_rows(document.layer().*member);
  return changed;
}

bool has_content(const LayerSpec& layer) {
  return !std::ranges::all_of(content_of(layer), [&](auto member) { return has_equal_rows(layer.*member); });
}

std::vector<DeferredGraph> layer_probes(const Document& document, const Places&) {
  const LayerSpec& layer = document.layer();
  const std::size_t queries = query_count(layer), weights = head_count(layer) * queries * key_count(layer);
  if (std::max(weights, queries * output_width(layer)) > kMostProbed) return {};
  return {
      {"the tokens in another order", [document] { return build_layer(in_other_order(document)).graph; }},
      {"the same content at every token", [document] { return weights_graph(with_same_content(document)); }}};
}

LargestDifference order_difference(const Results& results, const Tensor& reordered) {
  LargestDifference found;
  const Tensor& output = results.outputs.back().whole();
  const std::vector<std::size_t> order = second_order(output.rows());
  for (std::size_t row = 0; row < output.rows(); ++row)
    for (std::size_t column = 0; column < output.columns(); ++column) {
      const double moved = static_cast<double>(reordered[{0, place_of(order, row), column}]);
      take(found, moved, static_cast<double>(output[{0, row, column}]), {0, row, column});
    }
  return found;
}

LargestDifference content_difference(const Results& results, const Tensor& weights) {
  LargestDifference found;
  const Tensor own = results.output(Role::weights);
  for (std::size_t head = 0; head < own.stack(); ++head)
    for (std::size_t row = 0; row < own.rows(); ++row)
      for (std::size_t column = 0; column < own.columns(); ++column) {
        const Cell cell{head, row, column};
        take(found, static_cast<double>(weights[cell]), static_cast<double>(own[cell]), cell);
      }
  return found;
}

std::vector<std::string> what_tells_order(const LayerSpec& layer) {
  std::vector<std::string> found;
  const bool encoded = !std::holds_alternative<NoPosition>(layer.position);
  if (encoded && !(layer.direct && is_added(layer.position))) found.push_back("the position encoding");
  for (const MaskTerm& term : layer.masks)
    if (!std::holds_alternative<GlobalRule>(term.rule))
      found.push_back("the " + std::string(name(term.rule)) + " mask");
  if (layer.local != Local::none) found.push_back("local attention");
  visit_chances([&](const auto& field, double LayerSpec::*number) {
    if (layer.*number > 0) found.emplace_back(field.number.text.key);
  });
  return found;
}

}  // namespace attn
