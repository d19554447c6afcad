// A row of attention as cards, against sums over all keys written out here.
#include <doctest/doctest.h>

#include "core/checks/dictionary.h"
#include "tests/core/edit_documents.h"

using namespace attn;
using namespace attn::tests;

namespace {

Dictionary opened(const Results& results, std::size_t head, std::size_t query, std::size_t most = 100) {
  const auto found = dictionary_of(results, *results.graph.find(Role::weights), head, query, most);
  REQUIRE(found);
  return *found;
}

// Two keys that tie for the query, and one that is behind.
Document ties() {
  Document document;
  document.layer().direct = true;
  document.layer().q = Tensor({1, 1, 2}, {2, 0});
  document.layer().k = Tensor({1, 3, 2}, {1, 5, 0, 1, 1, -7});
  document.layer().v = Tensor({1, 3, 2}, {10, 1, 20, 2, 40, 3});
  return document;
}

}  // namespace

TEST_CASE("every random layer is a dictionary whose result is its head output") {
  Random random(3);
  std::size_t compared = 0;
  for (int i = 0; i < 200; ++i) {
    Document document = random_document(random);
    document.overrides.clear();
    const Results results = evaluated(document);
    const bool offsets = results.graph.find("content_output").has_value();
    const Tensor output = results.output("head_output");
    const Dictionary d = opened(results, output.stack() - 1, output.rows() - 1);
    CHECK(d.cards.size() == key_count(document.layer()));
    for (std::size_t c = 1; c < d.cards.size(); ++c)
      CHECK((std::isnan(d.cards[c - 1].weight) || d.cards[c].weight <= d.cards[c - 1].weight));
    if (offsets || d.result[0] != d.result[0]) continue;
    for (std::size_t column = 0; column < output.columns(); ++column) {
      const auto expected = static_cast<double>(output[{d.head, d.query, column}]);
      const auto* relative = std::get_if<Relative>(&document.layer().position);
      if (relative && relative->values) continue;
      CHECK(d.result[column] == doctest::Approx(expected).epsilon(1e-5));
      ++compared;
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("at temperature 0 the keys that tie for the largest match share") {
  Document document = ties();
  document.layer().temperature = 0;
  const Dictionary d = opened(evaluated(document), 0, 0);
  CHECK(d.takers == 2);
  CHECK(d.cards[0].key == 0);
  CHECK(d.cards[1].key == 2);
  CHECK(d.cards[0].weight == 0.5);
  CHECK(d.cards[2].weight == 0);
  CHECK(d.result == std::vector<double>{25, 2});
  CHECK(d.cards[1].value[0] == 40);
}

TEST_CASE("keys without a card are counted and weighed together") {
  const Results results = evaluated(ties());
  const Dictionary all = opened(results, 0, 0), d = opened(results, 0, 0, 1);
  CHECK(d.cards.size() == 1);
  CHECK(d.left_out == 2);
  CHECK(d.left_out_weight == doctest::Approx(all.cards[1].weight + all.cards[2].weight));
  CHECK(d.result == all.result);
}

TEST_CASE("what dropout leaves is what mixes the values") {
  Document document = ties();
  document.layer().dropout = 1;
  const Dictionary d = opened(evaluated(document), 0, 0);
  CHECK(d.takers == 0);
  CHECK(d.result == std::vector<double>{0, 0});
}
