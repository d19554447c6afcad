// Changes to a layer: each made, seen, taken back.
#include "core/edits/layer_changes.h"

#include <doctest/doctest.h>

#include "core/attention/layer_fields.h"
#include "core/edits/compared_layers.h"
#include "tests/core/edit_documents.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::vector<LayerChange> all_changes() {
  std::vector<LayerChange> all(mistakes().begin(), mistakes().end());
  all.insert(all.end(), differences().begin(), differences().end());
  return all;
}

std::vector<std::vector<char>> masked_cells(const LayerSpec& layer) {
  std::vector<std::vector<char>> rows;
  const std::size_t n = query_count(layer), m = key_count(layer);
  for (std::size_t query = 0; query < n; ++query)
    rows.push_back(MaskRow(layer.masks,
                           {.queries = n, .keys = m, .query = query, .first = first_place(layer.masks, n, m)})
                       .masked());
  return rows;
}

}  // namespace

TEST_CASE("A change that can be made is made, can be computed, and is taken back to what was") {
  Random random(seed(71));
  std::map<std::string_view, int> made;
  for (int i = 0; i < 200; ++i) {
    Document document;
    const LayerSpec before = document.layer() = random_layer(random);
    for (const LayerChange& change : all_changes()) {
      CAPTURE(change.word);
      if (change.is_made(before) || !change.obstacle(before).empty()) continue;
      document.layer() = before;
      change.make({document, kLayerA});
      CHECK(change.is_made(document.layer()));
      CHECK_FALSE(document.layer() == before);
      CHECK(is_whole(document.layer()));
      change.take_back({document, kLayerA}, before);
      CHECK(document.layer() == before);
      ++made[change.word];
    }
  }
  for (const LayerChange& change : all_changes()) CHECK_MESSAGE(made[change.word] > 10, change.word);
}

TEST_CASE("Without what it was, a change is taken back to what a layer usually has") {
  for (const LayerChange& change : all_changes()) {
    CAPTURE(change.word);
    Document document = projected_document();
    document.layer().masks = {{WindowRule{}}};
    document.layer().position = Rotary{};
    change.make({document, kLayerA});
    const LayerSpec made = document.layer();
    change.take_back({document, kLayerA}, LayerSpec{});
    const bool kept = change.is_made(LayerSpec{});  // no mask and no position are usual
    CHECK(change.is_made(document.layer()) == kept);
  }
}

TEST_CASE("An inverted mask hides what was seen and shows what was hidden") {
  Random random(seed(72));
  const LayerChange& invert = *find_change(mistakes(), "mask-inverted");
  int inverted = 0;
  for (int i = 0; i < 200; ++i) {
    Document document;
    const LayerSpec before = document.layer() = random_layer(random);
    if (!invert.obstacle(before).empty()) continue;
    invert.make({document, kLayerA});
    auto wanted = masked_cells(before);
    for (auto& row : wanted)
      for (char& cell : row) cell = !cell;
    CHECK(masked_cells(document.layer()) == wanted);
    ++inverted;
  }
  CHECK(inverted > 20);
}

TEST_CASE("What cannot be changed says why") {
  Document document = projected_document();
  const auto why = [&](std::span<const LayerChange> changes, std::string_view word) {
    return find_change(changes, word)->obstacle(document.layer());
  };
  CHECK(why(mistakes(), "no-positions") == "none in use");
  for (const char* word : {"mask-inverted", "mask-after-softmax"}) CHECK(why(mistakes(), word) == "no mask");
  CHECK(why(mistakes(), "off-by-one") == "no causal mask");
  CHECK(why(mistakes(), "softmax-over-queries") == "");
  document.layer().local = Local::monotonic;  // hides keys as well
  CHECK(why(mistakes(), "mask-after-softmax") == "");
  document.layer().weighting = Weighting::relu;
  CHECK(why(mistakes(), "softmax-over-queries") == "each weight by itself");
  CHECK(why(differences(), "head-off") == "");
  document.layer().heads = document.layer().kv_heads = 1;
  CHECK(why(differences(), "head-off") == "A has only one");
  document.layer().masks = {{WindowRule{}}, {GlobalRule{{0}}}};
  CHECK(why(mistakes(), "mask-inverted") == "not with global tokens");
  CHECK(find_change(mistakes(), "nonsense") == nullptr);
}
