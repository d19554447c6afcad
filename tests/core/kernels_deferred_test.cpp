// What the workspace of kernels computes behind its results, and the arithmetic of one query.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "core/engine/engine.h"
#include "core/kernels/graph.h"
#include "core/kernels/layer.h"
#include "core/kernels/row.h"
#include "core/reference/backend.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

double leave_one_out(const KernelPoints& points, double width) {
  double sum = 0;
  const auto x = points.keys.values(), y = points.values.values();
  for (std::size_t i = 0; i < x.size(); ++i) {
    double all = 0, mean = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (j == i) continue;
      const double u = (static_cast<double>(x[i]) - static_cast<double>(x[j])) / width,
                   k = std::exp(-u * u / 2);
      all += k, mean += k * static_cast<double>(y[j]);
    }
    const double error = mean / all - static_cast<double>(y[i]);
    sum += error * error;
  }
  return sum / static_cast<double>(x.size());
}

std::shared_ptr<const DeferredResults> computed_deferred(const KernelsSpec& spec) {
  Document document;
  document.kernels = spec;
  Budget budget;
  Engine engine([](std::vector<std::string>&) { return make_reference_backend(); }, budget);
  engine.post({.document = document, .plan = &kKernelsPlan});
  engine.wait_idle();
  return engine.state().deferred;
}

}  // namespace

TEST_CASE("errors behind the results are those of leaving each point out") {
  KernelsSpec spec;
  spec.count = 260;
  spec.kernels = {Kernel::gaussian};
  const auto deferred = computed_deferred(spec);
  REQUIRE(deferred);
  CHECK_FALSE(deferred->running());
  const KernelPoints points = sorted_points(spec);
  const std::vector<double> widths = candidate_widths(points);
  const auto pieces = kernels_pieces(spec, 260, widths.size());
  REQUIRE(deferred->outputs.size() == pieces.size());
  CHECK(pieces.size() == widths.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double width = static_cast<double>(static_cast<float>(widths[*pieces[i].candidate]));
    if (width < 0.05) continue;  // where neighbours are far the quotient of what underflows is not this sum
    CHECK(static_cast<double>(deferred->outputs[i].values()[0]) ==
          doctest::Approx(leave_one_out(points, width)).epsilon(1e-5));
  }
}

TEST_CASE("what follows behind results stops where it is asked to and begins anew with the next document") {
  // The reference, which asks the engine to stop at the third piece.
  struct Stopping : Backend {
    explicit Stopping(const std::function<void()>& ask) : ask_(ask) {}
    std::string name() const override { return "stopping"; }
    Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
      if (std::holds_alternative<LeaveOneOut>(operation) && ++left_out_ == 3) ask_();
      return reference_->run(operation, inputs);
    }

   private:
    const std::function<void()>& ask_;
    int left_out_ = 0;
    std::unique_ptr<Backend> reference_ = make_reference_backend();
  };
  std::function<void()> ask = [] {};
  Budget budget;
  Engine engine([&](std::vector<std::string>&) { return std::make_unique<Stopping>(ask); }, budget);
  engine.wait_idle();
  ask = [&] { engine.stop(); };
  Document document;
  document.kernels.count = 260;
  document.kernels.kernels = {Kernel::gaussian};
  engine.post({.document = document, .plan = &kKernelsPlan});
  engine.wait_idle();
  const EngineState stopped = engine.state();
  REQUIRE(stopped.deferred);
  CHECK(stopped.deferred->stopped);
  CHECK(stopped.deferred->done == 2);
  CHECK(stopped.deferred->outputs.size() > 3);
  CHECK(stopped.results->document == document);
  document.kernels.seed = 8;
  engine.post({.document = document, .plan = &kKernelsPlan});
  engine.wait_idle();
  CHECK(engine.state().deferred->done == stopped.deferred->outputs.size());
}

TEST_CASE("few points have no rest and far too many no errors") {
  CHECK_FALSE(computed_deferred(KernelsSpec()));
  KernelsSpec many;
  many.count = kMostCompared + 1;
  Document document;
  document.kernels = many;
  CHECK(deferred_kernels(document, build_kernels(document).places).empty());
}

TEST_CASE(
    "of so many pairs that a frame would wait the first curves are of fewer queries and the rest follows") {
  KernelsSpec spec;
  spec.kernels = {Kernel::boxcar};
  spec.count = 100'000, spec.queries = 1000;
  Document document;
  document.kernels = spec;
  const std::size_t apart = queries_apart(spec, spec.count);
  CHECK(apart == 3);
  const Graph graph = build_kernels(document).graph;
  CHECK(graph.stages[places_in<KernelsPlaces>(build_kernels(document)).queries].shape.rows ==
        334);  // 0, 3, …, 999
  std::size_t covered = 0;
  for (const KernelsPiece& piece : kernels_pieces(spec, spec.count, 0)) {
    CHECK(piece.first == covered);
    CHECK(piece.count * spec.count <= kMostAtOnce);
    covered += piece.count;
  }
  CHECK(covered == 1000);
}

TEST_CASE("a piece of an estimate is that part of the whole") {
  KernelsSpec spec;
  spec.kernels = {Kernel::tricube};
  spec.count = 9000, spec.queries = 4096;
  Document document;
  document.kernels = spec;
  const std::vector<DeferredGraph> deferred = deferred_kernels(document, build_kernels(document).places);
  const auto pieces = kernels_pieces(spec, spec.count, 0);
  REQUIRE(deferred.size() == pieces.size());
  REQUIRE(deferred.size() >= 2);
  const Tensor64 part = evaluate_in_double(deferred[1].graph()).back();
  REQUIRE(part.rows() == pieces[1].count);
  const KernelPoints points = sorted_points(spec);
  const Tensor queries = queries_of(spec);
  for (const std::size_t i : {std::size_t{0}, pieces[1].count / 2, pieces[1].count - 1}) {
    const auto q = static_cast<double>(queries.values()[pieces[1].first + i]);
    const QueryRow row = query_row(spec, points, curves_of(spec)[0], q);
    CHECK(part.values()[i] == doctest::Approx(row.average[0]).epsilon(1e-9));
  }
}

TEST_CASE("the row of a query adds up to its estimate") {
  KernelsSpec spec;
  const KernelPoints points = sorted_points(spec);
  for (std::size_t kernel = 0; kernel < kKernels.size(); ++kernel) {
    const QueryRow row = query_row(spec, points, {static_cast<Kernel>(kernel), 0.45}, 2.4);
    double shares = 0;
    for (const double share : row.shares) shares += share;
    CHECK(shares == doctest::Approx(1));
    CHECK(row.weighted[0] / row.sum == doctest::Approx(row.average[0]).epsilon(1e-12));
  }
}

TEST_CASE("far from all points the row keeps its quotient and says that it is relative") {
  KernelsSpec spec;
  spec.set = PointSet::own;
  spec.points = Tensor({1, 2, 2}, {0, 1, 1, 5});
  const QueryRow row = query_row(spec, sorted_points(spec), {Kernel::gaussian, 0.01}, 50);
  CHECK(row.relative);
  CHECK(row.shares[1] == 1);
  CHECK(row.average[0] == 5);
}

TEST_CASE("the layer's scores are the Gaussian's exponents but for what depends on the query") {
  KernelsSpec spec;
  spec.widths = {0.3};
  const KernelPoints points = sorted_points(spec);
  const LayerSpec layer = same_layer(spec, points);
  const Tensor queries = queries_of(spec);
  for (const std::size_t i : {std::size_t{0}, std::size_t{47}, std::size_t{100}}) {
    const auto score = [&](std::size_t j) {
      double dot = 0;
      for (std::size_t f = 0; f < 3; ++f)
        dot += static_cast<double>(layer.q[{0, i, f}]) * static_cast<double>(layer.k[{0, j, f}]);
      const double away =
          static_cast<double>(queries.values()[i]) - static_cast<double>(points.keys.values()[j]);
      return dot / std::sqrt(3.0) + away * away / (2 * 0.09);
    };
    for (std::size_t j = 1; j < 40; ++j) CHECK(score(j) == doctest::Approx(score(0)).epsilon(1e-4));
  }
}
