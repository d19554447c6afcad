// What flows from weights to the scores they were made of: its rows' sums against those of the numbers alone.
#include "core/gradients/weights_flow.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/gradients/graph.h"
#include "tests/layers.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("rows of dS add up to 0 where weights keep their sum, and to anything else where not") {
  Random random(seed(712));
  std::size_t kept = 0, free = 0;
  for (int run = 0; run < 400; ++run) {
    CAPTURE(run);
    LayerSpec layer = random_layer(random);
    if (coin(random)) layer.weighting = static_cast<Weighting>(pick(random, 0, kWeightings.size() - 1));
    Document document{.layers = {layer}};
    document.gradients.loss = LossKind::ones;
    const Results results = evaluated(document, kGradientsPlan);
    const auto& places = *results.places.as<GradientsPlaces>();
    const auto flow = weights_flow(results.graph, *places.gradients.find(places.layer.weighed));
    if (!flow) continue;
    const FarthestSum farthest = farthest_sum(results, *flow);
    if (!keeps_sum(results.graph, flow->weights)) {
      ++free;
      continue;
    }
    ++kept;
    if (!std::isnan(farthest.sum)) CHECK(farthest.holds);
    double most = 0;
    const Tensor& numbers = results.outputs[flow->d_scores].whole();
    for (std::size_t head = 0; head < numbers.stack(); ++head)
      for (std::size_t row = 0; row < numbers.rows(); ++row) {
        double sum = 0;
        for (std::size_t j = 0; j < numbers.columns(); ++j)
          sum += static_cast<double>(numbers[{head, row, j}]);
        most = std::max(most, std::abs(sum));
      }
    if (farthest.holds) CHECK(farthest.sum == most);
  }
  CHECK(kept > 30);
  CHECK(free > 5);
}
