// Sizes of gradients against norms by hand, their names, the axis that they stand on; and what would be
// otherwise: against documents that are edited so.
#include "core/gradients/sizes.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/gradients/what_if.h"
#include "core/reference/backend.h"
#include "tests/layers.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Four tokens of three numbers, projected by random matrices.
Document four_tokens(bool causal) {
  Random random(11);
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = normal(random, {1, 4, 3});
  for (Tensor* w : {&layer.w_q, &layer.w_k, &layer.w_v}) *w = normal(random, {1, 3, 3});
  if (causal) set_causal(layer, CausalAlign::lower_right);
  return document;
}

GradientSizes sizes_in(const Document& document) {
  const Built built = build_gradients(document);
  std::vector<Tensor> outputs(built.graph.stages.size());
  const auto backend = make_reference_backend();
  for (StageIndex i = 0; i < outputs.size(); ++i) {
    std::vector<Tensor> inputs;
    for (const StageIndex input : built.graph.stages[i].inputs) inputs.push_back(outputs[input]);
    outputs[i] = backend->run(built.graph.stages[i].operation, inputs, Numbers::here);
  }
  const auto& places = *built.places.as<GradientsPlaces>();
  std::vector<double> rows;
  if (!places.tokens.empty()) rows = row_norms(outputs[*places.gradients.find(places.tokens.front())]);
  return sizes_of(
      built.graph, places, [&](StageIndex i) { return norm_of(outputs[i]); }, std::move(rows));
}

// Each stage on a backend of its own, as when a person changes the device meanwhile.
WhatIfSizes what_if_sizes(const Document& document, WhatIf what) {
  WhatIfRun run(document, what);
  while (!run.done()) run.step(*make_reference_backend());
  return run.sizes();
}

double part_of_role(const Document& document, const GradientSizes& sizes, Role role) {
  const Graph graph = build_gradients(document).graph;
  for (const StageSize& size : sizes.stages)
    if (graph.stages[size.of].role == role) return size.part;
  return kNone;
}

}  // namespace

TEST_CASE("norms are roots of sums of squares") {
  const Tensor numbers({2, 2, 2}, {3, 0, 0, 0, 0, 4, 12, 0});
  CHECK(norm_of(numbers) == 13);
  CHECK(row_norms(numbers) == std::vector<double>{5, 12});
  CHECK(norm_of(Tensor({1, 1, 2}, {3e30f, 4e30f})) == doctest::Approx(5e30).epsilon(1e-6));
  CHECK(std::isnan(norm_of(Tensor({1, 1, 2}, {1, NAN}))));
}

TEST_CASE("a size is named by its bounds, and 0 is dead") {
  CHECK(size_name(1, 0.05, 20) == SizeName::usual);
  CHECK(size_name(0.05, 0.05, 20) == SizeName::usual);
  CHECK(size_name(0.049, 0.05, 20) == SizeName::vanishing);
  CHECK(size_name(20, 0.05, 20) == SizeName::usual);
  CHECK(size_name(21, 0.05, 20) == SizeName::exploding);
  CHECK(size_name(0, 0.05, 20) == SizeName::dead);
  CHECK(size_name(kNone, 0.05, 20) == SizeName::unknown);
}

TEST_CASE("the axis reaches beyond the bounds and all sizes but those that are none") {
  const auto reach = [](std::vector<double> tokens) {
    return size_reach({.tokens = std::move(tokens)}, 0.05, 20);
  };
  CHECK(reach({1, 0.5}) == 30);  // 20 and a fifth of it
  CHECK(reach({1, 31}) == 100);
  CHECK(reach({1, 1e-3}) == 1000);
  CHECK(reach({0, kNone}) == 30);
  CHECK(reach({1e-30}) == 1e9);
}

// The loss is the sum of the outputs of one head without W_O: G is all ones, so that dV[j] is the sum of the
// weights on key j in each column.
TEST_CASE("the sizes of a layer's gradients are those of its hand calculation") {
  Document document = four_tokens(false);
  document.gradients.loss = LossKind::ones;
  const GradientSizes sizes = sizes_in(document);
  const Tensor weights = evaluated(document).output(Role::weights);
  const std::size_t n = weights.rows(), d = document.layer().x.columns();
  double squares = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(weights[{0, i, j}]);
    squares += static_cast<double>(d) * sum * sum;
  }
  const double whole = std::sqrt(static_cast<double>(n * d));
  CHECK(sizes.stages.front().part == 1);
  CHECK(part_of_role(document, sizes, Role::output) == 1);
  CHECK(part_of_role(document, sizes, Role::value) ==
        doctest::Approx(std::sqrt(squares) / whole).epsilon(1e-6));
  double of_x = 0;
  for (const double part : sizes.tokens) of_x += part * part;
  CHECK(std::sqrt(of_x) == doctest::Approx(part_of_role(document, sizes, Role::token)).epsilon(1e-9));
}

TEST_CASE("a loss that asks nothing leaves every gradient dead") {
  Document document = four_tokens(false);
  document.gradients.loss = LossKind::mean_square;
  document.gradients.target = LossTarget::zero;
  document.layer().w_v =
      Tensor(document.layer().w_v.shape(), std::vector<float>(document.layer().w_v.shape().size(), 0));
  for (const StageSize& size : sizes_in(document).stages) CHECK(size.part == 0);
}

TEST_CASE("with one thing otherwise the sizes are those of a layer that is edited so") {
  Document document = four_tokens(true);
  document.gradients.loss = LossKind::ones;  // is the same loss whatever X is
  const auto edited = [&](WhatIf what) {
    Document other = document;
    LayerSpec& layer = other.layer();
    if (what == WhatIf::scale_off) layer.scale.mode = ScaleMode::none;
    if (what == WhatIf::cold) layer.temperature = 0.1;
    if (what == WhatIf::no_mask) layer.masks.clear();
    if (what == WhatIf::large_inputs) {
      std::vector<float> x(layer.x.values().begin(), layer.x.values().end());
      for (float& number : x) number *= 10;
      layer.x = Tensor(layer.x.shape(), x);
    }
    return other;
  };
  const GradientSizes now = sizes_in(document);
  for (const WhatIf what : {WhatIf::scale_off, WhatIf::cold, WhatIf::no_mask, WhatIf::large_inputs}) {
    INFO(title_of(what));
    const WhatIfSizes found = what_if_sizes(what_ifs_about(document), what);
    const GradientSizes wanted = sizes_in(edited(what));
    REQUIRE(found.stages.size() == wanted.stages.size());
    bool moved = false;
    for (std::size_t i = 0; i < wanted.stages.size(); ++i) {
      CHECK(found.stages[i].second == wanted.stages[i].part);
      moved |= found.stages[i].second != now.stages[i].part;
    }
    CHECK(found.tokens == wanted.tokens);
    CHECK(moved);
  }
}

TEST_CASE("what the sizes do not depend on leaves them as they were found") {
  Document document = four_tokens(true);
  document.gradients.cold = true;
  const Document about = what_ifs_about(document);
  Document other = document;
  other.gradients.wanted = Tensor({1, 4, 4}, std::vector<float>(16, 0.25f));
  other.gradients.rate = 0.5, other.gradients.noise_seed = 3, other.gradients.times_number = true;
  CHECK(what_ifs_about(other) == about);
  other.gradients.loss = LossKind::ones;
  CHECK_FALSE(what_ifs_about(other) == about);
  other = document, other.layer().temperature = 2;
  CHECK_FALSE(what_ifs_about(other) == about);
  other = document, other.gradients.no_mask = true;
  CHECK_FALSE(what_ifs_about(other) == about);
}

TEST_CASE("larger inputs are held against the target of the inputs as they are") {
  const Document document = four_tokens(true);
  REQUIRE(document.gradients.loss == LossKind::mean_square);
  const auto target = [](const Built& built) {
    return *given_tensor(built.graph.stages[built.places.as<GradientsPlaces>()->asked].operation);
  };
  const Tensor now = target(build_gradients(document)),
               then = target(build_what_if(document, WhatIf::large_inputs));
  REQUIRE(now.shape() == then.shape());
  for (std::size_t i = 0; i + now.columns() < now.values().size(); ++i)
    CHECK(then.values()[i] == now.values()[i]);
}

TEST_CASE("what is asked otherwise is what the chips say, in their order") {
  CHECK(what_ifs_of({}).empty());
  GradientsSpec spec;
  spec.large_inputs = spec.scale_off = true;
  CHECK(what_ifs_of(spec) == std::vector<WhatIf>{WhatIf::scale_off, WhatIf::large_inputs});
  CHECK(title_of(WhatIf::cold) == "T = 0.1");
}
