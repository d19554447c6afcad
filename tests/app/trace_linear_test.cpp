// trace by linear attention: its stages against sums over keys in double, rows alone, and what is refused.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "core/checks/comparison.h"
#include "core/io/npz.h"
#include "core/system/file.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

using LinearArrays = std::map<std::string, Array>;

LinearArrays traced_by_linear(const std::string& mechanism, const std::vector<std::string>& words,
                              std::string* err = nullptr) {
  const TemporaryFolder folder;
  std::vector<std::string> all{"trace", "the-cat-sat-on-mat", "--mechanism", mechanism,
                               "-o",    folder / "o.npz"};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = run_words(all);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  if (err) *err = outcome.err;
  return parse_npz<float>(read_file(folder / "o.npz"));
}

// heads × rows × columns.
double traced_number(const Array& a, std::size_t row, std::size_t column) {
  return a.values.at(row * a.shape.at(2) + column);
}

double product(const LinearArrays& t, std::size_t query, std::size_t key) {
  double sum = 0;
  for (std::size_t r = 0; r < t.at("phi_q").shape.at(2); ++r)
    sum += traced_number(t.at("phi_q"), query, r) * traced_number(t.at("phi_k"), key, r);
  return sum;
}

void check_sums(const LinearArrays& t, bool causal) {
  const std::size_t n = t.at("q").shape.at(1), width = t.at("v").shape.at(2);
  const std::size_t features = t.at("phi_k").shape.at(2);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < width; ++c) {
      double sum = 0, all = 0;
      for (std::size_t j = 0; j < (causal ? i + 1 : n); ++j) {
        const double weight = product(t, i, j);
        all += weight, sum += weight * traced_number(t.at("v"), j, c);
      }
      const double output = traced_number(t.at("head_output"), i, c);
      CHECK((all == 0 ? std::isnan(output) : std::abs(output - sum / all) < 1e-5));
    }
  for (std::size_t r = 0; r < features; ++r) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += traced_number(t.at("phi_k"), j, r);
    CHECK(traced_number(t.at("state_sum"), r, 0) == doctest::Approx(sum).epsilon(1e-5));
    for (std::size_t c = 0; c < width; ++c) {
      double with = 0;
      for (std::size_t j = 0; j < n; ++j)
        with += traced_number(t.at("phi_k"), j, r) * traced_number(t.at("v"), j, c);
      CHECK(std::abs(traced_number(t.at("state"), r, c) - with) < 1e-5);
    }
  }
}

// φ of one number, or of one row along a direction, as its definition has it.
double feature(const LinearArrays& t, const std::string& kind, std::size_t row, std::size_t column) {
  const Array& q = t.at("q");
  if (kind == "relu") return std::max(0.0, traced_number(q, row, column));
  if (kind == "elu") {
    const double x = traced_number(q, row, column);
    return x > 0 ? x + 1 : std::exp(x);
  }
  const std::size_t d = q.shape.at(2);
  const double scale = 1 / std::sqrt(std::sqrt(static_cast<double>(d)));
  double exponent = 0;
  for (std::size_t i = 0; i < d; ++i) {
    const double x = scale * traced_number(q, row, i);
    exponent += traced_number(t.at("features"), i, column) * x - x * x / 2;
  }
  return std::exp(exponent) / std::sqrt(static_cast<double>(t.at("features").shape.at(2)));
}

TEST_CASE("trace by linear attention writes features, states and outputs that are sums over keys") {
  for (const std::string kind : {"elu", "relu", "random"})
    for (const bool causal : {false, true})
      for (const char* device : {"reference", "auto"}) {
        CAPTURE(kind);
        std::vector<std::string> words{"--device", device};
        if (causal) words.insert(words.end(), {"--mask", "causal"});
        std::string err;
        const std::string mechanism = "linear:" + kind + (kind == "random" ? ":6:9" : "");
        const LinearArrays t = traced_by_linear(mechanism, words, &err);
        CHECK(contains(err, "by linear attention, features " + kind));
        for (const char* none : {"scores", "weights", "linear"}) CHECK_FALSE(t.contains(none));
        CHECK(t.contains("features") == (kind == "random"));
        const Array& phi = t.at("phi_q");
        for (std::size_t row = 0; row < phi.shape.at(1); ++row)
          for (std::size_t r = 0; r < phi.shape.at(2); ++r)
            CHECK(traced_number(phi, row, r) == doctest::Approx(feature(t, kind, row, r)).epsilon(1e-5));
        check_sums(t, causal);
      }
}

TEST_CASE(
    "trace by linear attention takes elu + 1 where nothing else is said, and one seed is one set of "
    "features") {
  for (const char* stage : {"phi_q", "state", "output"})
    CHECK(traced_by_linear("linear", {}).at(stage).values ==
          traced_by_linear("linear:elu", {}).at(stage).values);
  const auto features = [](const char* mechanism, const char* device) {
    return traced_by_linear(mechanism, {"--only", "features", "--device", device}).at("features").values;
  };
  CHECK(features("linear:random:8:3", "reference") == features("linear:random:8:3", "auto"));
  CHECK(features("linear:random:8:3", "reference") != features("linear:random:8:4", "reference"));
}

TEST_CASE("rows alone by linear attention are those of all, and gradients go back through it") {
  for (const char* mechanism : {"linear:elu", "linear:random:5:1"}) {
    const std::vector<std::string> causal{"--mask", "causal"};
    const LinearArrays all = traced_by_linear(mechanism, causal);
    const LinearArrays some = traced_by_linear(mechanism, {"--mask", "causal", "--rows", "2:4"});
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t c = 0; c < all.at("head_output").shape.at(2); ++c)
        CHECK(traced_number(some.at("head_output"), i, c) ==
              doctest::Approx(traced_number(all.at("head_output"), i + 2, c)).epsilon(1e-5));
    const Outcome checked = run_words({"trace", "the-cat-sat-on-mat", "--mechanism", mechanism, "--mask",
                                       "causal", "--gradient", "--check", "--only", "d_q"});
    CAPTURE(checked.err);
    CHECK(checked.status == kDone);
  }
}

TEST_CASE(
    "mechanisms that do not exist and layers that linear attention cannot compute are refused by name") {
  const auto refused = [](const std::string& mechanism, const std::vector<std::string>& words = {}) {
    std::vector<std::string> all{"trace", "the-cat-sat-on-mat", "--mechanism", mechanism};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run_words(all);
    CHECK(outcome.status != kDone);
    return outcome.err;
  };
  for (const char* wrong :
       {"linear:", "linear:gelu", "linear:elu:3", "linear:random", "linear:random:8", "linear:random:0:1",
        "linear:random:1025:1", "linear:random:8:-1", "linear:random:a:b", "linear:random:8:1:2"})
    CHECK(contains(refused(wrong),
                   "linear:elu, linear:relu or linear:random:R:SEED, with R random features, 1 to "
                   "1024"));
  CHECK(contains(refused("lineal"), "linear"));
  CHECK(contains(refused("linear", {"--mask", "window:2"}),
                 "linear attention cannot compute this layer: mask window does not leave the first keys"));
  CHECK(contains(refused("linear", {"--soft-cap", "2"}), "a soft cap bends each score"));
  CHECK(contains(refused("linear", {"--position", "alibi"}), "ALiBi adds to each score"));
  CHECK(contains(refused("linear", {"--weighting", "sparsemax"}), "weighting sparsemax is not the softmax"));
  CHECK(contains(refused("linear", {"--only", "weights"}), "--only"));
  CHECK(contains(refused("linear", {"--workspace", "positions"}),
                 "--mechanism linear computes the Pipeline's layer"));
}

}  // namespace
