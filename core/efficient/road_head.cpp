// One head as the roads take it: out of the results of a layer, widened to double.
#include <algorithm>

#include "core/attention/flash_operation.h"
#include "core/attention/layer_flash.h"
#include "core/efficient/roads.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

std::vector<double> head_rows(const StageResult& result, std::size_t head, std::size_t heads) {
  const Tensor& numbers = result.whole();
  const std::size_t size = numbers.rows() * numbers.columns();
  const float* first = numbers.data() + shared_matrix(head, numbers.stack(), heads) * size;
  return {first, first + size};
}

}  // namespace

std::optional<RoadHead> road_head(const Results& results, const EfficientPlaces& places, std::size_t head) {
  const LayerStages& at = places.layer;
  const std::size_t heads = results.graph.stages[at.weights].shape.stack;
  std::vector<StageIndex> read{at.q, at.k, at.v, at.weights};
  for (const auto& more : {at.bias, at.mask})
    if (more) read.push_back(*more);
  for (const StageIndex stage : read)
    if (!results.outputs[stage].here()) return std::nullopt;
  const auto rows = [&](StageIndex stage) { return head_rows(results.outputs[stage], head, heads); };
  const LayerSpec& layer = places.shown;
  RoadHead one{.queries = results.outputs[at.q].rows(),
               .keys = results.outputs[at.k].rows(),
               .width = results.outputs[at.q].columns(),
               .value_width = results.outputs[at.v].columns()};
  one.q = rows(at.q), one.k = rows(at.k), one.v = rows(at.v);
  one.allowed = PairSet(one.queries, one.keys, true);
  if (at.bias) one.bias = rows(*at.bias);
  if (at.mask)
    std::ranges::transform(rows(*at.mask), one.allowed.has.begin(), [](double m) { return m == 0; });
  if (!flash_obstacle(layer).empty()) one.weights = rows(at.weights);
  one.op = flash_operation(layer, one.width, first_place(layer.masks, one.queries, one.keys));
  one.own_tokens = layer.memory.empty() && one.queries == one.keys;
  return one;
}

}  // namespace attn
