// trace --workspace stack, and files with a stack: against torch's numbers, what is refused, what is opened.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "app/program/input.h"
#include "core/io/npz.h"
#include "core/io/session.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "tests/app/stack_files.h"
#include "tests/app/words.h"
#include "tests/oracles/golden_arrays.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Words = std::vector<std::string>;
using Arrays = StackArrays;

Outcome trace_stack(const std::string& file, Words words) {
  words.insert(words.begin(), {"trace", file, "--workspace", "stack", "--device", "reference"});
  return run_words(words);
}

Arrays traced_stack(const std::string& file, Words words) {
  const TemporaryFolder folder;
  words.insert(words.end(), {"-o", folder / "out.npz"});
  const Outcome outcome = trace_stack(file, std::move(words));
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  return parse_npz<float>(read_file(folder / "out.npz"));
}

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

// Whether the words say it: padding is hidden from whoever looks, and a decoder alone is not padded.
bool is_said(const nlohmann::json& masks) {
  const std::string encoder = masks.at("encoder"), cross = masks.at("cross");
  return cross == (encoder.starts_with("padding") ? encoder : "none");
}

std::vector<TorchCase> torch_cases() {
  std::vector<TorchCase> cases;
  golden::load_arrays("golden_stack", [&](const nlohmann::json& entry, golden::ArraysCase& arrays) {
    if (entry.at("sides") == "both" && !is_said(entry.at("masks"))) return;
    if (entry.at("sides") == "decoder" && entry.at("masks").at("cross") != "none") return;
    TorchCase c{.name = arrays.name, .words = {"--heads", entry.at("heads").dump()}};
    const auto add = [&](const std::string& option, const std::string& word) {
      c.words.insert(c.words.end(), {option, word});
    };
    add("--norm", entry.at("norm"));
    add("--norm-kind", entry.at("norm_kind"));
    if (entry.at("activation") != "none") add("--activation", entry.at("activation"));
    if (!entry.at("residual").get<bool>()) c.words.emplace_back("--no-residual");
    if (const std::string mask = entry.at("masks").at("encoder"); mask != "none") add("--mask", mask);
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

std::string refused(const Arrays& arrays, Words words = {}) {
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", arrays);
  const Outcome outcome = trace_stack(folder / "model.npz", std::move(words));
  CHECK(outcome.status != kDone);
  CHECK(outcome.out.empty());
  return outcome.err;
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

TEST_CASE("what a file of a stack lacks or has wrong is named") {
  Arrays arrays = small_encoder();
  const auto without = [&](const std::string& name) {
    Arrays fewer = arrays;
    fewer.erase(name);
    return refused(fewer);
  };
  const auto with = [&](const std::string& name, std::vector<std::size_t> shape) {
    Arrays other = arrays;
    std::size_t size = 1;
    for (const std::size_t side : shape) size *= side;
    other[name] = {.shape = std::move(shape), .values = std::vector<float>(size, 0.5f)};
    return refused(other);
  };
  CHECK(contains(without("x"), "model.npz: x is missing"));
  CHECK(contains(without("encoder.layers.1.self_attn.in_proj_weight"),
                 "encoder.layers.1.self_attn.in_proj_weight is missing"));
  CHECK(contains(without("encoder.layers.0.self_attn.out_proj.weight"), "out_proj.weight is missing"));
  CHECK(contains(without("encoder.layers.1.norm2.weight"), "encoder.layers.1.norm2.weight is missing"));
  CHECK(contains(without("encoder.layers.1.linear2.weight"), "linear"));
  CHECK(contains(with("encoder.layers.1.linear1.weight", {12, 6}),
                 "encoder.layers.1.linear1.weight is 12×6: d is 8"));
  CHECK(contains(with("encoder.layers.1.linear1.bias", {11}), "encoder.layers.1.linear1.bias has 11"));
  CHECK(contains(with("encoder.layers.0.norm1.weight", {9}), "encoder.layers.0.norm1.weight has 9"));
  CHECK(contains(with("encoder.layers.0.self_attn.in_proj_weight", {23, 8}), "in_proj_weight is 23×8"));
  CHECK(contains(with("x", {5, 7}), "in_proj_weight is 24×8: d is 7"));
  CHECK(contains(with("encoder.layers.3.norm1.weight", {8}), "encoder.layers.2 is missing"));
  CHECK(contains(with("decoder.layers.0.self_attn.in_proj_weight", {24, 8}), "source is missing"));
}

TEST_CASE("words that make no sense of a stack are refused") {
  const Arrays arrays = small_encoder();
  CHECK(contains(refused(arrays, {"--activation", "swiglu"}), "encoder.layers.0.gate.weight is missing"));
  CHECK(contains(refused(arrays, {"--norm", "before"}), "pre, post"));
  CHECK(contains(refused(arrays, {"--norm-kind", "batch"}), "layer"));
  CHECK(contains(refused(arrays, {"--heads", "3"}), "3 heads"));
  CHECK(contains(refused(arrays, {"--rows", "0:1"}), "--rows"));
  CHECK(contains(refused(arrays, {"--mechanism", "flash"}), "--mechanism flash"));
  const Outcome other = run_words({"trace", "three-tokens", "--norm", "pre"});
  CHECK(other.status == kBadWords);
  CHECK(contains(other.err, "--workspace stack"));
}

TEST_CASE("a stack of safetensors in bfloat16 is the same stack") {
  Arrays arrays = small_encoder();
  arrays["unknown"] = {.shape = {1}, .values = {1}};
  const TemporaryFolder folder;
  write_bfloats(folder / "model.safetensors", arrays);
  write_stack(folder / "model.npz", arrays);
  const Arrays one = traced_stack(folder / "model.safetensors", {"--heads", "2"});
  const Arrays other = traced_stack(folder / "model.npz", {"--heads", "2"});
  CHECK(one.at("encoder.output").values == other.at("encoder.output").values);
  CHECK(contains(trace_stack(folder / "model.npz", {}).err, "ignored unknown"));
}

TEST_CASE("a session keeps its stack, and options are laid over it") {
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", small_encoder());
  write_file(folder / "session.json", write_session(read_document(folder / "model.npz")));
  for (const Words& words :
       {Words{}, {"--heads", "4", "--norm", "pre", "--no-residual", "--mask", "padding:3"}})
    CHECK(traced_stack(folder / "session.json", words).at("encoder.output").values ==
          traced_stack(folder / "model.npz", words).at("encoder.output").values);
}

TEST_CASE("a file of a stack opens as a document that has it, and shows it") {
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", small_encoder());
  FileNotes notes;
  const Document document = open_document(folder / "model.npz", {}, {}, &notes);
  CHECK(document.transformer.encoder.blocks.size() == 2);
  CHECK(document.transformer.norm_at == NormAt::after);
  CHECK(document.layer().w_q == document.transformer.encoder.blocks.front().attention.w_q);
  CHECK(notes.look == "stack");
  for (const Words& words :
       {Words{}, {"--workspace", "stack", "--heads", "2", "--norm", "pre", "--at", "1,1,2"}}) {
    Words all{"render", folder / "model.npz", "-o", folder / "out.png", "--device", "reference"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome drawn = run_words(all);
    CAPTURE(drawn.err);
    CHECK(drawn.status == kDone);
  }
}
