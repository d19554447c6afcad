// The random products of the workspace of the softmax: a chain over widths, and what it costs to drag one.
#include <doctest/doctest.h>

#include "core/evaluate/evaluator.h"
#include "core/softmax/numbers.h"
#include "tests/core/softmax_computed.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("products of every width are the same whatever width is chosen") {
  Document document = of_row({1});
  document.softmax.pairs = 100, document.softmax.row_keys = 8;
  document.softmax.width = 150;
  const Computed a(document);
  CHECK(a.places.products.widths == std::vector<std::size_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024});
  CHECK(a.outputs[a.places.products.raw].shape() == Shape{1, 13, 8});
  document.softmax.width = 64;
  const Computed b(document);
  CHECK(b.places.products.raw == b.places.products.of_width[6]);
  CHECK(a.at(a.places.products.of_width[10]) == b.at(b.places.products.of_width[10]));
  // 150 = 128 + 8 + 8 + 6.
  const RandomProducts tail{.seed = document.softmax.seed, .first = 128, .count = 22, .rows = 13, .keys = 8};
  const std::vector<Tensor> before{a.outputs[a.places.products.of_width[7]]};
  const Tensor whole = make_reference_backend()->run(tail, before);
  for (std::size_t i = 0; i < whole.values().size(); ++i)
    CHECK(a.outputs[a.places.products.raw].values()[i] == doctest::Approx(whole.values()[i]).epsilon(1e-5));
}

TEST_CASE("a width that is dragged costs its last dimensions and a score no product") {
  const auto reference = make_reference_backend();
  Budget budget;
  Evaluator evaluator(*reference, budget);
  Document document = of_row({2, 1});
  const auto recomputed = [&](std::size_t width) {
    document.softmax.width = width;
    return evaluator.evaluate(document, build_softmax(document)).recomputed;
  };
  const auto last_chunk = [&] {
    const Graph graph = build_softmax(document).graph;
    return std::get<RandomProducts>(
               graph.stages[places_in<SoftmaxPlaces>(build_softmax(document)).products.raw].operation)
        .count;
  };
  recomputed(500);
  CHECK(recomputed(501) == 4);  // the products, the same scaled, and both largest weights
  CHECK(last_chunk() == 5);     // of 496 + 5
  CHECK(recomputed(500) == 0);
  set_score(document, 0, 3);
  const std::size_t chain = places_in<SoftmaxPlaces>(build_softmax(document)).products.scaled_largest -
                            places_in<SoftmaxPlaces>(build_softmax(document)).products.of_width[0];
  const std::size_t of_row = recomputed(500);
  CHECK(of_row > 0);
  CHECK(of_row < build_softmax(document).graph.stages.size() - chain);
}

TEST_CASE("scaled products have the standard deviation 1 and saturate no row while raw ones do") {
  Document document = of_row({1});
  document.softmax.pairs = 4096, document.softmax.width = 256;
  const Computed c(document);
  const ProductStages& p = c.places.products;
  CHECK(moments_of(c.outputs[p.scaled].values()).sd == doctest::Approx(1).epsilon(0.05));
  CHECK(moments_of(c.outputs[p.raw].values()).sd == doctest::Approx(16).epsilon(0.05));
  CHECK(share_over(c.outputs[p.scaled_largest].values(), 0.9) == 0);
  CHECK(share_over(c.outputs[p.raw_largest].values(), 0.9) > 0.5);
}
