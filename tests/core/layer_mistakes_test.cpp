// What code easily does wrong, as fields of a layer: against loops over places in memory, in double, over
// random layers; and by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/attention/layer_flash.h"
#include "tests/core/checked.h"
#include "tests/core/direct_layers.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Memory = std::vector<double>;

constexpr double kStruck = -std::numeric_limits<double>::infinity();

// h matrices of rows × width, one after the other.
struct Stacked {
  std::size_t heads = 0, rows = 0, width = 0;
  Memory at = {};
  double& operator()(std::size_t r, std::size_t i, std::size_t j) { return at[(r * rows + i) * width + j]; }
};

// One layer in loops: self-attention of projections, causal or not, RoPE of neighbours, ALiBi or neither.
class Loops {
 public:
  explicit Loops(const LayerSpec& layer) : l_(layer), n_(layer.x.rows()) {}

  Memory weights() {
    q_ = projected(l_.w_q, l_.heads), k_ = projected(l_.w_k, l_.kv_heads),
    v_ = projected(l_.w_v, l_.kv_heads);
    if (!l_.qk_norm_last) norm(q_), norm(k_);
    const int times = l_.position_twice ? 2 : 1;
    for (int t = 0; t < times; ++t) {
      turn(q_), turn(k_);
      if (l_.rope_on_values) turn(v_);
    }
    if (l_.qk_norm_last) norm(q_), norm(k_);
    Stacked a{l_.heads, n_, n_, Memory(l_.heads * n_ * n_)};
    for (std::size_t r = 0; r < l_.heads; ++r)
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j) a(r, i, j) = score(r, i, j);
    share(a);
    for (std::size_t e = 0; e < a.at.size() && !l_.dropout_mask.empty(); ++e)
      a.at[e] *= static_cast<double>(l_.dropout_mask.values()[e % l_.dropout_mask.values().size()]) /
                 (1 - l_.dropout);
    return a.at;
  }

  Memory output() {
    Stacked a{l_.heads, n_, n_, weights()}, out{l_.heads, n_, v_.width, {}};
    out.at.resize(l_.heads * n_ * v_.width);
    for (std::size_t r = 0; r < l_.heads; ++r)
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t c = 0; c < v_.width; ++c)
          for (std::size_t j = 0; j < n_; ++j) out(r, i, c) += a(r, i, j) * v_(group(r), j, c);
    for (const std::size_t head : l_.muted_heads)
      for (std::size_t e = 0; e < n_ * v_.width; ++e) out.at[head * n_ * v_.width + e] = 0;
    if (l_.head_merge == HeadCut::memory) return out.at;
    Memory merged;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t r = 0; r < l_.heads; ++r)
        for (std::size_t c = 0; c < v_.width; ++c) merged.push_back(out(r, i, c));
    return merged;
  }

 private:
  std::size_t group(std::size_t r) const {
    return l_.head_groups == HeadGroups::tiled ? r % l_.kv_heads : r / (l_.heads / l_.kv_heads);
  }

  Stacked projected(const Tensor& w, std::size_t heads) const {
    const std::size_t columns = w.columns(), width = columns / heads;
    Memory rows(n_ * columns);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t f = 0; f < w.rows(); ++f)
          rows[i * columns + c] += static_cast<double>(l_.x[{0, i, f}]) * static_cast<double>(w[{0, f, c}]);
    if (l_.head_split == HeadCut::memory) return {heads, n_, width, rows};
    Stacked cut{heads, n_, width, Memory(rows.size())};
    for (std::size_t r = 0; r < heads; ++r)
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < width; ++j) cut(r, i, j) = rows[i * columns + r * width + j];
    return cut;
  }

  void norm(Stacked& x) const {
    if (!l_.qk_norm) return;
    for (std::size_t row = 0; row < x.heads * x.rows; ++row) {
      double squares = 0;
      for (std::size_t j = 0; j < x.width; ++j) squares += x.at[row * x.width + j] * x.at[row * x.width + j];
      const double rms = std::sqrt(squares / static_cast<double>(x.width) + 1e-6);
      for (std::size_t j = 0; j < x.width; ++j) x.at[row * x.width + j] /= rms;
    }
  }

  void turn(Stacked& x) const {
    if (!std::holds_alternative<Rotary>(l_.position)) return;
    for (std::size_t r = 0; r < x.heads; ++r)
      for (std::size_t p = 0; p < x.rows; ++p)
        for (std::size_t j = 0; j + 1 < x.width; j += 2) {
          const double angle = static_cast<double>(p) *
                               std::pow(10000.0, -static_cast<double>(j) / static_cast<double>(x.width));
          const double a = x(r, p, j), b = x(r, p, j + 1);
          x(r, p, j) = a * std::cos(angle) - b * std::sin(angle);
          x(r, p, j + 1) = a * std::sin(angle) + b * std::cos(angle);
        }
  }

  double score(std::size_t r, std::size_t i, std::size_t j) {
    if (find_rule<CausalRule>(l_) && j > i) return kStruck;
    double sum = 0;
    for (std::size_t f = 0; f < q_.width; ++f) {
      const std::size_t place = l_.key_turn == KeyTurn::reshaped ? f * n_ + j : j * q_.width + f;
      sum += q_(r, i, f) * k_.at[group(r) * n_ * q_.width + place];
    }
    sum /= std::sqrt(static_cast<double>(q_.width));
    if (std::holds_alternative<Alibi>(l_.position))
      sum -= (l_.position_twice ? 2 : 1) * alibi_slope(r, l_.heads) *
             std::abs(static_cast<double>(i) - static_cast<double>(j));
    return sum;
  }

  // Softmax over keys, queries or heads: along one of the three axes.
  void share(Stacked& a) const {
    const std::size_t each = n_ * n_;
    const bool heads = l_.softmax_over == SoftmaxOver::heads, keys = l_.softmax_over == SoftmaxOver::keys;
    const std::size_t step = heads ? each : keys ? 1 : n_, count = heads ? l_.heads : n_;
    for (std::size_t first = 0; first < a.at.size(); ++first) {
      if (first / step % count != 0) continue;  // not the first of its line
      double most = kStruck, sum = 0;
      for (std::size_t t = 0; t < count; ++t) most = std::max(most, a.at[first + t * step]);
      for (std::size_t t = 0; t < count; ++t) {
        double& x = a.at[first + t * step];
        x = x == kStruck ? 0 : std::exp(x - most), sum += x;
      }
      for (std::size_t t = 0; t < count && sum > 0; ++t) a.at[first + t * step] /= sum;
    }
  }

  const LayerSpec& l_;
  std::size_t n_;
  Stacked q_, k_, v_;
};

LayerSpec any_mistaken(Random& random) {
  LayerSpec layer;
  layer.kv_heads = pick(random, 1, 3), layer.heads = layer.kv_heads * pick(random, 1, 3);
  const std::size_t n = pick(random, 1, 6), d = pick(random, 2, 5);
  const std::size_t d_k = 2 * pick(random, 1, 3), d_v = 2 * pick(random, 1, 2);
  layer.x = normal(random, {1, n, d});
  layer.w_q = normal(random, {1, d, layer.heads * d_k});
  layer.w_k = normal(random, {1, d, layer.kv_heads * d_k});
  layer.w_v = normal(random, {1, d, layer.kv_heads * d_v});
  const std::size_t kind = pick(random, 0, 2);
  if (kind == 1) layer.position = Rotary{};
  if (kind == 2) layer.position = Alibi{};
  if (coin(random)) layer.masks = {{CausalRule{}}};
  layer.qk_norm = coin(random);
  if (coin(random)) layer.muted_heads = {pick(random, 0, layer.heads - 1)};
  random_mistakes(random, layer);
  if (!layer.dropout_mask.empty()) layer.dropout = 0.25;
  return layer;
}

void check_close(const Tensor64& found, const Memory& wanted) {
  REQUIRE(found.values().size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) REQUIRE(std::abs(found.values()[i] - wanted[i]) < 1e-9);
}

double total(const Tensor64& weights, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t head = 0; head < weights.stack(); ++head) sum += weights[{head, i, j}];
  return sum;
}

}  // namespace

TEST_CASE("mistakes with heads, keys, positions and chance are what loops over memory make") {
  Random random(seed(612));
  int made = 0;
  for (int run = 0; run < 400 || made <= 200; ++run) {
    REQUIRE(run < 4000);
    CAPTURE(run);
    const LayerSpec layer = any_mistaken(random);
    Loops loops(layer);
    const Memory output = loops.output(), weights = loops.weights();
    check_close(stage_of(layer, "output"), output);
    check_close(stage_of(layer, layer.dropout_mask.empty() ? "weights" : "dropped"), weights);
    LayerSpec right = layer;
    right.head_split = right.head_merge = HeadCut::columns, right.head_groups = HeadGroups::repeated;
    right.key_turn = KeyTurn::transposed, right.softmax_over = SoftmaxOver::keys;
    made += Loops(right).output() != output;
  }
  CHECK(made > 200);
}

TEST_CASE("a softmax over heads adds up to 1 over them, and what all heads hide stays 0") {
  LayerSpec layer = direct_layer({4, 3, 2}, {2, 3, 2}, 11);
  layer.masks = {{CausalRule{}}}, layer.softmax_over = SoftmaxOver::heads;
  const Tensor64 weights = stage_of(layer, "weights");
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) CHECK(total(weights, i, j) == doctest::Approx(j > i ? 0 : 1));
  const Tensor64 by_pair = stage_of(layer, "weights_by_pair");
  CHECK(by_pair.shape() == Shape{1, 9, 4});
  CHECK(by_pair[{0, 3, 2}] == weights[{2, 1, 0}]);
  CHECK(build_graph(layer).stages[*build_graph(layer).find("weights_by_pair")].mask);
  // A key that one head alone hides leaves its weight to the others.
  std::vector<float> hidden(36);
  hidden[9 + 3] = 1;
  layer.mask = Tensor({4, 3, 3}, std::move(hidden));
  const Tensor64 left = stage_of(layer, "weights");
  CHECK(left[{1, 1, 0}] == 0);
  CHECK(total(left, 1, 0) == doctest::Approx(1));
  CHECK_FALSE(only(check(evaluate(layer))).row_sums.holds());
}

TEST_CASE("a mask that is added as it is raises masked scores by 1") {
  LayerSpec layer = direct_layer({2, 3, 2}, {2, 3, 2}, 12);
  layer.masks = {{CausalRule{}}}, layer.fill = Fill::add_one;
  const Tensor64 scaled = stage_of(layer, "scaled"), masked = stage_of(layer, "masked");
  for (std::size_t e = 0; e < scaled.values().size(); ++e) {
    const Cell cell = cell_at(scaled.shape(), e);
    CHECK(masked[cell] == scaled[cell] + (cell.column > cell.row ? 1 : 0));
  }
}

TEST_CASE("encodings that are added twice are doubled, and those that turn turn again") {
  Random random(seed(613));
  LayerSpec layer = random_projected(random);
  layer.position = Sinusoidal{};
  const Tensor64 once = stage_of(layer, "position"), x = to_double(layer.x);
  layer.position_twice = true;
  const Tensor64 twice = stage_of(layer, "position");
  for (std::size_t i = 0; i < x.values().size(); ++i)
    CHECK(twice.values()[i] - x.values()[i] ==
          doctest::Approx(2 * (once.values()[i] - x.values()[i])).epsilon(1e-9));
  for (const Position& position : {Position(Relative{.clip = 2, .values = true}), Position(T5Bias{})}) {
    layer.position = position, layer.position_twice = false;
    const Tensor64 bias = stage_of(layer, "bias");
    layer.position_twice = true;
    const Tensor64 doubled = stage_of(layer, "bias");
    for (std::size_t i = 0; i < bias.values().size(); ++i)
      CHECK(doubled.values()[i] == doctest::Approx(2 * bias.values()[i]).epsilon(1e-6));
  }
}

TEST_CASE("what a mistake needs is said where it is missing") {
  LayerSpec layer = direct_layer({1, 3, 4}, {1, 3, 4}, {1, 3, 3}, 3);
  layer.position = Rotary{}, layer.rope_on_values = true;
  const auto refused = [](const LayerSpec& wrong) -> std::string {
    try {
      build_graph(wrong);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  CHECK(
      refused(layer) ==
      "RoPE cannot turn 3 features of values that are 3 wide: give V an even width, or leave values as they "
      "are");
  layer.rope_on_values = false, layer.dropout_mask = drawn({1, 2, 3}, 1);
  CHECK(contains(refused(layer), "a 3×3 matrix cannot be multiplied, number by number, by a 2×3 one"));
}

TEST_CASE("flash attention says which mistakes it cannot make, and makes the others") {
  LayerSpec layer = direct_layer({4, 3, 2}, {2, 3, 2}, 11);
  layer.head_groups = HeadGroups::tiled, layer.key_turn = KeyTurn::reshaped,
  layer.head_merge = HeadCut::memory;
  layer.position = Rotary{}, layer.rope_on_values = layer.position_twice = true;
  CHECK(flash_obstacle(layer) == "");
  LayerSpec other = layer;
  other.softmax_over = SoftmaxOver::heads;
  CHECK(flash_obstacle(other) == "the softmax is over heads");
  other = layer, other.dropout_mask = Tensor({1, 3, 3}, std::vector<float>(9, 1));
  CHECK(flash_obstacle(other) == "a given pattern drops single weights");
  other = layer, other.position = Alibi{};
  CHECK(flash_obstacle(other) == "ALiBi is added twice, and the kernel adds it once");
}
