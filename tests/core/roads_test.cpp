// The roads around n² against plain loops: which pairs they keep, what comes out, how far from exact that is,
// and what stands in their way.
#include "tests/core/roads_lab.h"

#include "core/tensor/random.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Sums of some hundred products of numbers of about 1, in double.
constexpr double kRoadRounding = 1e-12;

// As the papers define them, of tokens 0 and 32 and the usual settings, where no mask is.
bool kept_by_definition(Road road, std::size_t i, std::size_t j) {
  const bool later = j > i;
  const std::size_t apart = later ? j - i : i - j;
  if (road == Road::strided) return (!later && apart <= 8) || apart % 8 == 0;
  const bool global = road == Road::longformer && (i == 0 || j == 0 || i == 32 || j == 32);
  return apart <= 8 || global;
}

// φ(q)·S ÷ φ(q)·z with a state that a recurrent network would carry.
Doubles recurrent_output(const RoadHead& head, const std::function<Doubles(const double*)>& phi) {
  Doubles output, state, z;
  for (std::size_t t = 0; t < head.queries; ++t) {
    const Doubles q = phi(&head.q[t * head.width]), k = phi(&head.k[t * head.width]);
    state.resize(k.size() * head.value_width), z.resize(k.size());
    for (std::size_t r = 0; r < k.size(); ++r) {
      z[r] += k[r];
      for (std::size_t c = 0; c < head.value_width; ++c)
        state[r * head.value_width + c] += k[r] * head.v[t * head.value_width + c];
    }
    double below = 0;
    for (std::size_t r = 0; r < k.size(); ++r) below += q[r] * z[r];
    for (std::size_t c = 0; c < head.value_width; ++c) {
      double above = 0;
      for (std::size_t r = 0; r < k.size(); ++r) above += q[r] * state[r * head.value_width + c];
      output.push_back(above / below);
    }
  }
  return output;
}

Doubles road_numbers(const Tensor& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}

void check_beside(const RoadsOfLayer& roads, Road road, const Doubles& output) {
  const Doubles exact = roads.exact();
  Doubles off;
  for (std::size_t i = 0; i < output.size(); ++i) off.push_back(output[i] - exact[i]);
  double largest = 0;
  for (const double one : off) largest = std::max(largest, std::abs(one));
  CHECK(std::abs(roads.of(road).error - largest) < kRoadRounding);
  CHECK(farthest(road_numbers(roads.of(road).output_off), off) < 1e-6);  // rounded to float for the map
}

}  // namespace

TEST_CASE("sparse roads keep the pairs that their papers define, behind the layer's own mask") {
  for (const bool causal : {true, false}) {
    Document document = causal_document();
    if (!causal) document.layer().masks.clear();
    const RoadsOfLayer roads(document);
    for (const Road road : {Road::window, Road::strided, Road::longformer}) {
      std::size_t kept = 0, allowed = 0;
      for (std::size_t i = 0; i < 64; ++i)
        for (std::size_t j = 0; j < 64; ++j) {
          const bool left = !causal || j <= i;
          CHECK(roads.keeps(road, i, j) == (left && kept_by_definition(road, i, j)));
          kept += left && kept_by_definition(road, i, j), allowed += left;
        }
      CHECK(roads.of(road).pairs == kept);
      CHECK(*roads.of(road).density ==
            doctest::Approx(static_cast<double>(kept) / static_cast<double>(allowed)));
    }
  }
}

TEST_CASE("BigBird keeps what Longformer keeps and three random keys a row") {
  Document document = causal_document();
  document.layer().masks.clear();
  const RoadsOfLayer roads(document);
  document.efficient.seed = 8;
  const RoadsOfLayer others(document);
  std::size_t more = 0, moved = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    std::size_t random = 0;
    for (std::size_t j = 0; j < 64; ++j) {
      if (kept_by_definition(Road::longformer, i, j)) CHECK(roads.keeps(Road::bigbird, i, j));
      random += roads.keeps(Road::bigbird, i, j) && !kept_by_definition(Road::longformer, i, j);
      moved += roads.keeps(Road::bigbird, i, j) != others.keeps(Road::bigbird, i, j);
    }
    CHECK(random <= 3);
    more += random;
  }
  // A row of 64 has 17 keys of the window at most: most random ones lie elsewhere.
  CHECK(more > 100);
  CHECK(moved > 100);
}

TEST_CASE("outputs of full, flash and sparse roads are those of a softmax over their pairs") {
  const RoadsOfLayer roads(causal_document());
  CHECK(roads.of(Road::full).error == 0);
  CHECK(roads.of(Road::flash).error < kRoadRounding);
  CHECK(roads.of(Road::flash).error > 0);  // by tiles it rounds elsewhere
  for (const Road road : {Road::window, Road::strided, Road::longformer, Road::bigbird}) {
    CAPTURE(static_cast<int>(road));
    check_beside(roads, road,
                 roads.softmax_output([&](std::size_t i, std::size_t j) { return roads.keeps(road, i, j); }));
    CHECK(roads.of(road).errors.size() == 64);
  }
  // The first rows see no more than the window.
  CHECK(roads.of(Road::window).errors[8] == 0);
  CHECK(roads.of(Road::window).errors[20] > 0);
}

TEST_CASE("how much exact weight the kept keys hold") {
  const RoadsOfLayer roads(causal_document());
  const std::size_t row = 43;
  double held = 0, all = 0;
  std::size_t keys = 0;
  for (std::size_t j = 0; j <= row; ++j) {
    double score = 0;
    for (std::size_t c = 0; c < 16; ++c) score += roads.head.q[row * 16 + c] * roads.head.k[j * 16 + c];
    const double weight = std::exp(score / 4);
    all += weight;
    if (roads.keeps(Road::bigbird, row, j)) held += weight, ++keys;
  }
  const RoadFound& found = roads.of(Road::bigbird);
  CHECK(found.kept_keys[row] == keys);
  CHECK(found.allowed_keys[row] == row + 1);
  CHECK(std::abs(found.held[row] - held / all) < kRoadRounding);
}

TEST_CASE("linear roads are the recurrence with its state") {
  const Document document = causal_document();
  const RoadsOfLayer roads(document);
  const auto each = [](auto f) {
    return [f](const double* x) {
      Doubles phi;
      for (std::size_t c = 0; c < 16; ++c) phi.push_back(f(x[c]));
      return phi;
    };
  };
  check_beside(roads, Road::elu,
               recurrent_output(roads.head, each([](double x) { return x > 0 ? x + 1 : std::exp(x); })));
  const auto random = [&](const double* x) {
    Doubles phi;
    for (std::size_t r = 0; r < 64; ++r) {
      double exponent = 0;
      for (std::size_t c = 0; c < 16; ++c)  // the root of the scale 1/√16 is ½
        exponent += x[c] / 2 * static_cast<double>(random_normal(7, c * 64 + r)) - x[c] * x[c] / 8;
      phi.push_back(std::exp(exponent) / 8);
    }
    return phi;
  };
  check_beside(roads, Road::random, recurrent_output(roads.head, random));
  CHECK(roads.of(Road::elu).reach == 1);
  CHECK_FALSE(roads.of(Road::elu).density);
}

TEST_CASE("more random features come nearer to exact attention") {
  Document document = causal_document();
  const RoadsOfLayer few(document);
  EfficientSpec many = document.efficient;
  many.feature_count = 1024;
  const auto mean = [&](const EfficientSpec& spec) {
    double sum = 0;
    for (const double error : errors_by_seed(few.head, spec, 4)) sum += error;
    return sum / 4;
  };
  CHECK(errors_by_seed(few.head, document.efficient, 2)[0] == few.of(Road::random).error);
  CHECK(mean(many) < mean(document.efficient));
}

TEST_CASE("where all features are 0 there is a gap and no 0") {
  Document document;
  LayerSpec& layer = document.layer();
  layer.direct = true;
  layer.q = {{1, 3, 1}, {-1, 1, 1}}, layer.k = {{1, 3, 1}, {1, 1, 1}}, layer.v = {{1, 3, 1}, {1, 2, 3}};
  const RoadsOfLayer roads(document);
  const RoadFound& relu = roads.of(Road::relu);
  CHECK(relu.undefined == 1);
  CHECK(std::isnan(relu.errors[0]));
  CHECK_FALSE(std::isnan(relu.errors[1]));
  CHECK(std::isnan(relu.output_off[{0, 0, 0}]));
  CHECK(std::isfinite(relu.error));
}

TEST_CASE("what is NaN behind a mask, and a row without keys") {
  Document document = causal_document(8, 4);
  document.layer().masks.push_back({.rule = PaddingRule{{7}}});
  RoadsOfLayer roads(document);
  RoadHead head = roads.head;
  for (std::size_t c = 0; c < 4; ++c) head.k[7 * 4 + c] = head.v[7 * 4 + c] = NAN;
  PairSet none = head.allowed;
  for (std::size_t j = 0; j < 8; ++j) none.at(3, j) = 0;
  head.allowed = none;
  for (const Attended& one :
       {attend(head, none), attend_by_tiles(head, 3), attend_linear(head, FeatureKind::elu_plus_one)}) {
    for (const double number : one.output) CHECK(std::isfinite(number));
    for (std::size_t c = 0; c < 4; ++c) CHECK(one.output[3 * 4 + c] == 0);  // no key left
  }
}

TEST_CASE("NaN is no feature that is 0") {
  const std::vector<double> row{NAN, -1, 2};
  for (const FeatureKind kind : {FeatureKind::relu, FeatureKind::elu_plus_one}) {
    const std::vector<double> features = features_of_rows(kind, row, 3, 1, {});
    CHECK(std::isnan(features[0]));
    CHECK(features[2] == (kind == FeatureKind::relu ? 2 : 3));
  }
}

TEST_CASE("scores of ±80000 are tamed by the running maximum") {
  Document document = causal_document();
  document.layer().scale = {ScaleMode::number, 40000};
  const RoadsOfLayer roads(document);
  CHECK(roads.of(Road::flash).error < kRoadRounding);
  for (const float weight : roads.of(Road::flash).weights.values()) CHECK(std::isfinite(weight));
}

TEST_CASE("what a layer cannot go is said by name") {
  LayerSpec layer = causal_document().layer();
  CHECK(road_obstacle(Road::elu, layer).empty());
  layer.soft_cap = 50;
  CHECK(road_obstacle(Road::elu, layer).find("soft cap") != std::string::npos);
  CHECK(road_obstacle(Road::window, layer).empty());
  layer.soft_cap = 0;
  layer.masks.push_back({.rule = WindowRule{3}});
  CHECK(road_obstacle(Road::relu, layer).find("window") != std::string::npos);
  layer.dropout = 0.5;
  for (const Road road : {Road::flash, Road::bigbird, Road::random})
    CHECK(road_obstacle(road, layer).find("dropout") != std::string::npos);
  CHECK(road_obstacle(Road::full, layer).empty());
}

TEST_CASE("the device's stages come to the same, of many heads and of the first 512 tokens") {
  Document document = causal_document(24, 12, 3);
  document.efficient.global_tokens = {0, 5, 99};  // the last is no token
  const Tensor directions = random_directions(4, document.efficient.feature_count, document.efficient.seed);
  for (std::size_t head = 0; head < 3; ++head) {
    const RoadsOfLayer roads(document, head);
    CHECK(roads.places().roads.size() == 8);
    for (const RoadStage& on : roads.places().roads) {
      const Tensor& result = roads.results.outputs[on.stage].whole();
      const Doubles expected = is_linear(on.road)
                                   ? attend_linear(roads.head, features_of(on.road), directions).output
                                   : roads.softmax_output([&](std::size_t i, std::size_t j) {
                                       return roads.keeps(on.road, i, j);
                                     });
      for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t c = 0; c < 4; ++c) {
          const double number = static_cast<double>(result[{head, i, c}]), wanted = expected[i * 4 + c];
          CHECK((std::isnan(wanted) ? std::isnan(number) : number == doctest::Approx(wanted).epsilon(1e-5)));
        }
    }
  }
  const RoadsOfLayer longer(causal_document(520, 4));
  CHECK(longer.places().tokens_of == 520);
  CHECK(longer.head.queries == 512);
  CHECK(longer.of(Road::window).reach == 64);  // 511 tokens apart, 8 a layer
}
