// The sizes of gradients as a person uses them: what a bar says, against loops in double, and where it leads.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/gradients/sizes.h"
#include "tests/app/gradients_matrices_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Rows = std::vector<std::vector<double>>;

Rows rows_of_product(const Rows& a, const Tensor& b) {
  Rows rows(a.size(), std::vector<double>(b.columns()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.rows(); ++k)
      for (std::size_t j = 0; j < b.columns(); ++j) rows[i][j] += a[i][k] * static_cast<double>(b[{0, k, j}]);
  return rows;
}

double norm_of_rows(const Rows& rows) {
  double sum = 0;
  for (const auto& row : rows)
    for (const double d : row) sum += d * d;
  return std::sqrt(sum);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The norm of dQ ÷ that of dO by loops in double: a causal head whose scores are times `factor`, its output
// held against X of the next token.
double size_of_dq(const LayerSpec& layer, double factor) {
  Rows x(layer.x.rows(), std::vector<double>(layer.x.columns()));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x[i].size(); ++j) x[i][j] = static_cast<double>(layer.x[{0, i, j}]);
  const Rows q = rows_of_product(x, layer.w_q), k = rows_of_product(x, layer.w_k),
             v = rows_of_product(x, layer.w_v);
  Rows d_output, d_q;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {  // nothing is asked of the last
    std::vector<double> weights, asked(x[i].size()), d(x[i].size());
    double sum = 0, through = 0;
    for (std::size_t j = 0; j <= i; ++j) weights.push_back(std::exp(factor * dot(q[i], k[j])));
    for (const double weight : weights) sum += weight;
    for (std::size_t c = 0; c < asked.size(); ++c) {
      asked[c] = -x[i + 1][c];
      for (std::size_t j = 0; j <= i; ++j) asked[c] += weights[j] / sum * v[j][c];
    }
    for (std::size_t j = 0; j <= i; ++j) through += weights[j] / sum * dot(asked, v[j]);
    for (std::size_t j = 0; j <= i; ++j)
      for (std::size_t c = 0; c < d.size(); ++c)
        d[c] += factor * weights[j] / sum * (dot(asked, v[j]) - through) * k[j][c];
    d_output.push_back(asked), d_q.push_back(d);
  }
  return norm_of_rows(d_q) / norm_of_rows(d_output);
}

// "0.56", "1.6e−3": two digits.
std::string two_digits(double size) {
  char text[32];
  const int power = static_cast<int>(std::floor(std::log10(size)));
  if (power < -2)
    std::snprintf(text, sizeof text, "%.1fe−%d", size / std::pow(10, power), -power);
  else
    std::snprintf(text, sizeof text, "%.*f", std::max(0, 1 - power), size);
  return text;
}

}  // namespace

TEST_CASE("a bar says its size and pins the largest number of its gradient") {
  MatricesLab lab;
  const GradientsPlaces places = lab.places();
  const StageIndex query = lab.of_role(Role::query);
  const std::string d_q = lab.id_beneath(query), d_x = lab.id_beneath(places.tokens.front());
  const double part = norm_of(lab.numbers(d_q)) / norm_of(lab.numbers(lab.id_beneath(places.layer.output)));
  char text[32];
  std::snprintf(text, sizeof text, "%.2f of the norm of dO", part);
  CHECK(lab.bar_says(d_q, text));
  lab.click_item("sizes/" + d_q);
  CHECK(lab.view().pinned == Spot{d_q, largest_in(lab.numbers(d_q))});
  lab.click_item("sizes/token 1");
  CHECK(lab.view().pinned == Spot{d_x, largest_in(lab.numbers(d_x), 1)});
}

TEST_CASE("a token that the loss does not reach is dead, and a bound that is moved names others") {
  MatricesLab lab;  // “mat” has no next token and is seen by no other
  CHECK(lab.texts_with("0 dead") == 1);
  CHECK(lab.bar_says("token 4", "exactly 0"));
  const std::string d_weights = lab.id_beneath(lab.places().layer.weights);
  CHECK_FALSE(lab.bar_says(d_weights, "exploding: above"));
  lab.gradients().exploding = 2;
  CHECK(lab.bar_says(d_weights, "exploding: above 2"));
}

TEST_CASE("what would be otherwise is told beside what is") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  document.gradients.scale_off = document.gradients.cold = true;
  MatricesLab lab(std::move(document));
  lab.frames(30);
  lab.settle();
  lab.frames(2);
  const std::string d_q = lab.id_beneath(lab.of_role(Role::query));
  const LayerSpec& layer = lab.document().layer();
  CHECK(lab.bar_says(d_q, two_digits(size_of_dq(layer, 0.5)) + " of the norm of dO"));
  CHECK(lab.find_text("scale off: " + two_digits(size_of_dq(layer, 1))));
  CHECK(lab.find_text("T = 0.1: " + two_digits(size_of_dq(layer, 5))));
  CHECK_FALSE(lab.shows("no mask: "));
}

TEST_CASE("of heads that share keys a bar pins the largest number of the matrix on screen") {
  MatricesLab lab(grouped_document());
  lab.view().layer.head = 6;  // of the second group
  lab.frames(2);
  const StageIndex key = lab.of_role(Role::key);
  const std::string d_k = lab.id_beneath(key), d_q = lab.id_beneath(lab.of_role(Role::query));
  REQUIRE(lab.numbers(d_k).stack() == 2);
  lab.click_item("sizes/" + d_k);
  CHECK(lab.view().pinned == Spot{d_k, largest_in(lab.numbers(d_k), {}, 1)});
  lab.click_item("sizes/" + d_q);
  CHECK(lab.view().pinned == Spot{d_q, largest_in(lab.numbers(d_q), {}, 6)});
  CHECK(lab.view().layer.head == 6);
  // Of another group: the first head that reads it is shown.
  lab.view().layer.head = 2;
  lab.frames(2);
  lab.click_item("sizes/" + d_k);
  CHECK(lab.view().pinned == Spot{d_k, largest_in(lab.numbers(d_k), {}, 0)});
  CHECK(lab.view().layer.head == 2);
  lab.view().pinned = Spot{lab.id(key), {1, 2, 0}};
  lab.frames(2);
  lab.click_item("proof/looked at");
  CHECK(lab.view().layer.head == 4);
}

TEST_CASE("a click on a bar scrolls its gradient into sight") {
  MatricesLab lab(read_document("the-cat-sat-on-mat-causal"), {1024, 640});
  for (const Role role : {Role::query, Role::weights}) {
    const std::string d = lab.id_beneath(lab.of_role(role));
    lab.view().canvas().scroll_y = 500;
    lab.frames(2);
    const auto sees = [&] { return lab.sees_whole(d + "/cells"); };
    for (int i = 0; i < 20 && (!lab.sees_whole("sizes/" + d) || sees()); ++i) {
      lab.view().canvas().scroll_y += 40;
      lab.frames(2);
    }
    REQUIRE_FALSE(sees());
    lab.click_item("sizes/" + d);
    lab.frames(2);
    CHECK(sees());
  }
}

TEST_CASE("what the canvas calls scores is called so by the proof and by the bars") {
  MatricesLab lab;
  const StageIndex weighed = lab.places().layer.weighed;
  lab.view().pinned = Spot{lab.id(weighed), {0, 3, 2}};
  lab.frames(2);
  REQUIRE(lab.results()->graph.stages[weighed].title != "scores");
  CHECK(lab.find_text("scores[3, 2]"));
  CHECK(lab.bar_says(lab.id_beneath(weighed), "the gradient of scores"));
}

TEST_CASE("in a small window the sizes come beneath the matrices, and no words lie on others") {
  for (const float scale : {1.0f, 2.0f}) {
    MatricesLab lab(read_document("the-cat-sat-on-mat-causal"), {1024 * scale, 2000 * scale}, scale);
    const Rect last = lab.cells(lab.id_beneath(lab.places().layer.output));
    const auto first = lab.item("sizes/" + lab.id_beneath(lab.places().layer.output));
    REQUIRE(first);
    CHECK(first->min.y > last.max.y);
    check_words_apart(lab, lab.canvas());
    for (const StageIndex stage : lab.shown()) {
      const Tensor d = lab.numbers(lab.id_beneath(stage));
      for (std::size_t j = 0; j < d.columns(); ++j) CHECK(lab.number_in(lab.id_beneath(stage), 3, j) != "…");
    }
  }
}
