// The roads around n² of a layer, for their tests: as they are found, and by plain loops.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "core/efficient/fields.h"
#include "core/efficient/road_features.h"
#include "core/efficient/road_rules.h"
#include "core/efficient/roads.h"
#include "core/measure/measured_layer.h"
#include "tests/layers.h"

namespace attn::tests {

using Doubles = std::vector<double>;

struct RoadsOfLayer {
  Results results;
  RoadHead head;
  std::array<std::optional<RoadFound>, kRoads> found = {};

  explicit RoadsOfLayer(const Document& document, std::size_t which = 0)
      : results(evaluated(document, kEfficientPlan)), head(*road_head(results, places(), which)) {
    RoadWork work(head, document.efficient, places().shown);
    while (!work.is_done()) work.step(found);
  }
  const EfficientPlaces& places() const { return *results.places.as<EfficientPlaces>(); }
  const RoadFound& of(Road road) const { return *found[static_cast<std::size_t>(road)]; }
  bool keeps(Road road, std::size_t i, std::size_t j) const { return of(road).pattern[{0, i, j}] != 0; }
  Doubles exact() const {
    return softmax_output([&](std::size_t i, std::size_t j) { return head.allowed.at(i, j); });
  }

  // Scores, exponentials and quotients without a maximum, of the pairs for which `kept` holds.
  Doubles softmax_output(const std::function<bool(std::size_t, std::size_t)>& kept) const {
    Doubles output(head.queries * head.value_width);
    for (std::size_t i = 0; i < head.queries; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < head.keys; ++j) {
        if (!kept(i, j)) continue;
        double score = 0;
        for (std::size_t c = 0; c < head.width; ++c)
          score += head.q[i * head.width + c] * head.k[j * head.width + c];
        const double weight = std::exp(score / std::sqrt(static_cast<double>(head.width)));
        sum += weight;
        for (std::size_t c = 0; c < head.value_width; ++c)
          output[i * head.value_width + c] += weight * head.v[j * head.value_width + c];
      }
      for (std::size_t c = 0; c < head.value_width && sum > 0; ++c) output[i * head.value_width + c] /= sum;
    }
    return output;
  }
};

inline double farthest(const Doubles& a, const Doubles& b) {
  double largest = 0;
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

inline Document causal_document(std::size_t tokens = 64, std::size_t width = 16, std::size_t heads = 1) {
  Document document = measured_layer(tokens, width, heads);
  document.layer().masks = {{.rule = CausalRule{}}};
  return document;
}

}  // namespace attn::tests
