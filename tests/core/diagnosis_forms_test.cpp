// Layers with mistakes made, against what each should compute: masks cell by cell, biases of ALiBi, orders of
// weights, fitted numbers; and what numbers say by themselves.
#include <cmath>

#include "core/diagnosis/facts.h"
#include "core/diagnosis/fitting.h"
#include "core/diagnosis/mistake_forms.h"
#include "tests/core/diagnosis_lab.h"
#include "tests/core/direct_layers.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

Tensor64 hidden_by(const LayerSpec& layer) {
  return stage_of(layer, "mask");
}

LayerSpec masked_direct(Random& random) {
  const std::size_t n = pick(random, 1, 6), m = pick(random, 1, 6);
  LayerSpec layer = direct_layer({2, n, 4}, {2, m, 4}, static_cast<std::uint32_t>(pick(random, 0, 1000)));
  for (std::size_t count = pick(random, 0, 3); count > 0; --count)
    layer.masks.push_back(random_term(random, n, m));
  if (coin(random)) layer.mask = bits(random, {1, n, m});
  return layer;
}

GivenNumbers numbers_of(const LayerSpec& yours, const LayerSpec& ours, const std::vector<std::string>& ids) {
  return {given_by(yours, ids), given_by(ours, ids)};
}

const Fact& fact_of(const std::vector<Fact>& facts, std::string_view begin) {
  const auto found = std::ranges::find_if(facts, [&](const Fact& f) { return f.what.starts_with(begin); });
  REQUIRE(found != facts.end());
  return *found;
}

}  // namespace

TEST_CASE("an inverted mask hides just what the mask does not, whatever its rules") {
  Random random(seed(19));
  std::size_t tried = 0;
  for (int i = 0; i < 300; ++i) {
    const LayerSpec layer = masked_direct(random);
    const auto forms = mistake_forms::mask_inverted(layer, {});
    if (layer.masks.empty() && layer.mask.empty()) {
      CHECK(forms.empty());
      continue;
    }
    const Tensor64 mask = hidden_by(layer), inverse = hidden_by(forms[0].layer);
    REQUIRE(mask.shape() == inverse.shape());
    for (std::size_t c = 0; c < mask.values().size(); ++c) CHECK(mask.values()[c] + inverse.values()[c] == 1);
    // The queries stand where they stood.
    const auto place = [](const LayerSpec& l) { return first_place(l.masks, query_count(l), key_count(l)); };
    CHECK(place(layer) == place(forms[0].layer));
    ++tried;
  }
  CHECK(tried > 200);
}

TEST_CASE("a causal mask that is off by one hides one key more, or less, of each query") {
  for (const CausalAlign align : {CausalAlign::lower_right, CausalAlign::top_left}) {
    LayerSpec layer = direct_layer({2, 4, 3}, {2, 6, 3}, 1);
    layer.masks = {{.rule = CausalRule{align}}, {.rule = PaddingRule{{5}}}};
    const long ahead = align == CausalAlign::lower_right ? 2 : 0;
    const auto check = [&](const LayerSpec& wrong, long last) {
      const Tensor64 mask = hidden_by(wrong);
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 6; ++j) {
          const bool hidden = j >= 5 || static_cast<long>(j) > static_cast<long>(i) + ahead + last;
          CHECK(mask[{0, i, j}] == (hidden ? 1 : 0));
        }
    };
    check(layer, 0);
    check(mistake_forms::causal_sees_ahead(layer, {})[0].layer, 1);
    check(mistake_forms::causal_hides_itself(layer, {})[0].layer, -1);
    check(mistake_forms::causal_alignment(layer, {})[0].layer, align == CausalAlign::lower_right ? -2 : 2);
  }
}

TEST_CASE("padding of queries masks rows from the length on, and leaves keys alone") {
  LayerSpec layer = direct_layer({1, 5, 3}, {1, 5, 3}, 2);
  layer.masks = {{.rule = PaddingRule{{3}}}};
  const auto forms = mistake_forms::padding_of_queries(layer, {});
  const Tensor64 mask = hidden_by(forms[0].layer);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j) CHECK(mask[{0, i, j}] == (i >= 3 ? 1 : 0));
  // A row with no key comes out as zeros, alike, or, where yours has any, as NaN.
  REQUIRE(forms.size() == 2);
  CHECK(forms[1].layer.empty_row == EmptyRow::uniform);
  const GivenNumbers with_nan{{{"weights", Tensor({1, 1, 1}, {std::nanf("")})}}, {}};
  CHECK(mistake_forms::padding_of_queries(layer, with_nan).size() == 3);
}

TEST_CASE("ALiBi is given with the other sign, or slope 1, beside a bias that is there") {
  Random random(3);
  LayerSpec layer = direct_layer({4, 3, 2}, {4, 5, 2}, 3);
  layer.position = Alibi{};
  layer.masks = {{.rule = CausalRule{}}};
  layer.bias = normal(random, {1, 3, 5});
  const Tensor64 plus = stage_of(mistake_forms::alibi_sign(layer, {})[0].layer, "biased");
  const Tensor64 one = stage_of(mistake_forms::alibi_no_slope(layer, {})[0].layer, "biased");
  const Tensor64 scaled = stage_of(layer, "scaled");
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 5; ++j) {
        // Two keys stand before the first query.
        const double distance = std::abs(static_cast<double>(i) + 2 - static_cast<double>(j));
        const double rest = scaled[{r, i, j}] + static_cast<double>(layer.bias[{0, i, j}]);
        const double slope = std::pow(2.0, -2.0 * static_cast<double>(r + 1));
        CHECK(plus[{r, i, j}] == doctest::Approx(rest + slope * distance).epsilon(1e-6));
        CHECK(one[{r, i, j}] == doctest::Approx(rest - distance).epsilon(1e-6));
      }
}

TEST_CASE("weights that are square are turned together and one by one") {
  const LayerSpec square = diagnosed_layer(4), grouped = diagnosed_layer(4, 2);
  const auto details = [](const LayerSpec& layer) {
    std::vector<std::string> list;
    for (const MistakenLayer& form : mistake_forms::w_not_transposed(layer, {})) list.push_back(form.detail);
    return list;
  };
  CHECK(details(square) ==
        std::vector<std::string>{"W_Q, W_K, W_V, W_O", "W_Q, W_K, W_V", "W_Q", "W_K", "W_V", "W_O"});
  CHECK(details(grouped) == std::vector<std::string>{"W_Q, W_O", "W_Q", "W_O"});
  const LayerSpec turned = mistake_forms::w_not_transposed(square, {})[2].layer;
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 16; ++j) CHECK(turned.w_q[{0, i, j}] == square.w_q[{0, j, i}]);
  CHECK(turned.w_k == square.w_k);
}

TEST_CASE("the five other orders of a packed weight take the biases along") {
  const LayerSpec layer = diagnosed_layer(5);
  const auto forms = mistake_forms::packed_order(layer, {});
  REQUIRE(forms.size() == 5);
  const LayerSpec& kqv = forms[0].layer;
  CHECK(forms[0].detail == "taken as k, q, v");
  CHECK(kqv.w_q == layer.w_k);
  CHECK(kqv.w_k == layer.w_q);
  CHECK(kqv.w_v == layer.w_v);
  CHECK(kqv.b_q == layer.b_k);
  std::set<std::string> orders;
  for (const MistakenLayer& form : forms) orders.insert(form.detail);
  CHECK(orders.size() == 5);
  CHECK(mistake_forms::packed_order(diagnosed_layer(5, 2), {}).empty());
}

TEST_CASE("a temperature is fitted to scores, or to weights alone, in spite of some that are off") {
  const LayerSpec layer = with_rules(diagnosed_layer(6), {CausalRule{}});
  for (const double temperature : {0.37, 1.3, 6.0}) {
    LayerSpec wrong = layer;
    wrong.temperature = temperature;
    for (const char* id : {"scaled", "weights"}) {
      const auto forms = mistake_forms::temperature(layer, numbers_of(wrong, layer, {id}));
      REQUIRE(forms.size() == 1);
      CHECK(forms[0].layer.temperature == doctest::Approx(temperature).epsilon(1e-6));
    }
  }
  LayerSpec wrong = layer;
  wrong.temperature = 1.7;
  GivenNumbers numbers = numbers_of(wrong, layer, {"scaled"});
  std::vector<float> values(numbers.yours[0].numbers.values().begin(),
                            numbers.yours[0].numbers.values().end());
  for (std::size_t i = 0; i < values.size(); i += 5) values[i] = 100;
  numbers.yours[0].numbers = Tensor(numbers.yours[0].numbers.shape(), values);
  CHECK(mistake_forms::temperature(layer, numbers)[0].detail == "T = 1.7");
  // The layer as it is has no other temperature.
  CHECK(mistake_forms::temperature(layer, numbers_of(layer, layer, {"scaled"})).empty());
}

TEST_CASE("dropout is told by its zeros, with its share, only where the rest is one number times ours") {
  const LayerSpec layer = with_rules(diagnosed_layer(7), {CausalRule{}});
  LayerSpec wrong = layer;
  wrong.dropout = 0.3, wrong.dropout_seed = 5;
  const GivenNumbers numbers = numbers_of(wrong, layer, {"weights"});
  const auto forms = mistake_forms::dropout_on(layer, numbers);
  REQUIRE(forms.size() == 1);
  CHECK(forms[0].detail == "p = 0.3");
  CHECK(forms[0].layer.dropout == 0.3);
  const auto kept = forms[0].layer.dropout_mask.values(), yours = numbers.yours[0].numbers.values(),
             ours = numbers.ours[0].numbers.values();
  for (std::size_t i = 0; i < kept.size(); ++i) CHECK((kept[i] == 0) == (yours[i] == 0 && ours[i] != 0));
  LayerSpec other = layer;
  other.weighting = Weighting::sparsemax;  // zeros of another kind
  CHECK(mistake_forms::dropout_on(layer, numbers_of(other, layer, {"weights"})).empty());
  CHECK(mistake_forms::dropout_on(layer, numbers_of(layer, layer, {"weights"})).empty());
}

TEST_CASE("numbers say what they can by themselves") {
  const LayerSpec layer = with_rules(diagnosed_layer(8), {CausalRule{}});
  const auto facts = [&](const LayerSpec& yours) { return facts_of(numbers_of(yours, layer, kTold), layer); };
  const std::vector<Fact> same = facts(layer);
  CHECK(same.size() == 3);
  for (const Fact& fact : same) CHECK(fact.good);
  CHECK(fact_of(same, "rows of the weights").value == "1.000000");
  CHECK(fact_of(same, "weight on masked keys").value == "0");
  CHECK(fact_of(same, "zeros that dropout").value == "0");

  LayerSpec scaled = layer;
  scaled.scale = {ScaleMode::number, 0.25};
  CHECK(fact_of(facts(scaled), "spread of scaled").value == "0.5: a scale");
  CHECK(fact_of(facts(scaled), "ratio").value == "constant: 0.5");

  LayerSpec late = layer;
  late.mask_at = MaskAt::after;
  CHECK_FALSE(fact_of(facts(late), "rows of the weights").good);

  LayerSpec ahead = layer;
  std::get<CausalRule>(ahead.masks[0].rule).ahead = 1;
  CHECK_FALSE(fact_of(facts(ahead), "weight on masked keys").good);
  CHECK_FALSE(fact_of(facts(ahead), "ratio").good);

  LayerSpec dropped = layer;
  dropped.dropout = 0.5;
  CHECK(fact_of(facts(dropped), "zeros that dropout").value.find(" %") != std::string::npos);

  LayerSpec half = layer;
  half.precision = NumberFormat::bfloat16;
  CHECK(fact_of(facts(half), "all numbers are of").value == "bfloat16");
}
