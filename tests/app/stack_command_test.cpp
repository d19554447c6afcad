// trace --workspace stack against torch's numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "core/io/npz.h"
#include "core/io/session.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "tests/app/stack_words.h"
#include "tests/oracles/golden_arrays.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct TorchCase {
  std::string name;
  Words words;          // of the command line
  Arrays given = {};    // what has a gradient
  Array upstream = {};  // at the output
  std::map<std::string, Array64> expected = {};
};

Array as_floats(const Array64& array) {
  return {.shape = array.shape, .values = {array.values.begin(), array.values.end()}};
}

std::vector<TorchCase> torch_cases() {
  std::vector<TorchCase> cases;
  golden::load_arrays("golden_stack", [&](const nlohmann::json& entry, golden::ArraysCase& arrays) {
    TorchCase c{.name = arrays.name, .words = {"--heads", entry.at("heads").dump()}};
    const auto add = [&](const std::string& option, const std::string& word) {
      c.words.insert(c.words.end(), {option, word});
    };
    add("--norm", entry.at("norm"));
    add("--norm-kind", entry.at("norm_kind"));
    if (entry.at("activation") != "none") add("--activation", entry.at("activation"));
    if (!entry.at("residual").get<bool>()) c.words.emplace_back("--no-residual");
    const auto mask = [&](const char* of) { return entry.at("masks").at(of).get<std::string>(); };
    if (mask("encoder") != "none") add("--mask", mask("encoder"));
    if (entry.at("sides") == "both" || mask("cross") != "none") add("--memory-mask", mask("cross"));
    for (const auto& [name, array] : arrays.expected) {
      if (name == "upstream")
        c.upstream = as_floats(array);
      else if (arrays.expected.contains("d_" + name))
        c.given[name] = as_floats(array);
      else
        c.expected[name] = array;
    }
    cases.push_back(std::move(c));
  });
  return cases;
}

// Columns that come again after so many.
nlohmann::json packed_numbers(std::size_t rows, std::size_t columns, std::size_t period, double seed) {
  nlohmann::json matrix = nlohmann::json::array();
  for (std::size_t i = 0; i < rows; ++i) {
    nlohmann::json row = nlohmann::json::array();
    for (std::size_t j = 0; j < columns; ++j)
      row.push_back(std::sin(seed + static_cast<double>(7 * i + j % period)));
    matrix.push_back(row);
  }
  return matrix;
}

// Of queries, keys and values of two heads over 4 features, of so many different heads of keys and values.
Array packed_gradient(std::size_t kv_heads) {
  const nlohmann::json session{{"format", "attention-lab session"},
                               {"version", 4},
                               {"stack", {{"encoder_layers", 1}, {"norm_at", "none"}}},
                               {"stack.encoder", {{"x", packed_numbers(3, 4, 4, 1)}}},
                               {"stack.encoder.0.attention",
                                {{"heads", 2},
                                 {"kv_heads", kv_heads},
                                 {"w_q", packed_numbers(4, 4, 4, 20)},
                                 {"w_k", packed_numbers(4, 2 * kv_heads, 2, 40)},
                                 {"w_v", packed_numbers(4, 2 * kv_heads, 2, 60)},
                                 {"w_o", packed_numbers(4, 4, 4, 80)}}}};
  const TemporaryFolder folder;
  write_file(folder / "grouped.json", session.dump());
  return traced_stack(folder / "grouped.json", {"--gradient", "--upstream", "cell:0,1"})
      .at("d_encoder.layers.0.self_attn.in_proj_weight");
}

}  // namespace

// Each stage is rounded to float32 once, by at most u = 6e-8 of its number. Fewer than 60 stages follow one
// another, the way back is as long again, and the norms keep what passes near 1: 120·u < 8e-6 of an array's
// largest, and u of numbers near 1 that cancel.
TEST_CASE("trace of a stack is what torch.nn computes, weights, streams and gradients") {
  const TemporaryFolder folder;
  std::size_t cases = 0;
  for (const TorchCase& c : torch_cases()) {
    CAPTURE(c.name);
    write_stack(folder / "model.npz", c.given);
    write_file(folder / "upstream.npy", write_npy(c.upstream.shape, c.upstream.values));
    Words words = c.words;
    words.insert(words.end(), {"--gradient", "--upstream", folder / "upstream.npy"});
    const Arrays traced = traced_stack(folder / "model.npz", words);
    for (const auto& [name, expected] : c.expected) {
      CAPTURE(name);
      REQUIRE(traced.contains(name));
      const Array& array = traced.at(name);
      REQUIRE(array.shape == expected.shape);
      double largest = 0;
      for (const double x : expected.values) largest = std::max(largest, std::abs(x));
      double off = 0;
      for (std::size_t i = 0; i < expected.values.size(); ++i)
        off = std::max(off, std::abs(static_cast<double>(array.values[i]) - expected.values[i]));
      CHECK(off <= 8e-6 * largest + 1e-7);
    }
    ++cases;
  }
  CHECK(cases > 20);
}

TEST_CASE("without words a file is read as PyTorch makes stacks: post-norm, LayerNorm, ReLU") {
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", small_encoder());
  const Arrays plain = traced_stack(folder / "model.npz", {});
  const Arrays said =
      traced_stack(folder / "model.npz", {"--norm", "post", "--norm-kind", "layer", "--activation", "relu"});
  CHECK(plain.at("encoder.output").values == said.at("encoder.output").values);
  CHECK(plain.at("encoder.0.weights").shape.front() == 1);
  const Outcome outcome = trace_stack(folder / "model.npz", {"--heads", "2"});
  CHECK(contains(outcome.err, "stack: encoder of 2 layers × 2 heads, d 8, feed-forward relu, norm post"));
  for (const char* word : {"rank_residual", "alike", "encoder.1.stream"}) CHECK(contains(outcome.out, word));
}

TEST_CASE("only what is named is written, measures and packed gradients too") {
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", small_encoder());
  const Arrays some = traced_stack(
      folder / "model.npz",
      {"--gradient", "--only", "loss,rank_residual,rollout,d_encoder.layers.0.self_attn.in_proj_weight,d_x"});
  CHECK(some.size() == 5);
  CHECK(some.at("loss").shape == std::vector<std::size_t>{1, 1});
  CHECK(some.at("d_encoder.layers.0.self_attn.in_proj_weight").shape == std::vector<std::size_t>{24, 8});
  CHECK(some.at("rank_residual").shape == std::vector<std::size_t>{3});
  const Outcome unknown = trace_stack(folder / "model.npz", {"--only", "rank_residuals"});
  CHECK(unknown.status == kBadWords);
  CHECK(contains(unknown.err, "rank_residual"));
}

TEST_CASE("gradients of a stack are held against central differences") {
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", small_encoder());
  const Outcome checked = trace_stack(
      folder / "model.npz",
      {"--heads", "2", "--norm", "pre", "--gradient", "--upstream", "cell:1,2", "--check", "--only", "d_x"});
  CAPTURE(checked.err);
  CHECK(checked.status == kDone);
  CHECK(contains(checked.out, "accepted"));
}

TEST_CASE("gradients of grouped heads are packed one below the other, each as wide as it is") {
  // A head of keys and values for both heads of queries is what two equal ones are, its gradient their sum.
  const Array grouped = packed_gradient(1), two = packed_gradient(2);
  REQUIRE(grouped.shape == std::vector<std::size_t>{8, 4});
  REQUIRE(two.shape == std::vector<std::size_t>{12, 4});
  const auto row = [](const Array& array, std::size_t i, std::size_t j) {
    return static_cast<double>(array.values[i * 4 + j]);
  };
  double largest = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(row(grouped, i, j) - row(two, i, j)) < 1e-6);
    for (const std::size_t part : {1u, 2u})
      for (std::size_t i = 0; i < 2; ++i) {
        const double sum = row(two, 4 * part + i, j) + row(two, 4 * part + 2 + i, j);
        largest = std::max(largest, std::abs(sum));
        CHECK(std::abs(row(grouped, 2 + 2 * part + i, j) - sum) < 1e-6);
      }
  }
  CHECK(largest > 0.01);
}

TEST_CASE("a session without a stack has one over the tokens of its layer") {
  const Arrays arrays = traced_stack("three-tokens", {"--norm", "none", "--activation", "swiglu"});
  CHECK(arrays.contains("encoder.3.stream"));
  CHECK(contains(trace_stack("three-tokens", {}).err, "weights drawn by seed 7"));
  CHECK(arrays.contains("encoder.3.gated"));
  CHECK(!arrays.contains("encoder.3.norm1"));
  const Arrays turned = traced_stack("the-cat-sat-on-mat", {"--position", "rope", "--mask", "causal"});
  CHECK(turned.contains("encoder.2.q_rotated"));
  CHECK(turned.at("encoder.2.weights").values[1] == 0);
}
