// The proof of gradients as a person uses it, and what the scale does to those of random tokens: numbers
// against the layer computed anew by plain loops, h dragged, other numbers pinned, all inputs checked, what
// is refused.
#include <array>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "core/checks/central_differences.h"
#include "core/measure/measured_layer.h"
#include "tests/app/gradients_proof_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Matrix = std::vector<std::vector<double>>;

Matrix matrix_of(const Tensor& tensor) {
  Matrix rows(tensor.rows());
  for (std::size_t i = 0; i < tensor.rows(); ++i)
    for (std::size_t j = 0; j < tensor.columns(); ++j)
      rows[i].push_back(static_cast<double>(tensor[{0, i, j}]));
  return rows;
}

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix c(a.size(), std::vector<double>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k)
      for (std::size_t j = 0; j < c[i].size(); ++j) c[i][j] += a[i][k] * b[k][j];
  return c;
}

// The mean square from X of the next token, of a causal head; one number of X or of the scores is nudged.
double loss_by_loops(const LayerSpec& layer, std::array<double, 3> x_change,
                     std::array<double, 3> score_change) {
  Matrix x = matrix_of(layer.x);
  const Matrix target = x;
  x[static_cast<std::size_t>(x_change[0])][static_cast<std::size_t>(x_change[1])] += x_change[2];
  const Matrix q = times(x, matrix_of(layer.w_q)), k = times(x, matrix_of(layer.w_k)),
               v = times(x, matrix_of(layer.w_v));
  double loss = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {  // the last token has no next
    std::vector<double> weights;
    double sum = 0;
    for (std::size_t j = 0; j <= i; ++j) {
      double score = 0;
      for (std::size_t c = 0; c < 4; ++c) score += q[i][c] * k[j][c] / 2;
      if (i == static_cast<std::size_t>(score_change[0]) && j == static_cast<std::size_t>(score_change[1]))
        score += score_change[2];
      weights.push_back(std::exp(score));
      sum += weights.back();
    }
    for (std::size_t c = 0; c < 4; ++c) {
      double output = 0;
      for (std::size_t j = 0; j <= i; ++j) output += weights[j] / sum * v[j][c];
      loss += (output - target[i + 1][c]) * (output - target[i + 1][c]) / 16;
    }
  }
  return loss;
}

double score_loss(const LayerSpec& layer, double change) {
  return loss_by_loops(layer, {}, {3, 2, change});
}

double x_loss(const LayerSpec& layer, double change) {
  return loss_by_loops(layer, {2, 3, change}, {});
}

Document with_x(Cell cell, float value) {
  Document document = read_document(kCausal);
  document.layer().x = with_value(document.layer().x, cell, value);
  return document;
}

}  // namespace

TEST_CASE("two numbers are nudged, and their losses, quotients and gradients shown") {
  ProofLab lab;
  lab.pin("x", {0, 2, 3});
  lab.pin(lab.scores(), {0, 3, 2});
  const LayerSpec& layer = lab.document().layer();
  const double h = 1e-5;
  for (const auto loss : {score_loss, x_loss}) {
    const double above = loss(layer, h), below = loss(layer, -h);
    CAPTURE(above);
    CHECK(lab.shows(decimals(above)));
    CHECK(lab.shows(decimals(below)));
    // The quotient is good to some 10 digits, the text has 9: the last may be another.
    const std::string quotient = decimals((above - below) / (2 * h));
    CHECK(lab.shows(quotient.substr(0, quotient.size() - 2)));
  }
  CHECK(lab.find_text("X[2, 3]"));
  CHECK(lab.shows("1.320000"));
  std::size_t accepted = 0;
  for (const DrawnText& text : lab.texts())
    accepted += text.text.find("e−1") != std::string::npos && text.text.ends_with(" ✓");
  CHECK(accepted >= 2);
}

TEST_CASE("another cell that is pinned is the first column, an input the second, which stays") {
  ProofLab lab;
  CHECK(lab.find_text("pin a number"));
  CHECK(lab.find_text("X[0, 0]"));
  lab.pin(lab.scores(), {0, 3, 2});
  CHECK_FALSE(lab.find_text("pin a number"));
  CHECK(lab.find_text("X[0, 0]"));
  // A gradient stands for the number that it is of.
  const std::string gradient =
      lab.results()->graph.stages[*lab.places().gradients.find(lab.places().projected[0])].id;
  lab.pin(gradient, {0, 1, 1});
  CHECK(lab.find_text("Q[1, 1]"));
  lab.pin("w_v", {0, 1, 2});
  lab.view().pinned.reset();
  lab.settle();
  CHECK(lab.find_text("pin a number"));
  CHECK(lab.find_text("W_V[1, 2]"));
  lab.pin(lab.scores(), {0, 2, 0});
  lab.click_item("proof/input");
  CHECK(lab.view().pinned == Spot{"w_v", {0, 1, 2}});
  CHECK(lab.at().weights);
  CHECK_FALSE(lab.view().layer.show_parameters);  // of the Pipeline
}

TEST_CASE("the marker of the plot sets h, and the table follows") {
  ProofLab lab;
  lab.pin(lab.scores(), {0, 3, 2});
  const ImVec2 from = lab.words("proof", "h 1e−5");
  lab.drag(from, {lab.tick("10⁻⁶"), from.y});
  lab.settle();
  const double h = lab.at().nudge;
  CHECK(h == doctest::Approx(1e-6).epsilon(0.3));
  CHECK(lab.shows(decimals(score_loss(lab.document().layer(), h))));
  CHECK(lab.steps() == 0);
  lab.click_item("##gradients.nudge");
  lab.enter("0.001");
  CHECK(lab.at().nudge == 0.001);
  CHECK(lab.shows("h 1e−3"));
  lab.click_item("##gradients.nudge");
  lab.enter("2");
  CHECK(lab.at().nudge == 0.001);
  CHECK(lab.shows("from 1e-12 to 1"));
}

TEST_CASE("a small layer is checked unasked, and a click on the worst pins it") {
  ProofLab lab;
  CHECK_FALSE(lab.at().check_all);
  CHECK(lab.shows("68 of 68 inputs"));
  const auto results = lab.results();
  CentralDifferences differences(results->graph, lab.places().gradients);
  const DifferenceCheck check = check_all(differences, results->graph);
  REQUIRE(check.worst);
  lab.click_item("proof/worst");
  lab.settle();
  CHECK(lab.view().pinned == Spot{results->graph.stages[check.worst->stage].id, check.worst->cell});

  // It follows an edit.
  Document document = lab.document();
  document.layer().x = with_value(document.layer().x, {0, 0, 0}, 1);
  lab.app().change(document);
  lab.settle();
  CHECK(lab.shows("68 of 68 inputs"));
}

TEST_CASE("all is checked with the h that is chosen") {
  ProofLab lab;
  lab.at().nudge = 0.01;
  lab.frames(2);
  lab.settle();
  const auto results = lab.results();
  CentralDifferences differences(results->graph, lab.places().gradients);
  EveryDifference every(differences, results->graph, {}, 0.01);
  while (!every.step()) {
  }
  REQUIRE(every.check().worst);
  CHECK(lab.shows("worst " + inspector::write(every.check().worst->error, {0, true}) + " at "));
}

TEST_CASE("while another h is tried the numbers of the last one stay in sight") {
  ProofLab lab;
  lab.pin(lab.scores(), {0, 3, 2});
  const std::string above = decimals(score_loss(lab.document().layer(), 1e-5));
  CHECK(lab.shows(above));
  lab.at().nudge = 1e-3;
  lab.frames(1);
  CHECK(lab.shows(above));
  CHECK(lab.shows("68 of 68 inputs"));
  lab.settle();
  CHECK_FALSE(lab.shows(above));
  CHECK(lab.shows(decimals(score_loss(lab.document().layer(), 1e-3))));
  // Those of another number would be taken for its own.
  const std::string now = decimals(score_loss(lab.document().layer(), 1e-3));
  lab.view().pinned = Spot{lab.scores(), {0, 2, 1}};
  lab.frames(1);
  CHECK_FALSE(lab.shows(now));
}

TEST_CASE("of a small layer all is said to be checked, whatever is pressed") {
  ProofLab lab;
  lab.key(GLFW_KEY_C);
  lab.click_item("gradients.check_all");
  CHECK_FALSE(lab.at().check_all);
  CHECK(lab.shows("68 of 68 inputs"));
}

TEST_CASE("all is checked by key and by chip") {
  ProofLab lab(measured_layer(16, 32, 4));
  lab.key(GLFW_KEY_C);
  CHECK(lab.at().check_all);
  lab.key(GLFW_KEY_C);
  CHECK_FALSE(lab.at().check_all);
  lab.click_item("gradients.check_all");
  CHECK(lab.at().check_all);
  CHECK(lab.steps() == 0);
}

TEST_CASE("what takes long is asked for") {
  ProofLab lab(measured_layer(16, 32, 4));
  CHECK(lab.shows("C checks all 4608 inputs"));
  lab.click_item("proof/check all");
  CHECK(lab.at().check_all);
  CHECK_FALSE(lab.shows("C checks all"));
  CHECK(lab.shows("C stops it"));
  lab.click_item("proof/stop");
  CHECK_FALSE(lab.at().check_all);
  CHECK(lab.shows("C checks all"));
  lab.key(GLFW_KEY_C);
  CHECK(lab.shows("C stops it"));
  lab.key(GLFW_KEY_C);  // given up
  lab.frames(2);
  CHECK(lab.shows("C checks all"));
  CHECK(std::ranges::none_of(lab.app().engine().jobs(), [](const JobStatus& job) {
    return job.name == "gradients.check_all" && !job.running;
  }));
  lab.settle();
  CHECK(lab.app().engine().jobs().empty());
}

TEST_CASE("a NaN in the loss is refused, and the first number that has it named") {
  ProofLab lab(with_x({0, 1, 0}, std::nanf("")));
  CHECK(lab.shows("the loss is NaN: there is nothing to compare"));
  CHECK(lab.shows("first NaN: X[1, 0]"));
  CHECK_FALSE(lab.item("proof/proof/plot"));
  CHECK_FALSE(lab.shows("68 inputs"));
  lab.click_item("proof/first fault");
  CHECK(lab.view().pinned == Spot{"x", {0, 1, 0}});
  ProofLab infinite(with_x({0, 1, 0}, HUGE_VALF));
  CHECK(infinite.shows("there is nothing to compare"));
  CHECK(infinite.shows("first ∞: X[1, 0]"));
}

TEST_CASE("at T = 0 the way back is exactly 0, and so is the difference") {
  Document document = read_document(kCausal);
  document.layer().temperature = 0;
  ProofLab lab(std::move(document));
  lab.pin("q", {0, 3, 0});
  CHECK(lab.find_text("0 ✓"));
  CHECK_FALSE(lab.shows("nothing to compare"));
}

TEST_CASE("where a bend lies within ± h there is nothing to compare, and it is said") {
  Document document = read_document(kCausal);
  document.layer().weighting = Weighting::relu;
  for (std::size_t column = 0; column < 4; ++column)  // scores of the first token are 0: where ReLU bends
    document.layer().x = with_value(document.layer().x, {0, 0, column}, 0);
  ProofLab lab(std::move(document));
  lab.pin(lab.scores(), {0, 3, 0});
  CHECK(lab.find_text("at a bend"));
  CHECK(lab.shows("a bend or a step within ± h: nothing to compare"));
  CHECK(lab.shows("68 of 68 inputs · 4 at a bend"));
}

TEST_CASE("gradients on the device are compared as floats may be") {
  ProofLab lab;
  lab.pin(lab.scores(), {0, 3, 2});
  lab.click_item("gradients.on_device");
  lab.settle();
  CHECK(lab.at().on_device);
  CHECK(lab.shows("the device's"));
  const StageIndex gradient = *lab.places().gradients.find(lab.places().attention.front());
  const float device = lab.results()->outputs[gradient].whole()[{0, 3, 2}];
  CHECK(lab.shows(decimals(static_cast<double>(device))));
  CHECK(lab.shows("68 of 68 inputs"));
  CHECK_FALSE(lab.shows("✗"));
}

TEST_CASE("no words lie on others, whatever the window") {
  for (const auto& [size, scale] : {std::pair{ImVec2(1600, 1000), 1.0f}, std::pair{ImVec2(1024, 640), 1.0f},
                                    std::pair{ImVec2(3200, 2000), 2.0f}}) {
    CAPTURE(size.x);
    ProofLab lab(read_document(kCausal), size, scale);
    lab.pin(lab.scores(), {0, 3, 2});
    check_words_fit(lab, size, scale);
    for (const char* plot : {"proof", "noise scaled", "noise off"})
      if (const auto box = lab.item(std::string(plot) + "/plot"))
        check_words_apart(lab, {{box->min.x - 20, box->min.y - 200 * scale}, {box->max.x, box->max.y + 30}});
  }
}
