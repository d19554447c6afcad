// Edits of the row of the workspace of the softmax.
#include <doctest/doctest.h>

#include <cmath>

#include "core/document/document_fields.h"
#include "core/document/history.h"
#include "core/softmax/row.h"
#include "core/system/error.h"

using namespace attn;

namespace {

Document three_keys() {
  Document document;
  const std::vector<float> scores{1, 2, 3};
  own_row(document.softmax, scores, {"a", "b", "c"});
  return document;
}

std::vector<float> scores_of(const Document& document) {
  const auto values = document.softmax.scores.values();
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("keys come and go with their labels and masks") {
  Document document = three_keys();
  SoftmaxSpec& spec = document.softmax;
  mask_key(document, 2, true);
  mask_key(document, 0, true);
  CHECK(spec.masked == std::vector<std::size_t>{0, 2});
  add_key(spec, "d", 4);
  CHECK(spec.keys == Labels{"a", "b", "c", "d"});
  remove_key(spec, 0);
  CHECK(scores_of(document) == std::vector<float>{2, 3, 4});
  CHECK(spec.keys == Labels{"b", "c", "d"});
  CHECK(spec.masked == std::vector<std::size_t>{1});
  mask_key(document, 1, false);
  CHECK(spec.masked.empty());
}

TEST_CASE("the last key of a row can go and the first come back") {
  Document document;
  const std::vector<float> one{7};
  own_row(document.softmax, one, {});
  remove_key(document.softmax, 0);
  CHECK(document.softmax.scores.empty());
  add_key(document.softmax, "new", 2);
  CHECK(scores_of(document) == std::vector<float>{2});
  CHECK(document.softmax.keys == Labels{"new"});
}

TEST_CASE("a key without a label has its number until one is given") {
  Document document;
  const std::vector<float> two{7, 8};
  own_row(document.softmax, two, {});
  rename_key(document.softmax, 1, "mat");
  CHECK(document.softmax.keys == Labels{"0", "mat"});
}

TEST_CASE("a row that is taken over keeps what was hidden hidden") {
  Document document;
  const std::vector<float> row{1, -INFINITY, 3};
  own_row(document.softmax, row, {"x", "y", "z"});
  CHECK(document.softmax.source == RowSource::own);
  CHECK(scores_of(document) == std::vector<float>{1, 0, 3});
  CHECK(document.softmax.masked == std::vector<std::size_t>{1});
}

TEST_CASE("each edit of the row is one step with a name") {
  const Document before = three_keys();
  const auto named = [&](auto edit) {
    Document after = before;
    edit(after);
    return describe(before, after);
  };
  CHECK(named([](Document& d) { set_score(d, 1, 2.5f); }) == "scores[0, 1] = 2.5");
  CHECK(named([](Document& d) { add_key(d.softmax, "d", 0); }) == "add key");
  CHECK(named([](Document& d) { remove_key(d.softmax, 1); }) == "remove key");
  CHECK(named([](Document& d) { rename_key(d.softmax, 1, "q"); }) == "rename key");
  CHECK(named([](Document& d) { mask_key(d, 1, true); }) == "mask keys");
  CHECK(named([](Document& d) { toggle_weighting(d.softmax, Weighting::relu); }) == "add relu");
  CHECK(named([](Document& d) { d.softmax.temperature = 0.5; }) == "temperature 0.5");
}

TEST_CASE("a row taken over from the layer is a step named after whose row it is") {
  Document before;
  Document after = before;
  const std::vector<float> scores{1, 2, 3};
  own_row(after.softmax, scores, {"a", "b", "c"});
  CHECK(describe(before, after) == "row: own");
  CHECK(describe(after, before) == "row: layer");
}

TEST_CASE("the same score again changes nothing") {
  const Document before = three_keys();
  Document after = before;
  set_score(after, 1, 2);
  CHECK(after.softmax.scores.id() == before.softmax.scores.id());
}

TEST_CASE("a weighting comes and goes and one stays") {
  SoftmaxSpec spec;
  for (const Weighting w : std::vector<Weighting>(spec.weightings)) toggle_weighting(spec, w);
  CHECK(spec.weightings.size() == 1);
  toggle_weighting(spec, Weighting::hard);
  CHECK(spec.weightings.back() == Weighting::hard);
}

TEST_CASE("edits of keys that are not there or not of the person are refused and change nothing") {
  Document document = three_keys();
  const Document before = document;
  CHECK_THROWS_AS(set_score(document, 3, 1), Error);
  CHECK_THROWS_AS(mask_key(document, 3, true), Error);
  CHECK_THROWS_AS(remove_key(document.softmax, 3), Error);
  CHECK_THROWS_AS(rename_key(document.softmax, 3, "x"), Error);
  CHECK(document == before);
  SoftmaxSpec layer;
  CHECK_THROWS_AS(add_key(layer, "x", 1), Error);
  CHECK_THROWS_AS(remove_key(layer, 0), Error);
}
